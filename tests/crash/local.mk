# Programs that kill or race the writers of transcripts; plain ones, so that a
# killed process is the subject and not the runner.
crash_libs = $(CHAT_LIBS) src/sampler/libsampler.a src/config/libconfig.a src/base/libbase.a \
	$(YAML_LIBS) $(UNISTRING_LIBS)
check_PROGRAMS += tests/crash/test_kill tests/crash/test_writers
TESTS += tests/crash/test_kill tests/crash/test_writers
tests_crash_test_kill_SOURCES = tests/crash/test_kill.c
tests_crash_test_kill_LDADD = $(crash_libs)
tests_crash_test_writers_SOURCES = tests/crash/test_writers.c
tests_crash_test_writers_LDADD = $(crash_libs)
