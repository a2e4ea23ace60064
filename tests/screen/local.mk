# The real program in a pty, its screen read through libvterm. Plain programs,
# not Criterion: a killed process is the subject here, not the runner.
if HAVE_VTERM
SCREEN_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests -DTEST_SRCDIR='"$(abs_top_srcdir)"' \
	-DTEST_BUILDDIR='"$(abs_top_builddir)"' $(VTERM_CFLAGS)
SCREEN_LIBS = tests/screen/libscreen.a src/base/libbase.a $(VTERM_LIBS) -lutil

check_LIBRARIES += tests/screen/libscreen.a
tests_screen_libscreen_a_SOURCES = \
	tests/screen/chat.c tests/screen/chat.h \
	tests/screen/checker.c tests/screen/checker.h \
	tests/screen/copied.c tests/screen/copied.h \
	tests/screen/foreign.c tests/screen/foreign.h \
	tests/screen/harness.c tests/screen/harness.h \
	tests/screen/job.c tests/screen/job.h \
	tests/screen/keys.c tests/screen/keys.h \
	tests/screen/runner.c tests/screen/runner.h \
	tests/screen/svg.c tests/screen/svg.h \
	tests/screen/turns.c tests/screen/turns.h
tests_screen_libscreen_a_CPPFLAGS = $(SCREEN_CPPFLAGS)

# Those that start the program need it built.
SCREEN_TESTS = \
	tests/screen/test_harness \
	tests/screen/test_stream \
	tests/screen/test_input \
	tests/screen/test_end \
	tests/screen/test_attach \
	tests/screen/test_branches \
	tests/screen/test_commands \
	tests/screen/test_context \
	tests/screen/test_continue \
	tests/screen/test_chats \
	tests/screen/test_copy \
	tests/screen/test_drafts \
	tests/screen/test_edit \
	tests/screen/test_find \
	tests/screen/test_first \
	tests/screen/test_goldens \
	tests/screen/test_guide \
	tests/screen/test_guide_replies \
	tests/screen/test_inspect \
	tests/screen/test_keys \
	tests/screen/test_killed \
	tests/screen/test_lines \
	tests/screen/test_markdown \
	tests/screen/test_models \
	tests/screen/test_notify \
	tests/screen/test_sinks \
	tests/screen/test_storm \
	tests/screen/test_queue \
	tests/screen/test_replay \
	tests/screen/test_templates \
	tests/screen/test_parts \
	tests/screen/test_session_testdata
check_PROGRAMS += $(SCREEN_TESTS)
TESTS += $(SCREEN_TESTS)

tests_screen_test_harness_CPPFLAGS = $(SCREEN_CPPFLAGS)
tests_screen_test_harness_LDADD = $(SCREEN_LIBS)
tests_screen_test_stream_CPPFLAGS = $(SCREEN_CPPFLAGS)
tests_screen_test_stream_LDADD = $(SCREEN_LIBS)
tests_screen_test_input_CPPFLAGS = $(SCREEN_CPPFLAGS)
tests_screen_test_input_LDADD = $(SCREEN_LIBS)
tests_screen_test_end_CPPFLAGS = $(SCREEN_CPPFLAGS)
tests_screen_test_end_LDADD = $(SCREEN_LIBS)
tests_screen_test_commands_CPPFLAGS = $(SCREEN_CPPFLAGS)
tests_screen_test_commands_LDADD = $(SCREEN_LIBS) $(sotto_LDADD)
tests_screen_test_attach_CPPFLAGS = $(SCREEN_CPPFLAGS)
tests_screen_test_attach_LDADD = $(tests_screen_test_edit_LDADD)
tests_screen_test_queue_CPPFLAGS = $(SCREEN_CPPFLAGS)
tests_screen_test_queue_LDADD = $(tests_screen_test_edit_LDADD)
tests_screen_test_drafts_CPPFLAGS = $(SCREEN_CPPFLAGS)
tests_screen_test_drafts_LDADD = $(tests_screen_test_edit_LDADD)
tests_screen_test_branches_CPPFLAGS = $(SCREEN_CPPFLAGS)
tests_screen_test_branches_LDADD = $(tests_screen_test_edit_LDADD)
tests_screen_test_context_CPPFLAGS = $(SCREEN_CPPFLAGS)
tests_screen_test_context_LDADD = $(tests_screen_test_edit_LDADD)
tests_screen_test_continue_CPPFLAGS = $(SCREEN_CPPFLAGS)
tests_screen_test_continue_LDADD = $(tests_screen_test_edit_LDADD)
tests_screen_test_chats_CPPFLAGS = $(SCREEN_CPPFLAGS)
tests_screen_test_chats_LDADD = $(SCREEN_LIBS)
tests_screen_test_copy_CPPFLAGS = $(SCREEN_CPPFLAGS)
tests_screen_test_copy_LDADD = $(SCREEN_LIBS)
tests_screen_test_edit_CPPFLAGS = $(SCREEN_CPPFLAGS)
tests_screen_test_edit_LDADD = tests/screen/libscreen.a tests/support/libsupport.a src/gguf/libgguf.a $(CHAT_LIBS) \
	src/sampler/libsampler.a src/config/libconfig.a $(SCREEN_LIBS) $(YAML_LIBS) $(UNISTRING_LIBS)
tests_screen_test_find_CPPFLAGS = $(SCREEN_CPPFLAGS)
tests_screen_test_find_LDADD = $(SCREEN_LIBS)
tests_screen_test_first_CPPFLAGS = $(SCREEN_CPPFLAGS)
tests_screen_test_first_LDADD = $(SCREEN_LIBS)
tests_screen_test_goldens_SOURCES = tests/screen/test_goldens.c tests/screen/scenes.c tests/screen/scenes.h
tests_screen_test_goldens_CPPFLAGS = $(SCREEN_CPPFLAGS)
tests_screen_test_goldens_LDADD = $(tests_screen_test_edit_LDADD)
tests_screen_test_guide_CPPFLAGS = $(SCREEN_CPPFLAGS)
tests_screen_test_guide_LDADD = tests/support/libsupport.a src/gguf/libgguf.a $(SCREEN_LIBS)
tests_screen_test_inspect_CPPFLAGS = $(SCREEN_CPPFLAGS)
tests_screen_test_inspect_LDADD = tests/support/libsupport.a src/gguf/libgguf.a $(SCREEN_LIBS)
tests_screen_test_keys_CPPFLAGS = $(SCREEN_CPPFLAGS)
tests_screen_test_keys_LDADD = $(SCREEN_LIBS)
tests_screen_test_killed_CPPFLAGS = $(SCREEN_CPPFLAGS)
tests_screen_test_killed_LDADD = $(tests_screen_test_edit_LDADD)
tests_screen_test_replay_CPPFLAGS = $(SCREEN_CPPFLAGS)
tests_screen_test_replay_LDADD = $(tests_screen_test_edit_LDADD)
tests_screen_test_notify_CPPFLAGS = $(SCREEN_CPPFLAGS)
tests_screen_test_notify_LDADD = $(SCREEN_LIBS)
tests_screen_test_lines_CPPFLAGS = $(SCREEN_CPPFLAGS)
tests_screen_test_lines_LDADD = $(SCREEN_LIBS)
tests_screen_test_markdown_CPPFLAGS = $(SCREEN_CPPFLAGS)
tests_screen_test_markdown_LDADD = $(SCREEN_LIBS)
tests_screen_test_models_CPPFLAGS = $(SCREEN_CPPFLAGS)
tests_screen_test_models_LDADD = tests/support/libsupport.a src/gguf/libgguf.a $(SCREEN_LIBS)
tests_screen_test_sinks_CPPFLAGS = $(SCREEN_CPPFLAGS)
tests_screen_test_sinks_LDADD = $(tests_screen_test_edit_LDADD)
tests_screen_test_storm_CPPFLAGS = $(SCREEN_CPPFLAGS)
tests_screen_test_storm_LDADD = $(SCREEN_LIBS)
tests_screen_test_templates_CPPFLAGS = $(SCREEN_CPPFLAGS)
tests_screen_test_templates_LDADD = tests/support/libsupport.a src/gguf/libgguf.a $(SCREEN_LIBS)
tests_screen_test_guide_replies_CPPFLAGS = $(SCREEN_CPPFLAGS)
tests_screen_test_guide_replies_LDADD = $(SCREEN_LIBS)
tests_screen_test_parts_CPPFLAGS = $(SCREEN_CPPFLAGS)
tests_screen_test_parts_LDADD = $(SCREEN_LIBS)
tests_screen_test_session_testdata_CPPFLAGS = $(SCREEN_CPPFLAGS)
tests_screen_test_session_testdata_LDADD = $(SCREEN_LIBS)

EXTRA_DIST += tests/vectors/screens
# What test_goldens compares with, made anew: look at what has changed.
update-screens: sotto$(EXEEXT) tests/screen/test_goldens$(EXEEXT)
	SOTTO_UPDATE_VECTORS=1 tests/screen/test_goldens$(EXEEXT)

# The README's pictures; committed, and made anew on request.
EXTRA_PROGRAMS += tests/screen/screenshot
tests_screen_screenshot_SOURCES = tests/screen/screenshot.c tests/screen/scenes.c tests/screen/scenes.h
tests_screen_screenshot_CPPFLAGS = $(SCREEN_CPPFLAGS)
tests_screen_screenshot_LDADD = $(tests_screen_test_edit_LDADD)
screenshot: sotto$(EXEEXT) tests/screen/screenshot$(EXEEXT)
	tests/screen/screenshot$(EXEEXT) $(abs_top_srcdir)/pictures
endif
.PHONY: screenshot update-screens
