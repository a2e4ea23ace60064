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
