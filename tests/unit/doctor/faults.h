/* Faults planted in the engine: functions that the linker lets the test replace (--wrap). One at a time. */
#ifndef SOTTO_TESTS_DOCTOR_FAULTS_H
#define SOTTO_TESTS_DOCTOR_FAULTS_H

enum fault {
	NO_FAULT,
	POSITION_ZERO,
	POSITION_CACHE,     /* every token of a batch is rotated by how many were in the cache before it */
	POSITION_CACHE_END, /* ... or behind it */
	OTHER_LAYERS_CACHE,
	PAIRING_SWAPPED,
	BASE_WRONG,
	HEADS_ROTATED,
	WINDOW_LONGER,
	WINDOW_SHORTER,
	SCALE_MISREAD,        /* when blocks are read */
	SCALE_MISREAD_PACKED, /* when they are packed */
	EPSILON_WRONG,
	EXPERTS_SWAPPED,      /* the two best */
	STATE_STAYS,
	/* The same in one place only. */
	OTHER_LAYERS_CACHE_LAST, /* the third layer reads the first one's */
	PAIRING_ONE_HEAD,        /* the last head */
	HEADS_ONE_GROUP,         /* the last group has the first one's keys */
	WINDOW_LAST_LAYER,       /* not the first layer with a window */
	EPSILON_LATER_LAYERS,    /* not the first one's */
	LAST_EXPERT_OTHER,       /* in the place of the last expert the first one computes */
	EXPERTS_SHIFTED,         /* in the place of each expert the next one computes */
	STATE_STAYS_PARTLY,      /* the last of its floats */
	NIBBLES_SWAPPED_Q4_K,    /* halves of a group */
	NORM_WEIGHTS_LEFT_OUT,
	SCALE_MISREAD_Q4_K, OFFSET_MISREAD_Q4_K, SCALE_MISREAD_PACKED_Q4_K, OFFSET_MISREAD_PACKED_Q4_K,
	PLAN_EPSILON, /* what is read from the file */
	PLAN_BASE,
	PLAN_WINDOW,
	BOS_MISSING,
	BOS_DOUBLED,
	N_FAULTS
};

extern enum fault planted;
/* Plants a fault for a model that is opened next. */
void plant(enum fault fault);

#endif
