# Plain programs for ThreadSanitizer, which Criterion does not go with.
check_PROGRAMS += tests/thread/test_worker
TESTS += tests/thread/test_worker
THREAD_TESTS += tests/thread/test_worker
tests_thread_test_worker_SOURCES = tests/thread/test_worker.c
tests_thread_test_worker_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_thread_test_worker_LDADD = tests/support/libsupport.a $(ENGINE_LIBS) src/base/libbase.a \
	$(EXTERNAL_LIBS)

check_PROGRAMS += tests/thread/test_threadpool
TESTS += tests/thread/test_threadpool
THREAD_TESTS += tests/thread/test_threadpool
tests_thread_test_threadpool_SOURCES = tests/thread/test_threadpool.c
tests_thread_test_threadpool_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_thread_test_threadpool_LDADD = tests/support/libsupport.a $(ENGINE_LIBS) src/base/libbase.a \
	$(EXTERNAL_LIBS)

check_PROGRAMS += tests/thread/test_experts
TESTS += tests/thread/test_experts
THREAD_TESTS += tests/thread/test_experts
tests_thread_test_experts_SOURCES = tests/thread/test_experts.c
tests_thread_test_experts_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_thread_test_experts_LDADD = tests/support/libsupport.a $(ENGINE_LIBS) src/base/libbase.a \
	$(EXTERNAL_LIBS)

# The same with both ways of sleeping, whichever this system's pool has.
check_PROGRAMS += tests/thread/test_wait_cond
TESTS += tests/thread/test_wait_cond
THREAD_TESTS += tests/thread/test_wait_cond
tests_thread_test_wait_cond_SOURCES = tests/thread/test_wait.c src/kernels/wait_cond.c
tests_thread_test_wait_cond_LDADD = src/base/libbase.a $(EXTERNAL_LIBS)
if HAVE_FUTEX
check_PROGRAMS += tests/thread/test_wait_futex
TESTS += tests/thread/test_wait_futex
THREAD_TESTS += tests/thread/test_wait_futex
tests_thread_test_wait_futex_SOURCES = tests/thread/test_wait.c src/kernels/wait_futex.c
tests_thread_test_wait_futex_LDADD = src/base/libbase.a $(EXTERNAL_LIBS)
endif

check_PROGRAMS += tests/thread/test_finder
TESTS += tests/thread/test_finder
THREAD_TESTS += tests/thread/test_finder
tests_thread_test_finder_SOURCES = tests/thread/test_finder.c
tests_thread_test_finder_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_thread_test_finder_LDADD = tests/support/libsupport.a $(CHAT_LIBS) src/sampler/libsampler.a \
	src/config/libconfig.a src/base/libbase.a $(EXTERNAL_LIBS)

check_PROGRAMS += tests/thread/test_importer
TESTS += tests/thread/test_importer
THREAD_TESTS += tests/thread/test_importer
tests_thread_test_importer_SOURCES = tests/thread/test_importer.c
tests_thread_test_importer_LDADD = $(CHAT_LIBS) src/sampler/libsampler.a \
	src/config/libconfig.a src/base/libbase.a $(EXTERNAL_LIBS)

if HAVE_CURL
check_PROGRAMS += tests/thread/test_http
TESTS += tests/thread/test_http
THREAD_TESTS += tests/thread/test_http
tests_thread_test_http_SOURCES = tests/thread/test_http.c
tests_thread_test_http_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_thread_test_http_LDADD = tests/support/libsupport.a src/net/libnet.a src/base/libbase.a $(EXTERNAL_LIBS)
if HAVE_CRYPTO
check_PROGRAMS += tests/thread/test_puller
TESTS += tests/thread/test_puller
THREAD_TESTS += tests/thread/test_puller
tests_thread_test_puller_SOURCES = tests/thread/test_puller.c
tests_thread_test_puller_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_thread_test_puller_LDADD = $(PULL_LIBS) $(CHECKPOINT_LIBS) $(REMOTE_LIBS) $(HUB_SERVER_LIBS) $(EXTERNAL_LIBS)
endif
endif
if HAVE_MICROHTTPD
check_PROGRAMS += tests/thread/test_servers
TESTS += tests/thread/test_servers
THREAD_TESTS += tests/thread/test_servers
endif
tests_thread_test_servers_SOURCES = tests/thread/test_servers.c
tests_thread_test_servers_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_thread_test_servers_LDADD = tests/support/server/libserver.a tests/support/libsupport.a $(REMOTE_LIBS) $(ENGINE_LIBS) \
	src/config/libconfig.a src/base/libbase.a $(MICROHTTPD_LIBS) $(EXTERNAL_LIBS)
