/* Any bytes from a terminal, in any pieces and at any pace: through the
 * decoder into readline and the layout of the input line. */
#include <string.h>

#include <readline/history.h>
#include <readline/readline.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "fuzz/fuzz.h"
#include "line/input_line.h"
#include "terminal/input.h"
#include "terminal/key.h"
#include "terminal/term.h"

/* Readline itself loses a few bytes when half a key sequence is given up. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libreadline";
}

/* What one decoding gave, to compare it with another. */
struct recording {
	struct buf text;
	bool to_line; /* give the keys to the input line too */
};

static size_t n_submitted;

static void on_submit(void *context, const char *line)
{
	(void)context;
	(void)line;
	n_submitted++;
}

static void on_edit(void *context)
{
	(void)context;
}

static void on_input(void *context, const struct input_event *event)
{
	struct recording *recording = context;
	size_t before = n_submitted;
	char name[KEY_TEXT_MAX];

	buf_append(&recording->text, &event->kind, sizeof event->kind);
	switch (event->kind) {
	case INPUT_KEY:
		FUZZ_CHECK(event->key.name > K_NONE && event->key.name < K_NAME_COUNT);
		FUZZ_CHECK(event->key.name != K_CHAR || event->key.cp >= 0x20);
		FUZZ_CHECK(event->len > 0 && utf8_valid(event->bytes, event->len));
		buf_puts(&recording->text, key_text(event->key, name));
		/* Counts of more than a digit only take time: 999 of what 999 made. */
		if (recording->to_line &&
		    !(RL_ISSTATE(RL_STATE_NUMERICARG) && event->key.cp >= '0' && event->key.cp <= '9'))
			input_line_key(event->key, event->bytes, event->len);
		/* So do long lines: what is yanked doubles, and a search shows all of it. */
		if (recording->to_line && rl_end > 4096)
			input_line_clear();
		break;
	case INPUT_MOUSE:
		FUZZ_CHECK(event->mouse.y >= 0 && event->mouse.x >= 0);
		FUZZ_CHECK(event->mouse.button >= 0 && event->mouse.button <= 3);
		buf_append(&recording->text, &event->mouse.x, sizeof event->mouse.x);
		break;
	case INPUT_FOCUS: break;
	case INPUT_REPORT:
		buf_append(&recording->text, &event->number, sizeof event->number);
		break;
	case INPUT_PASTE:
		FUZZ_CHECK(event->len > 0 && event->len <= LIMIT_MESSAGE);
		buf_append(&recording->text, event->bytes, event->len);
		if (recording->to_line && input_line_insert(event->bytes, event->len, NULL))
			input_line_clear();
		FUZZ_CHECK(n_submitted == before); /* a paste never sends */
		break;
	}
}

static void start(void)
{
	static const struct input_line_config config = {.submit = on_submit, .edit = on_edit};
	static bool started;

	if (started)
		return;
	started = true;
	/* Nothing of the user's: no inputrc, no files to complete. */
	FUZZ_CHECK(setenv("INPUTRC", "/dev/null", 1) == 0);
	FUZZ_CHECK(setenv("HOME", "/nonexistent", 1) == 0);
	term_set_locale();
	FUZZ_CHECK(input_line_open(&config, NULL) == STATUS_OK);
	add_history("an entry to be found");
}

/* The first byte says into which pieces the rest is cut. */
static void decode(const uint8_t *bytes, size_t n, size_t step, struct recording *recording)
{
	struct input input;
	uint64_t now = 1;

	buf_init(&recording->text, MIB(64));
	input_init(&input, on_input, recording);
	for (size_t at = 0; at < n; at += step)
		input_feed(&input, (const char *)bytes + at, n - at < step ? n - at : step, now);
	while (input_deadline(&input) != UINT64_MAX) {
		FUZZ_CHECK(input_deadline(&input) > now);
		input_expire(&input, now = input_deadline(&input));
	}
	FUZZ_CHECK(input.state == INPUT_GROUND || input.state == INPUT_UTF8);
	input_deinit(&input);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct recording whole = {.to_line = false}, pieces = {.to_line = true};
	size_t len;
	const char *line;

	start();
	if (n == 0)
		return 0;
	decode(bytes + 1, n - 1, n, &whole);
	decode(bytes + 1, n - 1, 1 + bytes[0] % 16, &pieces);
	FUZZ_CHECK(whole.text.len == pieces.text.len);
	FUZZ_CHECK(memcmp(buf_text(&whole.text), buf_text(&pieces.text), whole.text.len) == 0);
	line = input_line_text(&len);
	FUZZ_CHECK(strlen(line) == len || memchr(line, '\0', len));
	for (int width = 1; width < 40; width += 13)
		FUZZ_CHECK(input_line_rows(width, 4) >= 1 && input_line_rows(width, 4) <= 4);
	input_line_clear();
	FUZZ_CHECK(input_line_is_empty());
	buf_free(&whole.text);
	buf_free(&pieces.text);
	return 0;
}
