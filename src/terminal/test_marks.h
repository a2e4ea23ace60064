/* For tests, where $SOTTO_TEST_MARKS is set: marks in what is written, so that whoever reads it knows
 * which bytes are a frame, and which frame answers a key, without a clock. They are APC strings, which
 * terminals ignore:
 *
 *   sotto:frame       a frame begins
 *   sotto:end:N       it has ended, and shows what the first N bytes of input have led to
 *   sotto:away        the terminal is somebody else's from here on
 *   sotto:back:N      it is ours again; N bytes were read so far */
#ifndef SOTTO_TERMINAL_TEST_MARKS_H
#define SOTTO_TERMINAL_TEST_MARKS_H

#include <stdbool.h>
#include <stdint.h>

struct test_marks {
	bool on;
	uint64_t n_read;  /* bytes of input; whoever reads counts them */
	uint64_t n_taken; /* of those, what is decoded, down to the last sequence */
	uint64_t n_told;  /* in the last mark */
};

void test_marks_init(struct test_marks *marks);

/* Whether a frame is due only to tell that input was taken. */
bool test_marks_are_due(const struct test_marks *marks);

/* Each writes its mark; between frames nothing of curses' is held back. */
void test_marks_begin(struct test_marks *marks);
void test_marks_end(struct test_marks *marks);
void test_marks_leave(struct test_marks *marks);
void test_marks_return(struct test_marks *marks);

#endif
