/* Texts of persons as ids: names of control tokens in them are cut, since vLLM and SGLang cannot be told not to match
 * them. They are cut all at once, or one after the other where that does not come out so. */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "remote/vllm.h"

enum {
	PARTS_MAX = 1000, /* that one text is cut into; each takes a request */
	PART_BYTES = 128 << 10,
	DISTINCT_MAX = 32, /* names of control tokens in a part */
};

/* Control tokens that an answer has, each once. */
struct names {
	int32_t ids[DISTINCT_MAX];
	size_t n;
	bool overflows;
};

static const char *name_of(const struct outside *known, int32_t id, size_t *len)
{
	const char *bytes = outside_piece(known, id, len);

	return bytes && vllm_is_marker(bytes, *len) ? bytes : NULL;
}

static bool has_id(const struct names *names, int32_t id)
{
	for (size_t i = 0; i < names->n; i++)
		if (names->ids[i] == id)
			return true;
	return false;
}

/* What stands for a character that is in no vocabulary is there without being in the text. */
static bool is_unknown(const char *bytes, size_t len)
{
	return len == 5 && (memcmp(bytes, "<unk>", 5) == 0 || memcmp(bytes, "[UNK]", 5) == 0);
}

/* STATUS_UNSUPPORTED: one is spelled otherwise in the text, so that it cannot be cut. */
static enum status find_names(const struct vllm_told *told, const struct outside_ask *of,
                              const struct outside *known, struct names *names, struct error *err)
{
	names->n = 0;
	names->overflows = false;
	for (size_t i = 0; i < told->ids.n; i++) {
		int32_t id = told->ids.ids[i];
		size_t len;
		const char *bytes = name_of(known, id, &len);

		if (!bytes || has_id(names, id))
			continue;
		if (!memmem(of->text, of->len, bytes, len) && is_unknown(bytes, len))
			continue;
		if (!memmem(of->text, of->len, bytes, len))
			return error_set(err, STATUS_UNSUPPORTED,
			                 "a text would become the control token %.40s", bytes);
		names->overflows = names->n == DISTINCT_MAX;
		if (names->overflows)
			break;
		names->ids[names->n++] = id;
	}
	return STATUS_OK;
}

/* After how many bytes a text has to be cut, so that the first of these names in it is none. */
static size_t first_cut(const struct names *names, const struct outside_ask *of,
                        const struct outside *known)
{
	size_t cut = of->len;

	for (size_t i = 0; i < names->n; i++) {
		size_t len;
		const char *bytes = name_of(known, names->ids[i], &len);
		const char *at = memmem(of->text, of->len, bytes, len);

		if (at && (size_t)(at - of->text) + 1 < cut)
			cut = (size_t)(at - of->text) + 1;
	}
	return cut;
}

static bool begins_name(const struct names *names, const struct outside *known, const char *text,
                        size_t n)
{
	for (size_t i = 0; i < names->n && (*text == '<' || *text == '['); i++) {
		size_t len;
		const char *bytes = name_of(known, names->ids[i], &len);

		if (len <= n && memcmp(text, bytes, len) == 0)
			return true;
	}
	return false;
}

/* The text with the first name within each name of it; how often is returned. */
static size_t cut_all(const struct names *names, const struct outside_ask *of,
                      const struct outside *known, struct buf *out)
{
	size_t n = 0, len;
	const char *separator = name_of(known, names->ids[0], &len);

	for (size_t i = 0; i < of->len; i++) {
		buf_putc(out, of->text[i]);
		if (begins_name(names, known, of->text + i, of->len - i)) {
			buf_append(out, separator, len);
			n++;
		}
	}
	return n;
}

/* Cuts a text within all names at once, with a control token in each place, which stands by itself wherever it is and
 * is taken out of the ids. *done false: it did not come out so. */
static enum status tokenise_cut(struct vllm *vllm, const struct names *names,
                                const struct outside_ask *of, struct outside *known,
                                struct token_list *ids, bool *done, struct error *err)
{
	struct buf text = {.max = 64 * (size_t)PART_BYTES};
	size_t n_cuts = cut_all(names, of, known, &text), n = 0, before = ids->n, len;
	struct vllm_told told = {.n_pieces = 0};
	enum status status = buf_status(&text) ? error_no_memory(err, "for the prompt") : STATUS_OK;

	if (!status)
		status = vllm_ask_ids(vllm, text.data, text.len, 0, &told, err);
	if (!status)
		status = vllm_learn(vllm, &told, known, err);
	*done = !status;
	for (size_t i = 0; i < told.ids.n && *done; i++) {
		if (told.ids.ids[i] == names->ids[0])
			n++;
		else if (name_of(known, told.ids.ids[i], &len))
			*done = false;
		else if (token_list_push(ids, told.ids.ids[i]))
			status = error_no_memory(err, "for the prompt");
	}
	*done = *done && n == n_cuts;
	if (!*done)
		ids->n = before;
	vllm_told_free(&told);
	buf_free(&text);
	return status;
}

/* Where a request's text ends that begins at `at`: a long one is divided behind a line, for the answer, which is
 * several times as long, has its limit. */
static size_t part_end(const struct outside_ask *of, size_t at)
{
	const char *text = of->text + at;
	size_t len = of->len - at, end;

	if (len <= PART_BYTES)
		return of->len;
	end = utf8_cut(text, len, PART_BYTES);
	for (size_t line = end; line > PART_BYTES / 2; line--)
		if (text[line - 1] == '\n')
			return at + line;
	return at + end;
}

/* A text of a person: no control token comes of it. *cut: less than its length if only so much of it is to be tried. */
static enum status tokenise_part(struct vllm *vllm, const struct outside_ask *part,
                                 struct outside *known, struct token_list *ids, size_t *cut,
                                 struct error *err)
{
	struct vllm_told told;
	struct names names = {.n = 0};
	bool done = false;
	enum status status = vllm_ask_ids(vllm, part->text, part->len, 0, &told, err);

	*cut = part->len;
	if (!status)
		status = vllm_learn(vllm, &told, known, err);
	if (!status)
		status = find_names(&told, part, known, &names, err);
	if (!status && names.n > 0 && !names.overflows)
		status = tokenise_cut(vllm, &names, part, known, ids, &done, err);
	if (!status && names.n > 0 && !done)
		*cut = first_cut(&names, part, known);
	else if (!status && names.n == 0 && token_list_append(ids, told.ids.ids, told.ids.n))
		status = error_no_memory(err, "for the prompt");
	vllm_told_free(&told);
	return status;
}

enum status vllm_tokenise_plain(struct vllm *vllm, struct outside_ask *of, struct outside *known,
                                struct error *err)
{
	size_t at = 0, end = part_end(of, 0);
	enum status status = STATUS_OK;

	for (size_t n = 0; at < of->len && !status; n++) {
		const struct outside_ask part = {.text = of->text + at, .len = end - at};
		size_t cut;

		if (n == PARTS_MAX)
			return error_set(err, STATUS_LIMIT,
			                 "the text has too many names of control tokens");
		status = tokenise_part(vllm, &part, known, &of->ids, &cut, err);
		if (!status && cut < part.len) {
			end = at + cut;
		} else {
			at = end;
			end = part_end(of, at);
		}
	}
	return status;
}
