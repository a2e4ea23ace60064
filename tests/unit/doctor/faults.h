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
	PLAN_EPSILON, /* what is read from the file */
	PLAN_BASE,
	PLAN_WINDOW,
	BOS_MISSING,
	BOS_DOUBLED,
	N_FAULTS
};

extern enum fault planted;

#endif
