#include "terminal/input.h"

#include <string.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "terminal/key_codes.h"

enum { ESC = 0x1b, DEL = 0x7f, BEL = 7, CAN = 0x18, SUB = 0x1a };

/* Both marks of a paste begin like this; "0~" completes the start, "1~" the end. */
static const char paste_mark[] = "\033[20";
enum { PASTE_MARK_LEN = sizeof paste_mark - 1 };

void input_init(struct input *input, input_emit_fn *emit, void *context)
{
	*input = (struct input){.paste = {.max = LIMIT_MESSAGE}, .emit = emit, .context = context};
}

void input_deinit(struct input *input)
{
	buf_free(&input->paste);
}

static void emit_key(struct input *input, struct key key, const char *bytes, size_t len)
{
	struct input_event event = {.kind = INPUT_KEY, .key = key, .bytes = bytes, .len = len};

	if (key.name != K_NONE)
		input->emit(input->context, &event);
}

/* Numbers of a sequence: "1;5" -> {1, 5}. Of what follows a colon, only the first one's is kept: in
 * "44:60;4", 60, the character that the key stands for with Shift. */
enum { PARAMS_MAX = 4, PARTS_MAX = 3 };
struct params {
	uint32_t v[PARAMS_MAX];
	size_t n;
	uint32_t parts[PARTS_MAX]; /* of v[0], which is the first of them */
};

static struct params parse_params(const char *p, const char *end)
{
	struct params params = {.n = 1};
	size_t part = 0;

	for (; p < end; p++) {
		if (*p == ';') {
			part = 0;
			if (params.n++ == PARAMS_MAX)
				return (struct params){.n = 0};
		} else if (*p == ':') {
			part++;
		} else if (*p >= '0' && *p <= '9') {
			uint32_t skipped = 0, digit = (uint32_t)(*p - '0');
			uint32_t *v = part == 0 ? &params.v[params.n - 1]
			              : params.n == 1 && part < PARTS_MAX ? &params.parts[part] : &skipped;

			if (*v < 100000000)
				*v = *v * 10 + digit;
		} else {
			return (struct params){.n = 0};
		}
	}
	params.parts[0] = params.v[0];
	return params;
}

static void emit_code_point(struct input *input, const uint32_t parts[PARTS_MAX], uint32_t mods)
{
	char bytes[KEY_CODES_BYTES];
	struct key key;
	size_t n = key_codes_point(&key, parts[0], parts[1], parts[2], mods, bytes);

	if (n)
		emit_key(input, key, bytes, n);
}

static void emit_mouse(struct input *input, uint32_t code, uint32_t x, uint32_t y, bool release)
{
	struct input_event event = {.kind = INPUT_MOUSE};
	struct mouse *mouse = &event.mouse;

	if (x < 1 || y < 1 || x > 10000 || y > 10000)
		return;
	mouse->x = (int)x - 1;
	mouse->y = (int)y - 1;
	mouse->mods = code >> 2 & (MOD_SHIFT | MOD_ALT | MOD_CTRL);
	if (code & 64) {
		if ((code & 3) > 1)
			return; /* sideways */
		mouse->kind = code & 1 ? MOUSE_WHEEL_DOWN : MOUSE_WHEEL_UP;
	} else {
		if ((code & 3) == 3 && code & 32)
			return; /* moved without a button */
		mouse->button = (int)(code & 3) + 1;
		if (mouse->button > 3) { /* old reports do not say which was released */
			mouse->button = 1;
			release = true;
		}
		mouse->kind = release ? MOUSE_RELEASE : code & 32 ? MOUSE_DRAG : MOUSE_PRESS;
	}
	input->emit(input->context, &event);
}

static void back_to_ground(struct input *input)
{
	input->state = INPUT_GROUND;
	input->n_seq = 0;
	input->overlong = false;
	input->alt = false;
}

static void begin_paste(struct input *input)
{
	back_to_ground(input);
	buf_clear(&input->paste);
	input->paste_cut = false;
	input->mark = 0;
	input->state = INPUT_IN_PASTE;
}

/* What the terminal has been asked: its first number is the answer. */
static void emit_report(struct input *input, enum input_report report, const char *seq, size_t n)
{
	struct params params = parse_params(seq + 3, seq + n - 1);
	struct input_event event = {.kind = INPUT_REPORT, .report = report, .number = params.v[0]};

	if (params.n)
		input->emit(input->context, &event);
}

/* A whole "Esc [ ... final". */
static void finish_csi(struct input *input)
{
	char *seq = input->seq; /* nothing is written there before the next byte comes */
	size_t n = input->n_seq;
	char final = seq[n - 1], private = seq[2];
	struct key key = {.name = K_NONE};
	bool overlong = input->overlong;
	struct params params;

	back_to_ground(input);
	if (overlong)
		return;
	if (private == '<' && (final == 'M' || final == 'm')) {
		params = parse_params(seq + 3, seq + n - 1);
		if (params.n == 3)
			emit_mouse(input, params.v[0], params.v[1], params.v[2], final == 'm');
		return;
	}
	if ((private == '?' && final == 'u') || (private == '>' && final == 'c')) {
		emit_report(input, final == 'u' ? REPORT_KITTY : REPORT_TERMINAL, seq, n);
		return;
	}
	if (private == '[') { /* the Linux console's F1 to F5 */
		if (final >= 'A' && final <= 'E')
			key.name = (enum key_name)(K_F1 + (final - 'A'));
		emit_key(input, key, seq, n);
		return;
	}
	if (n == 3 && (final == 'I' || final == 'O')) {
		struct input_event event = {.kind = INPUT_FOCUS, .focused = final == 'I'};

		input->emit(input->context, &event);
		return;
	}
	params = parse_params(seq + 2, seq + n - 1);
	if (params.n == 0)
		return;
	if (final == 'u') {
		emit_code_point(input, params.parts, params.v[1]);
		return;
	}
	if (final == '~') {
		if (params.v[0] == 200 && params.n == 1) {
			begin_paste(input);
			return;
		}
		if (params.v[0] == 27 && params.n == 3) {
			const uint32_t parts[PARTS_MAX] = {params.v[2]};

			emit_code_point(input, parts, params.v[1]);
			return;
		}
		key.name = key_codes_tilde(params.v[0]);
	} else {
		key.name = key_codes_letter(final);
	}
	key.mods = key_codes_mods(params.v[1]);
	if (final == 'Z')
		key.mods |= MOD_SHIFT;
	/* A cursor position report looks like F3 with a row and a column. */
	if (final == 'R' && params.n > 1 && (params.v[0] != 1 || params.v[1] > 16))
		return;
	if (params.v[1] > KEY_CODES_MODS_MAX) /* Caps Lock or Num Lock is on, which readline knows nothing of */
		n = key_codes_write(key, seq);
	emit_key(input, key, seq, n);
}

static void finish_ss3(struct input *input)
{
	static const char keypad[] = "*+,-./0123456789";
	const char *seq = input->seq;
	size_t n = input->n_seq;
	char final = seq[n - 1];
	struct key key = {.name = K_NONE};
	bool overlong = input->overlong;

	back_to_ground(input);
	if (overlong)
		return;
	if (final == 'M') {
		emit_key(input, (struct key){.name = K_ENTER}, "\r", 1);
	} else if (final >= 'j' && final <= 'y') {
		const char *digit = &keypad[final - 'j'];

		emit_key(input, (struct key){K_CHAR, 0, (uint32_t)*digit}, digit, 1);
	} else {
		key.name = key_codes_letter(final);
		if (n > 3) /* Esc O 5 P */
			key.mods = key_codes_mods((uint32_t)(seq[2] - '0'));
		emit_key(input, key, seq, n);
	}
}

static void push(struct input *input, unsigned char byte)
{
	if (input->n_seq == sizeof input->seq) {
		input->overlong = true;
		input->n_seq--;
	}
	input->seq[input->n_seq++] = (char)byte;
}

static void step(struct input *input, unsigned char byte);

/* Looks whether the character is complete, ill-formed, or needs more bytes. */
static void step_utf8(struct input *input)
{
	const unsigned mods = input->alt ? MOD_ALT : 0;
	size_t off = input->alt, n = input->n_seq - off, taken;
	char rest[UTF8_MAX];
	int32_t cp;

	taken = utf8_decode(input->seq + off, n, &cp);
	if (cp == -2)
		return;
	memcpy(rest, input->seq + off + taken, n - taken);
	back_to_ground(input);
	if (cp < 0)
		emit_key(input, (struct key){K_CHAR, mods, UTF8_REPLACEMENT},
		         mods ? "\033\357\277\275" : "\357\277\275", 3 + off);
	else if (cp >= 0xa0) /* C1 controls are no keys */
		emit_key(input, (struct key){K_CHAR, mods, (uint32_t)cp}, input->seq, off + taken);
	for (size_t i = 0; i < n - taken; i++)
		step(input, (unsigned char)rest[i]);
}

static void step_ground(struct input *input, unsigned char byte)
{
	char c = (char)byte;

	if (byte == ESC) {
		push(input, byte);
		input->state = INPUT_ESCAPE;
	} else if (byte < 0x80) {
		emit_key(input, key_codes_ascii(byte), &c, 1);
	} else {
		push(input, byte);
		input->state = INPUT_UTF8;
		step_utf8(input);
	}
}

static void step_escape(struct input *input, unsigned char byte)
{
	struct key key;

	switch (byte) {
	case '[':
	case 'O':
		push(input, byte);
		input->state = byte == '[' ? INPUT_CSI : INPUT_SS3;
		return;
	case 'P':
	case ']':
	case '^':
	case '_':
	case 'X':
		push(input, byte);
		input->state = INPUT_STRING;
		return;
	case ESC: /* the first Esc was the key; the second may begin a sequence */
		back_to_ground(input);
		emit_key(input, (struct key){.name = K_ESC}, "\033", 1);
		step_ground(input, byte);
		return;
	default:
		break;
	}
	if (byte >= 0x80) {
		input->alt = true;
		input->state = INPUT_UTF8;
		push(input, byte);
		step_utf8(input);
		return;
	}
	push(input, byte);
	key = key_codes_ascii(byte);
	key.mods |= MOD_ALT;
	back_to_ground(input);
	emit_key(input, key, input->seq, 2);
}

static void step_csi(struct input *input, unsigned char byte)
{
	if (byte < 0x20 || byte >= DEL) { /* the sequence broke off: drop it, but use this byte */
		back_to_ground(input);
		if (byte != CAN && byte != SUB && byte != DEL)
			step_ground(input, byte);
		return;
	}
	push(input, byte);
	if (input->n_seq == 3 && byte == '[')
		return; /* Esc [ [: one more letter follows */
	if (input->n_seq == 3 && byte == 'M')
		input->state = INPUT_X10;
	else if (byte >= 0x40)
		finish_csi(input);
}

static void step_ss3(struct input *input, unsigned char byte)
{
	if (byte < 0x20 || byte >= DEL) {
		back_to_ground(input);
		step_ground(input, byte);
		return;
	}
	push(input, byte);
	if (byte < '0' || byte > '9')
		finish_ss3(input);
}

static void step_string(struct input *input, unsigned char byte)
{
	bool after_esc = input->n_seq && input->seq[input->n_seq - 1] == ESC;

	if (byte == BEL || byte == CAN || byte == SUB || (after_esc && byte == '\\'))
		back_to_ground(input);
	else if (input->n_seq < 3)
		push(input, byte);
	else
		input->seq[2] = (char)byte; /* only the latest matters */
}

static void step_x10(struct input *input, unsigned char byte)
{
	const unsigned char *b = (const unsigned char *)input->seq + 3;

	push(input, byte);
	if (input->n_seq < 6)
		return;
	back_to_ground(input);
	if (b[0] >= 32 && b[1] > 32 && b[2] > 32)
		emit_mouse(input, b[0] - 32u, b[1] - 32u, b[2] - 32u, false);
}

static void paste_append(struct input *input, const char *bytes, size_t n)
{
	if (buf_append(&input->paste, bytes, n))
		input->paste_cut = true;
}

/* What looked like a mark turns out to be text. */
static void paste_append_mark(struct input *input)
{
	size_t n = input->mark < PASTE_MARK_LEN ? input->mark : PASTE_MARK_LEN;

	paste_append(input, paste_mark, n);
	if (input->mark > PASTE_MARK_LEN)
		paste_append(input, &input->mark_digit, 1);
	input->mark = 0;
}

/* Within the paste or in its tail: marks are taken out, all else is text. */
static void step_paste(struct input *input, unsigned char byte)
{
	char c = (char)byte;

	if (input->mark < PASTE_MARK_LEN ? c == paste_mark[input->mark]
	                                 : input->mark == PASTE_MARK_LEN && (c == '0' || c == '1')) {
		input->mark_digit = c;
		input->mark++;
		return;
	}
	if (input->mark > PASTE_MARK_LEN && c == '~') {
		input->state = input->mark_digit == '1' ? INPUT_PASTE_TAIL : INPUT_IN_PASTE;
		input->mark = 0;
		return;
	}
	/* Esc stands only at a mark's start, so a partial match restarts at
	 * this byte or not at all. */
	paste_append_mark(input);
	if (byte == ESC)
		input->mark = 1;
	else
		paste_append(input, &c, 1);
}

static void finish_paste(struct input *input)
{
	struct input_event event = {.kind = INPUT_PASTE};

	paste_append_mark(input);
	event.cut = input->paste_cut;
	event.bytes = buf_text(&input->paste);
	event.len = input->paste.len;
	back_to_ground(input);
	if (event.len)
		input->emit(input->context, &event);
	buf_free(&input->paste);
}

static void step(struct input *input, unsigned char byte)
{
	switch (input->state) {
	case INPUT_GROUND: step_ground(input, byte); break;
	case INPUT_ESCAPE: step_escape(input, byte); break;
	case INPUT_CSI: step_csi(input, byte); break;
	case INPUT_SS3: step_ss3(input, byte); break;
	case INPUT_STRING: step_string(input, byte); break;
	case INPUT_X10: step_x10(input, byte); break;
	case INPUT_UTF8:
		push(input, byte);
		step_utf8(input);
		break;
	case INPUT_IN_PASTE:
	case INPUT_PASTE_TAIL: step_paste(input, byte); break;
	}
}

/* Esc, or Esc and one letter: what comes later than a key sequence would is another key. A longer one,
 * or a paste, that did not stop while somebody looked goes on, whatever the clock says. */
static bool may_be_a_key(const struct input *input)
{
	return input->state == INPUT_ESCAPE ||
	       ((input->state == INPUT_CSI || input->state == INPUT_SS3) && input->n_seq == 2);
}

void input_feed(struct input *input, const char *bytes, size_t n, uint64_t now_ms)
{
	if (may_be_a_key(input))
		input_expire(input, now_ms);
	for (size_t i = 0; i < n; i++)
		step(input, (unsigned char)bytes[i]);
	if (n)
		input->since = now_ms;
}

uint64_t input_deadline(const struct input *input)
{
	switch (input->state) {
	case INPUT_GROUND:
	case INPUT_UTF8: return UINT64_MAX;
	case INPUT_ESCAPE: return input->since + INPUT_ESC_MS;
	case INPUT_IN_PASTE: return input->since + INPUT_PASTE_MS;
	case INPUT_PASTE_TAIL: return input->since + INPUT_PASTE_TAIL_MS;
	default: return input->since + INPUT_SEQUENCE_MS;
	}
}

void input_expire(struct input *input, uint64_t now_ms)
{
	if (now_ms < input_deadline(input))
		return;
	switch (input->state) {
	case INPUT_ESCAPE:
		back_to_ground(input);
		emit_key(input, (struct key){.name = K_ESC}, "\033", 1);
		break;
	case INPUT_IN_PASTE:
	case INPUT_PASTE_TAIL:
		finish_paste(input);
		break;
	default:
		/* Esc and one letter may also have been an Alt chord. */
		if (input->n_seq == 2)
			emit_key(input, (struct key){K_CHAR, MOD_ALT, (unsigned char)input->seq[1]},
			         input->seq, 2);
		back_to_ground(input);
		break;
	}
}
