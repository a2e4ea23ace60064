check_PROGRAMS += tests/unit/turn/test_turn
TESTS += tests/unit/turn/test_turn
tests_unit_turn_test_turn_SOURCES = \
	tests/unit/turn/test_bias_word.c tests/unit/turn/test_difference.c tests/unit/turn/test_event.c tests/unit/turn/test_turn.c
tests_unit_turn_test_turn_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_turn_test_turn_LDADD = src/turn/libturn.a src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)
