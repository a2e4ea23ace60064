noinst_LIBRARIES += src/base/libbase.a
src_base_libbase_a_CPPFLAGS = $(AM_CPPFLAGS) $(CRYPTO_CFLAGS)
src_base_libbase_a_SOURCES = \
	src/base/alloc.c src/base/alloc.h \
	src/base/amount.c src/base/amount.h \
	src/base/bisect.h \
	src/base/buf.c src/base/buf.h \
	src/base/cgroup.c src/base/cgroup.h \
	src/base/crc32c.c src/base/crc32c.h \
	src/base/data_name.c src/base/data_name.h \
	src/base/date.c src/base/date.h \
	src/base/digest.h \
	src/base/error.c src/base/error.h \
	src/base/file.c src/base/file.h \
	src/base/file_pattern.c src/base/file_pattern.h \
	src/base/hash.h \
	src/base/home_path.c src/base/home_path.h \
	src/base/io.c src/base/io.h \
	src/base/job.c src/base/job.h \
	src/base/json.c src/base/json.h \
	src/base/json_reader.c src/base/json_reader.h \
	src/base/json_walk.c src/base/json_walk.h \
	src/base/library.c src/base/library.h \
	src/base/limits.h \
	src/base/log.c src/base/log.h \
	src/base/name_list.c src/base/name_list.h \
	src/base/nearest.c src/base/nearest.h \
	src/base/number.c src/base/number.h \
	src/base/option.c src/base/option.h \
	src/base/option_value.c src/base/option_value.h \
	src/base/path_variable.c src/base/path_variable.h \
	src/base/reason.c src/base/reason.h \
	src/base/role.h \
	src/base/sanitize.c src/base/sanitize.h \
	src/base/secret.c src/base/secret.h \
	src/base/server_path.h \
	src/base/sys.c src/base/sys.h \
	src/base/text_ends.h \
	src/base/text_file.c src/base/text_file.h \
	src/base/text_find.c src/base/text_find.h \
	src/base/thread.c src/base/thread.h \
	src/base/utf8.c src/base/utf8.h \
	src/base/wake.c src/base/wake.h \
	src/base/words.c src/base/words.h
if HAVE_CRYPTO
src_base_libbase_a_SOURCES += src/base/digest.c
else
src_base_libbase_a_SOURCES += src/base/without_crypto.c
endif
