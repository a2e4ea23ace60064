/* What a message says, in all forms: a text, parts, objects that hold one. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/limits.h"
#include "base/text_ends.h"
#include "base/words.h"
#include "import/reading.h"

/* Types of parts and of files, in lower case. */
static const struct {
	enum import_kind kind;
	const char *types;
} kinds[] = {
	{IMPORT_IMAGES,
     "image image_url input_image output_image image_file imagefile imageurl image_asset_pointer "
     "inlinedata inline_data driveimage image_generation_call"},
	{IMPORT_SOUNDS,
     "audio input_audio output_audio audiofile audio_url audio_asset_pointer video video_url "
     "input_video drivevideo driveaudio videofile real_time_user_audio_video_asset_pointer"},
	{IMPORT_OTHER_FILES, "file input_file document pdf pdffile filedata file_data drivedocument "
			 "collection hash base64"},
	{IMPORT_TOOL_CALLS, "tool_use server_tool_use mcp_tool_use tool_call toolcall tool-call "
			"function_call functioncall "
			"toolcallrequest executablecode executable_code tool-invocation"},
	{IMPORT_TOOL_RESULTS,
     "tool_result toolresult tool-result function_call_output functionresponse "
     "function_response toolcallresult codeexecutionresult execution_output"},
};
static const char reasoning_types[] = "thinking reasoning thought thoughts reasoning_text";

void content_lower(char *to, size_t size, const char *text)
{
	size_t n = 0;

	for (; n + 1 < size && text[n]; n++)
		to[n] = (char)(text[n] >= 'A' && text[n] <= 'Z' ? text[n] + ('a' - 'A') : text[n]);
	to[n] = '\0';
}

enum import_kind content_kind(const char *type)
{
	char name[48];

	content_lower(name, sizeof name, type);
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (words_have(kinds[i].types, name, strlen(name)))
			return kinds[i].kind;
	if (text_ends(name, "_call"))
		return IMPORT_TOOL_CALLS;
	return text_ends(name, "_result") || text_ends(name, "_output") ? IMPORT_TOOL_RESULTS
									: IMPORT_N_KINDS;
}

static void append(struct reading *reading, struct buf *to, const char *text, size_t len,
		   const char *between)
{
	if (to->len && len)
		buf_puts(to, between);
	if (buf_append(to, text, len))
		reading_fail(reading, buf_status(to));
}

/* Keys of a part's texts in this order, so that headings of reasoning (summary) come first. */
static const char text_keys[] =
	"text value summary content parts refusal thinking reasoning thoughts transcript result";
static const char reasoning_keys[] = "thinking reasoning thoughts";

/* Of a file: "a.txt". */
static void put_file(struct reading *reading, struct import_message *message,
		     const struct value *file)
{
	const char *type = member_text(file, "type mime file_type mimeType"),
		   *name = member_text(file, "name file_name fileName filename title");
	const struct value *inner = member_get(file, "file");
	const struct value *text =
	    member_get(file, "content extracted_content extractedContent text");
	enum import_kind kind = type ? content_kind(type) : IMPORT_N_KINDS;

	if (type && strncasecmp(type, "image/", 6) == 0)
		kind = IMPORT_IMAGES;
	if (!text)
		text = member_get(member_get(inner, "data"), "content");
	if (!text && json_is(member_get(member_get(file, "source"), "type"), "text"))
		text = member_get(member_get(file, "source"), "data");
	if (file->kind == JSON_STRING)
		kind = IMPORT_IMAGES; /* Ollama's */
	if (text && text->kind == JSON_STRING && text->len) {
		if (!message->files && (message->files = malloc(sizeof *message->files)))
			attached_init(message->files);
		if (message->files && attached_add(message->files, name ? name : "file", text->text,
						   text->len, NULL) == STATUS_OK) {
			if (member_text(file, "base64Data base64Url") ||
			    json_is_list(member_get(file, "images")))
				reading_count(reading, IMPORT_OTHER_FILES,
					      1); /* its text is there, but the file is more */
			return;
		}
	}
	reading_count(reading, kind == IMPORT_N_KINDS ? IMPORT_OTHER_FILES : kind, 1);
}

void content_put_files(struct reading *reading, struct import_message *message,
		       const struct value *files)
{
	if (json_is_list(files))
		for (const struct value *file = files->first; file; file = file->next)
			content_put_files(reading, message, file);
	else if (files &&
	         (files->kind == JSON_OBJECT || (files->kind == JSON_STRING && files->len)))
		put_file(reading, message, files);
}

static void put(struct reading *reading, struct import_message *message, const struct value *value,
		bool is_reasoning, const char *between);

/* All texts of a part: reasoning as it comes; of the others the first, the rest is counted unless it says
 * the same. */
static void put_texts(struct reading *reading, struct import_message *message,
		      const struct value *part, bool is_reasoning, const char *between)
{
	const size_t before = message->text.len;
	const char *keys = text_keys;

	for (size_t len; words_list_next(&keys, &len); keys += len) {
		const struct value *value = member_named(part, keys, len);
		const bool as_reasoning = is_reasoning || words_have(reasoning_keys, keys, len);

		if (!value)
			continue;
		if (as_reasoning || message->text.len == before)
			put(reading, message, value, as_reasoning, as_reasoning ? "\n\n" : between);
		else
			content_count_other(reading, &message->text, value, false);
	}
}

static void put_part(struct reading *reading, struct import_message *message,
		     const struct value *part, bool is_reasoning, const char *between)
{
	const char *type = member_text(part, "type content_type");
	enum import_kind kind = type ? content_kind(type) : IMPORT_N_KINDS;
	char name[48] = "";

	for (const struct value *member = part->first; !type && member && kind == IMPORT_N_KINDS;
	     member = member->next)
		kind = content_kind(member->key);
	if (type)
		content_lower(name, sizeof name, type);
	if (kind == IMPORT_OTHER_FILES) {
		put_file(reading, message, part);
	} else if (kind != IMPORT_N_KINDS) {
		reading_count(reading, kind, 1);
	} else if (member_has(part, text_keys)) {
		is_reasoning |= words_have(reasoning_types, name, strlen(name)) ||
			      json_is_true(member_get(part, "thought isThought"));
		put_texts(reading, message, part, is_reasoning, between);
	} else {
		reading_count(reading, IMPORT_UNKNOWN_PARTS, 1);
	}
}

static void put(struct reading *reading, struct import_message *message, const struct value *value,
		bool is_reasoning, const char *between)
{
	bool was_text = true; /* of parts, texts follow each other as they are */

	switch (value->kind) {
	case JSON_NULL:
		break;
	case JSON_STRING:
		append(reading, is_reasoning ? &message->reasoning : &message->text, value->text,
		       value->len, between);
		break;
	case JSON_OBJECT:
		put_part(reading, message, value, is_reasoning, between);
		break;
	case JSON_ARRAY:
		for (const struct value *part = value->first; part; part = part->next) {
			size_t before = message->text.len;

			put(reading, message, part, is_reasoning,
			    is_reasoning || !was_text ? "\n\n"
			    : part == value->first  ? between
						    : "");
			was_text = message->text.len > before;
		}
		break;
	default:
		reading_count(reading, IMPORT_UNKNOWN_PARTS, 1);
	}
}

void content_put(struct reading *reading, struct import_message *message,
                 const struct value *content, bool is_reasoning)
{
	put(reading, message, content, is_reasoning, "\n\n");
}

/* Without blanks and marks of code, and what Claude writes in `text` for parts of `content` that are no texts. */
static void squeeze(struct buf *out, const char *text, size_t len)
{
	static const char unsupported[] = "Thisblockisnotsupportedonyourcurrentdeviceyet.";
	const size_t n = sizeof unsupported - 1;

	for (size_t i = 0; i < len; i++) {
		if (words_is_blank(text[i]) || text[i] == '`')
			continue;
		buf_putc(out, text[i]);
		if (out->len >= n && memcmp(out->data + out->len - n, unsupported, n) == 0)
			buf_remove(out, out->len - n, n);
	}
}

bool content_says_nothing_new(struct reading *reading, const struct buf *said, const char *other, size_t len)
{
	struct buf a = {.max = LIMIT_MESSAGE}, b = {.max = LIMIT_MESSAGE};
	bool nothing;

	squeeze(&a, buf_text(said), said->len);
	squeeze(&b, other, len);
	if (buf_status(&a) || buf_status(&b))
		reading_fail(reading, STATUS_NOMEM);
	nothing = !b.len || memmem(buf_text(&a), a.len, b.data, b.len);
	buf_free(&a);
	buf_free(&b);
	return nothing;
}

void content_count_other(struct reading *reading, const struct buf *text, const struct value *value,
                         bool is_reasoning)
{
	struct import_message other = {.text = {.max = LIMIT_MESSAGE},
	                               .reasoning = {.max = LIMIT_MESSAGE}};
	const struct buf *said = is_reasoning ? &other.reasoning : &other.text;

	content_put(reading, &other, value, is_reasoning);
	if (!content_says_nothing_new(reading, text, buf_text(said), said->len))
		reading_count(reading, IMPORT_OTHER_TEXTS, 1);
	message_free(&other);
}

struct import_message *draft_say(struct reading *reading, struct import_draft *draft,
				  enum role role, const struct value *text)
{
	struct import_message *message =
	    text && !(text->kind == JSON_STRING && !text->len) ? draft_add(reading, draft) : NULL;

	if (message) {
		message->role = role;
		content_put(reading, message, text, false);
		if (role == ROLE_ASSISTANT)
			content_split_reasoning(reading, message);
		message->is_left_out = !message->text.len && !message->reasoning.len;
	}
	return message;
}

void content_count_calls(struct reading *reading, const struct value *calls, enum import_kind kind)
{
	if (json_is_list(calls))
		reading_count(reading, kind, calls->len);
	else if (calls &&
	         (calls->kind == JSON_OBJECT ||
	          (calls->kind == JSON_STRING && calls->len && strcmp(calls->text, "[]") != 0)))
		reading_count(reading, kind, 1);
}
