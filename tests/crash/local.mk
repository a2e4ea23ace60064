# Programs that kill or race the writers of transcripts, cut their power or let their calls fail;
# plain ones, so that a killed process is the subject and not the runner.
crash_libs = $(CHAT_LIBS) src/sampler/libsampler.a src/config/libconfig.a src/base/libbase.a \
	$(YAML_LIBS) $(UNISTRING_LIBS)
CRASH_TESTS = tests/crash/test_kill tests/crash/test_writers tests/crash/test_power \
	tests/crash/test_faults
check_PROGRAMS += $(CRASH_TESTS)
TESTS += $(CRASH_TESTS)
tests_crash_test_kill_SOURCES = tests/crash/check.h tests/crash/test_kill.c
tests_crash_test_kill_LDADD = $(crash_libs)
tests_crash_test_writers_SOURCES = tests/crash/check.h tests/crash/test_writers.c
tests_crash_test_writers_LDADD = $(crash_libs)

# Their calls go through tests/crash/disk.c.
disk_wraps = -Wl,--wrap=open,--wrap=write,--wrap=pwrite,--wrap=fdatasync,--wrap=fsync,--wrap=ftruncate \
	-Wl,--wrap=rename,--wrap=link,--wrap=unlink,--wrap=mkdir,--wrap=rmdir,--wrap=close
disk_sources = \
	tests/crash/disk.c tests/crash/disk.h \
	tests/crash/power.c tests/crash/power.h \
	tests/crash/rehearsal.c tests/crash/rehearsal.h \
	tests/crash/scenario.c tests/crash/scenario.h \
	tests/crash/scenario_chats.c tests/crash/scenario_chats.h \
	tests/crash/scenario_files.c tests/crash/scenario_files.h \
	tests/crash/scenario_models.c tests/crash/scenario_models.h
tests_crash_test_power_SOURCES = tests/crash/test_power.c $(disk_sources)
tests_crash_test_power_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests \
	-DTEST_SRCDIR='"$(abs_top_srcdir)"'
tests_crash_test_power_LDFLAGS = $(disk_wraps)
tests_crash_test_power_LDADD = tests/support/libsupport.a $(sotto_LDADD)
tests_crash_test_faults_SOURCES = tests/crash/test_faults.c $(disk_sources)
tests_crash_test_faults_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_crash_test_faults_LDFLAGS = $(disk_wraps)
tests_crash_test_faults_LDADD = tests/support/libsupport.a $(sotto_LDADD)

# Fetching a published model.
if HAVE_CURL
if HAVE_CRYPTO
FETCH_CRASH_TESTS = tests/crash/test_fetch_kill tests/crash/test_fetch_power
check_PROGRAMS += $(FETCH_CRASH_TESTS)
TESTS += $(FETCH_CRASH_TESTS)
fetch_crash_sources = \
	tests/crash/byte_server.c tests/crash/byte_server.h \
	tests/crash/check.h \
	tests/crash/fetching.c tests/crash/fetching.h
tests_crash_test_fetch_kill_SOURCES = tests/crash/test_fetch_kill.c $(fetch_crash_sources)
tests_crash_test_fetch_kill_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_crash_test_fetch_kill_LDADD = tests/support/libsupport.a $(sotto_LDADD)
tests_crash_test_fetch_power_SOURCES = tests/crash/test_fetch_power.c $(fetch_crash_sources) $(disk_sources)
tests_crash_test_fetch_power_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_crash_test_fetch_power_LDFLAGS = $(disk_wraps)
tests_crash_test_fetch_power_LDADD = tests/support/libsupport.a $(sotto_LDADD)
endif
endif
