# The real program in a pty, its screen read through libvterm. Plain programs,
# not Criterion: a killed process is the subject here, not the runner.
if HAVE_VTERM
# All of the folder is compiled and linked alike; no program elsewhere is without LDADD of its own.
SCREEN_CPPFLAGS = -I$(top_srcdir)/tests -DTEST_SRCDIR='"$(abs_top_srcdir)"' \
	-DTEST_BUILDDIR='"$(abs_top_builddir)"' $(VTERM_CFLAGS)
SCREEN_LIBS = tests/screen/libscreen.a tests/support/libsupport.a src/gguf/libgguf.a src/base/libbase.a $(VTERM_LIBS) -lutil
tests/screen/%.$(OBJEXT): AM_CPPFLAGS += $(SCREEN_CPPFLAGS)
LDADD = tests/screen/libscreen.a tests/support/libsupport.a src/gguf/libgguf.a $(CHAT_LIBS) \
	src/sampler/libsampler.a src/config/libconfig.a $(SCREEN_LIBS) $(YAML_LIBS) $(UNISTRING_LIBS)

check_LIBRARIES += tests/screen/libscreen.a
tests_screen_libscreen_a_SOURCES = \
	tests/screen/chat.c tests/screen/chat.h \
	tests/screen/checker.c tests/screen/checker.h \
	tests/screen/copied.c tests/screen/copied.h \
	tests/screen/foreign.c tests/screen/foreign.h \
	tests/screen/harness.c tests/screen/harness.h \
	tests/screen/shell_job.c tests/screen/shell_job.h \
	tests/screen/keys.c tests/screen/keys.h \
	tests/screen/real.c tests/screen/real.h \
	tests/screen/runner.c tests/screen/runner.h \
	tests/screen/served.c tests/screen/served.h \
	tests/screen/svg.c tests/screen/svg.h \
	tests/screen/turns.c tests/screen/turns.h

# Those that start the program need it built.
SCREEN_TESTS = \
	tests/screen/test_harness \
	tests/screen/test_stream \
	tests/screen/test_input \
	tests/screen/test_end \
	tests/screen/test_attach \
	tests/screen/test_branches \
	tests/screen/test_commands \
	tests/screen/test_confidence \
	tests/screen/test_context \
	tests/screen/test_convert \
	tests/screen/test_continue \
	tests/screen/test_refused \
	tests/screen/test_remote \
	tests/screen/test_chats \
	tests/screen/test_copy \
	tests/screen/test_paths \
	tests/screen/test_drafts \
	tests/screen/test_edit \
	tests/screen/test_find \
	tests/screen/test_first \
	tests/screen/test_guide \
	tests/screen/test_guide_replies \
	tests/screen/test_inspect \
	tests/screen/test_keep \
	tests/screen/test_keyboard \
	tests/screen/test_keys \
	tests/screen/test_killed \
	tests/screen/test_lines \
	tests/screen/test_markdown \
	tests/screen/test_models \
	tests/screen/test_notify \
	tests/screen/test_sinks \
	tests/screen/test_sliders \
	tests/screen/test_start \
	tests/screen/test_storm \
	tests/screen/test_queue \
	tests/screen/test_score \
	tests/screen/test_real_server \
	tests/screen/test_replay \
	tests/screen/test_templates \
	tests/screen/test_tokens \
	tests/screen/test_parts \
	tests/screen/test_session_testdata
check_PROGRAMS += $(SCREEN_TESTS) $(NET_SCREEN_TESTS)
TESTS += $(SCREEN_TESTS)
# What a program without libcurl or libcrypto does not do, or not show.
NET_SCREEN_TESTS = \
	tests/screen/test_goldens \
	tests/screen/test_pull \
	tests/screen/test_secrets \
	tests/screen/test_server_models \
	tests/screen/test_servers
if HAVE_CURL
if HAVE_CRYPTO
TESTS += $(NET_SCREEN_TESTS) tests/screen/test_on_real_server
if HAVE_MICROHTTPD
TESTS += tests/screen/test_on_servers
endif
endif
endif
EXTRA_DIST += tests/screen/test_on_real_server tests/screen/test_on_servers

tests_screen_test_secrets_LDADD = $(SERVER_LIBS) $(LDADD) -lpthread
tests_screen_test_commands_LDADD = $(SCREEN_LIBS) $(sotto_LDADD)
HUB_SCREEN_LIBS = tests/screen/libscreen.a $(CHAT_LIBS) $(HUB_SERVER_LIBS) src/config/libconfig.a $(SCREEN_LIBS) $(EXTERNAL_LIBS)
tests_screen_test_pull_LDADD = $(HUB_SCREEN_LIBS)
tests_screen_test_goldens_LDADD = $(HUB_SCREEN_LIBS)
tests_screen_screenshot_LDADD = $(HUB_SCREEN_LIBS)
tests_screen_test_server_models_LDADD = $(SERVER_LIBS) $(LDADD)
tests_screen_test_goldens_SOURCES = tests/screen/test_goldens.c tests/screen/scenes.c tests/screen/scenes.h

EXTRA_DIST += tests/vectors/screens
# What test_goldens compares with, made anew: look at what has changed.
update-screens: sotto$(EXEEXT) tests/screen/test_goldens$(EXEEXT)
	SOTTO_UPDATE_VECTORS=1 tests/screen/test_goldens$(EXEEXT)

# The README's pictures; committed, and made anew on request.
EXTRA_PROGRAMS += tests/screen/screenshot
tests_screen_screenshot_SOURCES = tests/screen/screenshot.c tests/screen/scenes.c tests/screen/scenes.h
screenshot: sotto$(EXEEXT) tests/screen/screenshot$(EXEEXT)
	tests/screen/screenshot$(EXEEXT) $(abs_top_srcdir)/pictures
endif
.PHONY: screenshot update-screens
