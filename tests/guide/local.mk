# The facts that the guide is taught are those of the program's tables.
check_PROGRAMS += tests/guide/test_facts
TESTS += tests/guide/test_facts
tests_guide_test_facts_SOURCES = tests/guide/facts.c tests/guide/facts.h tests/guide/test_facts.c
tests_guide_test_facts_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests/guide -DTEST_SRCDIR='"$(abs_top_srcdir)"'
tests_guide_test_facts_LDADD = $(sotto_LDADD)
EXTRA_DIST += tools/guide/README.md tools/guide/compare.py tools/guide/dialogues.yaml \
	tools/guide/dialogues10.yaml tools/guide/dialogues11.yaml tools/guide/dialogues12.yaml \
	tools/guide/dialogues13.yaml tools/guide/dialogues14.yaml tools/guide/dialogues15.yaml tools/guide/dialogues16.yaml \
	tools/guide/dialogues17.yaml tools/guide/dialogues18.yaml tools/guide/dialogues19.yaml \
	tools/guide/dialogues2.yaml tools/guide/dialogues20.yaml tools/guide/dialogues21.yaml tools/guide/dialogues22.yaml \
	tools/guide/unrelated9.yaml \
	tools/guide/dialogues3.yaml tools/guide/dialogues4.yaml tools/guide/dialogues5.yaml \
	tools/guide/dialogues6.yaml tools/guide/dialogues7.yaml tools/guide/dialogues8.yaml \
	tools/guide/dialogues9.yaml tools/guide/evaluate.py tools/guide/evaluate_lookup.py tools/guide/export.py \
	tools/guide/facts.py tools/guide/generate.py \
	tools/guide/ranker.py tools/guide/restore.py tools/guide/retrieve.py tools/guide/strangers.yaml \
	tools/guide/strangers2.yaml tools/guide/strangers3.yaml tools/guide/strangers4.yaml \
	tools/guide/strangers5.yaml tools/guide/strangers6.yaml tools/guide/strangers7.yaml \
	tools/guide/strangers8.yaml tools/guide/talk.yaml tools/guide/tokenizer.py tools/guide/train.py \
	tools/guide/unrelated.yaml tools/guide/unrelated2.yaml tools/guide/unrelated3.yaml \
	tools/guide/unrelated4.yaml tools/guide/unrelated5.yaml tools/guide/unrelated6.yaml \
	tools/guide/unrelated7.yaml tools/guide/unrelated8.yaml

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
