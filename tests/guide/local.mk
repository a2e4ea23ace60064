# The facts that the guide is taught are those of the program's tables.
check_PROGRAMS += tests/guide/test_facts
TESTS += tests/guide/test_facts
tests_guide_test_facts_SOURCES = tests/guide/facts.c tests/guide/facts.h tests/guide/test_facts.c
tests_guide_test_facts_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests/guide -DTEST_SRCDIR='"$(abs_top_srcdir)"'
tests_guide_test_facts_LDADD = $(sotto_LDADD)
EXTRA_DIST += tools/guide/README.md tools/guide/compare.py tools/guide/evaluate.py \
	tools/guide/evaluate_lookup.py tools/guide/export.py tools/guide/facts.py \
	tools/guide/generate.py tools/guide/ranker.py tools/guide/restore.py tools/guide/retrieve.py \
	tools/guide/sets.tar.xz tools/guide/talk.yaml tools/guide/tokenizer.py tools/guide/train.py

# The guide itself, models/guide.gguf: its parts, and all types of the quantiser.
GUIDE_MODEL = tests/guide/guide_model.c tests/guide/guide_model.h
GUIDE_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests -DTEST_SRCDIR='"$(abs_top_srcdir)"'
check_PROGRAMS += tests/guide/test_model tests/guide/test_types
TESTS += tests/guide/test_model tests/guide/test_types
tests_guide_test_model_SOURCES = tests/guide/test_model.c $(GUIDE_MODEL)
tests_guide_test_model_CPPFLAGS = $(GUIDE_CPPFLAGS)
tests_guide_test_model_LDADD = tests/support/libsupport.a $(ENGINE_LIBS) src/base/libbase.a $(EXTERNAL_LIBS)
tests_guide_test_types_SOURCES = tests/guide/test_types.c $(GUIDE_MODEL)
tests_guide_test_types_CPPFLAGS = $(GUIDE_CPPFLAGS)
tests_guide_test_types_LDADD = tests/support/libsupport.a src/quantize/libquantize.a $(ENGINE_LIBS) \
	src/base/libbase.a $(EXTERNAL_LIBS)
