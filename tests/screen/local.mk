# The real program in a pty, its screen read through libvterm. Plain programs,
# not Criterion: a killed process is the subject here, not the runner.
if HAVE_VTERM
SCREEN_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests -DTEST_SRCDIR='"$(abs_top_srcdir)"' \
	-DTEST_BUILDDIR='"$(abs_top_builddir)"' $(VTERM_CFLAGS)
SCREEN_LIBS = tests/screen/libscreen.a src/base/libbase.a $(VTERM_LIBS) -lutil

check_LIBRARIES += tests/screen/libscreen.a
tests_screen_libscreen_a_SOURCES = \
	tests/screen/checker.c tests/screen/checker.h \
	tests/screen/harness.c tests/screen/harness.h \
	tests/screen/job.c tests/screen/job.h \
	tests/screen/keys.c tests/screen/keys.h \
	tests/screen/runner.c tests/screen/runner.h \
	tests/screen/svg.c tests/screen/svg.h
tests_screen_libscreen_a_CPPFLAGS = $(SCREEN_CPPFLAGS)

SCREEN_TESTS = \
	tests/screen/test_harness
check_PROGRAMS += $(SCREEN_TESTS)
TESTS += $(SCREEN_TESTS)

tests_screen_test_harness_CPPFLAGS = $(SCREEN_CPPFLAGS)
tests_screen_test_harness_LDADD = $(SCREEN_LIBS)

# The README's picture; committed, and made anew on request.
EXTRA_PROGRAMS += tests/screen/screenshot
tests_screen_screenshot_CPPFLAGS = $(SCREEN_CPPFLAGS)
tests_screen_screenshot_LDADD = $(SCREEN_LIBS)
screenshot: sotto$(EXEEXT) tests/screen/screenshot$(EXEEXT)
	tests/screen/screenshot$(EXEEXT) $(abs_top_srcdir)/screenshot.svg $(SCREENSHOT_MODEL)
endif
.PHONY: screenshot
