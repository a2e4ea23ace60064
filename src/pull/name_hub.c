/* Names of Hugging Face, or of another site that speaks as it does: owner/repo[:QUANT], pages, files. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/number.h"
#include "base/sanitize.h"
#include "base/sys.h"
#include "base/text_ends.h"
#include "pull/hub_listing.h"
#include "pull/name_parts.h"

static const char usual[] = "https://huggingface.co";
static const char *const hosts[] = {"hf.co", "www.hf.co", "huggingface.co", "www.huggingface.co"};

enum { REPOSITORY_MAX = 256, QUANT_MAX = 64, ENDPOINT_MAX = 1024 };

/* Appends the base of the hub's addresses: $MODEL_ENDPOINT, $HF_ENDPOINT, or "https://huggingface.co", without a slash at
 * its end. */
static enum status put_endpoint(struct buf *out, struct error *err)
{
	const char *endpoint = sys_variable("MODEL_ENDPOINT");
	struct name_address address;
	size_t len;

	if (!endpoint)
		endpoint = sys_variable("HF_ENDPOINT");
	if (!endpoint)
		endpoint = usual;
	name_split(&address, endpoint);
	len = strlen(endpoint);
	if (!address.scheme || !address.host || len > ENDPOINT_MAX || strpbrk(endpoint, "?#@ "))
		return error_set(err, STATUS_CONFIG, "HF_ENDPOINT is '%.100s': an address such as %s is wanted", endpoint, usual);
	while (endpoint[len - 1] == '/')
		len--;
	return buf_append(out, endpoint, len) ? error_no_memory(err, "for the name of a model") : STATUS_OK;
}

bool name_is_hub(const struct name_address *address)
{
	const char *host = address->text + address->scheme;
	struct buf endpoint = {.max = ENDPOINT_MAX};
	struct name_address own;
	bool is = false;

	for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++)
		is |= name_word_is(host, address->host, hosts[i]);
	if (!is && !put_endpoint(&endpoint, NULL)) {
		name_split(&own, buf_text(&endpoint));
		is = own.host == address->host && strncmp(buf_text(&endpoint) + own.scheme, host, own.host) == 0;
	}
	buf_free(&endpoint);
	return is;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* As llama.cpp and huggingface_hub have it: "/", "." and "-" only between others, and one "/". */
static bool is_repository(const char *text, size_t len)
{
	size_t n_slashes = 0;
	bool special = true;

	for (size_t i = 0; i < len; i++) {
		if (!is_letter(text[i]) && (special || !strchr("/.-", text[i])))
			return false;
		special = !is_letter(text[i]);
		n_slashes += text[i] == '/';
	}
	return !special && n_slashes == 1 && len <= REPOSITORY_MAX;
}

static bool is_quant(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!is_letter(text[i]) && !strchr(".-", text[i]))
			return false;
	return len && len <= QUANT_MAX;
}

/* Copies n bytes, of a URL with %20 as what it stands for. */
static char *copy_decoded(const char *text, size_t n, bool is_url, struct error *err)
{
	char *copy = name_copy(text, n, err);
	size_t len = 0;

	if (!copy || !is_url)
		return copy;
	for (size_t i = 0; i < n; i++) {
		unsigned high = i + 2 < n ? number_digit(text[i + 1]) : 99, low = i + 2 < n ? number_digit(text[i + 2]) : 99;

		if (text[i] == '%' && high < 16 && low < 16 && high + low > 0) {
			copy[len++] = (char)(high * 16 + low);
			i += 2;
		} else {
			copy[len++] = text[i];
		}
	}
	copy[len] = '\0';
	return copy;
}

void name_put_encoded(struct buf *out, const char *text, bool keeps_slash)
{
	for (; *text; text++)
		if (is_letter(*text) || strchr("-.~", *text) || (keeps_slash && *text == '/'))
			buf_putc(out, *text);
		else
			buf_printf(out, "%%%02X", (unsigned)(unsigned char)*text);
}

/* Takes ":QUANT" from the end. */
static enum status take_quant(struct pull_name *out, const char *text, size_t *len, struct error *err)
{
	const char *colon = memchr(text, ':', *len);
	size_t n;

	if (!colon)
		return STATUS_OK;
	n = *len - (size_t)(colon + 1 - text);
	if (!is_quant(colon + 1, n))
		return error_set(err, STATUS_USAGE, "'%.*s' is not the name of a quantisation: letters, digits, '_', '.' and "
		                 "'-', as in owner/repo:Q4_K_M", (int)(n < 100 ? n : 100), colon + 1);
	*len = (size_t)(colon - text);
	if (name_word_is(colon + 1, n, "latest")) /* ollama's word for no tag */
		return STATUS_OK;
	out->tag = name_copy(colon + 1, n, err);
	return out->tag ? STATUS_OK : STATUS_NOMEM;
}

/* Bytes up to the next slash. */
static size_t part_len(const char *text, size_t len)
{
	const char *slash = memchr(text, '/', len);

	return slash ? (size_t)(slash - text) : len;
}

static bool is_file_path(const char *path)
{
	const char *why;

	return text_has_extension(path, ".gguf") && hub_is_path(path, strlen(path), &why);
}

static enum status set_file(struct pull_name *out, const char *path, size_t len, bool is_url, struct error *err)
{
	out->file = copy_decoded(path, len, is_url, err);
	if (!out->file)
		return STATUS_NOMEM;
	if (!is_file_path(out->file))
		return error_set(err, STATUS_USAGE, "'%.200s' is not the path of a GGUF file in %s: it has to end with .gguf",
		                 out->file, out->repository);
	return STATUS_OK;
}

/* Behind owner/repo: "", "tree/main", "resolve/main/x.gguf", "x.gguf". */
static enum status parse_below(struct pull_name *out, const char *text, size_t len, bool is_url, struct error *err)
{
	static const char *const words[] = {"resolve", "blob", "raw", "tree"};
	size_t n = part_len(text, len), n_revision;
	bool is_word = false, is_tree;

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		is_word |= strlen(words[i]) == n && strncmp(words[i], text, n) == 0;
	if (!is_word)
		return len ? set_file(out, text, len, is_url, err) : STATUS_OK;
	is_tree = text[0] == 't';
	text += n < len ? n + 1 : n;
	len -= n < len ? n + 1 : n;
	n_revision = part_len(text, len);
	if (!n_revision)
		return STATUS_OK;
	free(out->revision);
	out->revision = copy_decoded(text, n_revision, true, err);
	if (!out->revision)
		return STATUS_NOMEM;
	if (strstr(out->revision, "..") || out->revision[0] == '/' || out->revision[0] == '-' ||
	    sanitize_has_controls(out->revision, strlen(out->revision)))
		return error_set(err, STATUS_USAGE, "'%.100s' is not a branch or a commit", out->revision);
	if (is_tree || n_revision == len)
		return STATUS_OK; /* the page of a folder: all of the repository is looked at */
	return set_file(out, text + n_revision + 1, len - n_revision - 1, is_url, err);
}

enum status name_parse_hub(struct pull_name *out, const char *rest, bool is_url, struct error *err)
{
	size_t len = is_url ? strcspn(rest, "?#") : strlen(rest), n;
	struct buf base = {.max = ENDPOINT_MAX};
	enum status status = put_endpoint(&base, err);

	out->source = PULL_HUB;
	if (!status)
		status = take_quant(out, rest, &len, err);
	while (len && rest[len - 1] == '/')
		len--;
	n = part_len(rest, len);
	if (n < len)
		n += 1 + part_len(rest + n + 1, len - n - 1);
	if (!status && !is_repository(rest, n))
		status = error_set(err, STATUS_USAGE, "'%.*s' is not the name of a repository: OWNER/REPO is wanted, as in "
		                   "unsloth/Qwen3.5-4B-GGUF:Q4_K_M", (int)(n < 200 ? n : 200), rest);
	if (status) {
		buf_free(&base);
		return status;
	}
	out->base = buf_take(&base, NULL);
	out->repository = name_copy(rest, n, err);
	out->revision = name_copy("main", 4, err);
	if (!out->base || !out->repository || !out->revision)
		return error_no_memory(err, "for the name of a model");
	n += n < len;
	return parse_below(out, rest + n, len - n, is_url, err);
}

void name_put_hub(const struct pull_name *name, struct buf *out)
{
	bool is_main = strcmp(name->revision, "main") == 0;
	bool is_short = is_main && !name->file && !memchr(name->repository, '.', strcspn(name->repository, "/")); /* else a host */

	buf_printf(out, "%s%s", is_short ? "" : "hf.co/", name->repository);
	if (!is_main) {
		buf_puts(out, name->file ? "/resolve/" : "/tree/");
		name_put_encoded(out, name->revision, false);
	}
	if (name->file) {
		buf_putc(out, '/');
		name_put_encoded(out, name->file, true);
	}
	if (name->tag)
		buf_printf(out, ":%s", name->tag);
}
