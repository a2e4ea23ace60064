/* The situations in which the chat is looked at: for the goldens, and for README's pictures. Each
 * is the same every time: no model but the synthetic one, chats with fixed names and dates. */
#ifndef SOTTO_SCREEN_SCENES_H
#define SOTTO_SCREEN_SCENES_H

#include "screen/chat.h"

struct scene {
	const char *name;
	const char *model; /* "synthetic:..."; NULL: as SCENE_MODEL */
	const char *theme; /* NULL: the caller's */
	bool is_guide;     /* no model is named: the guide, and an offer to fetch one */
	bool pulls;        /* a server with published models runs */
	bool resumes;      /* the sample conversation is on the screen; otherwise an empty chat */
	const char *first; /* what is waited for before anything is said; NULL: that the model is ready */
	const char *say;   /* a message, after which `then` is waited for; NULL: none */
	const char *then;
	const char *keys;  /* pressed one after the other; NULL: none */
	const char *shows; /* what is to be seen at the end */
	bool keeps_list;   /* a list of candidates, which the next key would end */
	unsigned masks;    /* enum scene_mask */
};

enum scene_mask {
	MASK_NUMBERS = 1 << 0, /* all numbers in the picture: they depend on the machine */
	MASK_FOOT = 1 << 1,    /* what a list says of its selected row: paths */
};

extern const struct scene scenes[];
extern const size_t scenes_n;

/* Brings the program there. */
struct screen *scene_open(const struct scene *scene, int rows, int cols, const char *theme);
/* Takes out of the picture what is not the same every time: the speed, and what `masks` says. */
void scene_mask(struct screen *s, const struct scene *scene);

#endif
