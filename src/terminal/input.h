/* The input router's decoder: the only reader of terminal bytes. Turns them into keys, mouse events
 * and pastes.
 *
 * A pure function of bytes and time: it reads no file and no clock, and it does not matter how the
 * bytes were divided into feeds. Bracketed paste (?2004) is data, never keys; so is what comes
 * immediately after its end mark, since the mark may have been in what was pasted. A lone Esc is an
 * Esc after INPUT_ESC_MS without a further byte; unknown sequences are dropped whole; a character's
 * bytes are held until it is complete, ill-formed ones become U+FFFD. */
#ifndef SOTTO_TERMINAL_INPUT_H
#define SOTTO_TERMINAL_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "terminal/key.h"

enum {
	INPUT_ESC_MS = 25,       /* an Esc that nothing follows is the key */
	INPUT_SEQUENCE_MS = 250, /* a longer sequence that stops is dropped */
	INPUT_PASTE_MS = 2000,   /* a paste without an end mark ends after this */
	INPUT_PASTE_TAIL_MS = 20, /* what comes this soon after the end mark was pasted too */
	INPUT_SEQUENCE_MAX = 64,
};

enum input_kind { INPUT_KEY, INPUT_MOUSE, INPUT_PASTE, INPUT_FOCUS, INPUT_REPORT };

/* Answers to what terminal/keyboard.h asks. */
enum input_report {
	REPORT_KITTY,    /* CSI ? flags u: it knows the Kitty keyboard protocol */
	REPORT_TERMINAL, /* CSI > type ; ... c: what it is */
};

/* What the emit function is given; `bytes` is valid during the call only. */
struct input_event {
	enum input_kind kind;
	struct key key;
	struct mouse mouse;
	/* INPUT_KEY: the key's own bytes, for readline. INPUT_PASTE: the text,
	 * as it came: neither repaired nor sanitised. */
	const char *bytes;
	size_t len;
	bool focused; /* INPUT_FOCUS: the window has the focus from now on, or lost it */
	enum input_report report; /* INPUT_REPORT */
	uint32_t number;          /* ... and its first number */
	bool cut; /* INPUT_PASTE: longer than LIMIT_MESSAGE; the rest was dropped */
};

typedef void input_emit_fn(void *context, const struct input_event *event);

enum input_state {
	INPUT_GROUND,
	INPUT_ESCAPE,  /* after Esc */
	INPUT_CSI,     /* Esc [ ... */
	INPUT_SS3,     /* Esc O ... */
	INPUT_STRING,  /* Esc P, Esc ] ...: a terminal's answer, up to BEL or Esc \ */
	INPUT_X10,     /* the three bytes of an old mouse report */
	INPUT_UTF8,    /* within a character */
	INPUT_IN_PASTE,
	INPUT_PASTE_TAIL,
};

struct input {
	enum input_state state;
	char seq[INPUT_SEQUENCE_MAX]; /* the unfinished sequence or character, with its Esc */
	size_t n_seq;
	bool overlong;   /* the sequence outgrew seq: dropped at its end */
	bool alt;        /* INPUT_UTF8: an Esc came before the character */
	uint64_t since;  /* when its latest byte came, in ms */
	struct buf paste;
	size_t mark;     /* bytes of a paste mark matched so far */
	char mark_digit; /* 0 or 1, once mark has come to it */
	bool paste_cut;
	input_emit_fn *emit;
	void *context;
};

void input_init(struct input *input, input_emit_fn *emit, void *context);
void input_deinit(struct input *input);

void input_feed(struct input *input, const char *bytes, size_t n, uint64_t now_ms);
/* When input_expire has to be called, in ms; UINT64_MAX for never. */
uint64_t input_deadline(const struct input *input);
/* Time has passed, and nothing waits to be read: ends a lone Esc or a paste without an end mark. */
void input_expire(struct input *input, uint64_t now_ms);

#endif
