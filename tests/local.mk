# One Criterion program a folder of src/; tests/unit mirrors src.
TEST_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests -DTEST_SRCDIR='"$(abs_top_srcdir)"' $(CRITERION_CFLAGS)
TEST_LIBS = $(CRITERION_LIBS)
EXTERNAL_LIBS = $(NCURSES_LIBS) $(READLINE_LIBS) $(YAML_LIBS) $(PCRE2_LIBS) $(UNISTRING_LIBS) $(MD4C_LIBS) $(SQLITE_LIBS)

include $(top_srcdir)/tests/support/local.mk
include $(top_srcdir)/tests/support/hub_server/local.mk
include $(top_srcdir)/tests/support/server/local.mk
if HAVE_CRITERION
include $(top_srcdir)/tests/unit/base/local.mk
include $(top_srcdir)/tests/unit/config/local.mk
include $(top_srcdir)/tests/unit/gguf/local.mk
include $(top_srcdir)/tests/unit/kernels/local.mk
include $(top_srcdir)/tests/unit/quantize/local.mk
include $(top_srcdir)/tests/unit/model/local.mk
include $(top_srcdir)/tests/unit/tokenizer/local.mk
include $(top_srcdir)/tests/unit/sampler/local.mk
include $(top_srcdir)/tests/unit/jinja/local.mk
include $(top_srcdir)/tests/unit/cli/local.mk
include $(top_srcdir)/tests/unit/turn/local.mk
include $(top_srcdir)/tests/unit/catalog/local.mk
include $(top_srcdir)/tests/unit/checkpoint/local.mk
include $(top_srcdir)/tests/unit/encode/local.mk
include $(top_srcdir)/tests/unit/doctor/local.mk
include $(top_srcdir)/tests/unit/engine/local.mk
include $(top_srcdir)/tests/unit/compare/local.mk
include $(top_srcdir)/tests/unit/trace/local.mk
include $(top_srcdir)/tests/unit/guide/local.mk
include $(top_srcdir)/tests/unit/remote/local.mk
include $(top_srcdir)/tests/unit/net/local.mk
include $(top_srcdir)/tests/unit/pull/local.mk
include $(top_srcdir)/tests/unit/prompts/local.mk
include $(top_srcdir)/tests/unit/chat/local.mk
include $(top_srcdir)/tests/unit/import/local.mk
include $(top_srcdir)/tests/unit/journal/local.mk
include $(top_srcdir)/tests/unit/kept/local.mk
include $(top_srcdir)/tests/unit/dialog/local.mk
include $(top_srcdir)/tests/unit/search/local.mk
include $(top_srcdir)/tests/unit/terminal/local.mk
include $(top_srcdir)/tests/unit/markdown/local.mk
include $(top_srcdir)/tests/unit/view/local.mk
include $(top_srcdir)/tests/unit/line/local.mk
include $(top_srcdir)/tests/unit/ui/local.mk
include $(top_srcdir)/tests/llama_server/local.mk
endif
include $(top_srcdir)/tests/cli/local.mk
include $(top_srcdir)/tests/screen/local.mk
include $(top_srcdir)/tests/thread/local.mk
include $(top_srcdir)/tests/remote/local.mk
include $(top_srcdir)/tests/hostile/local.mk
include $(top_srcdir)/tests/crash/local.mk
include $(top_srcdir)/tests/guide/local.mk
include $(top_srcdir)/tests/fuzz/local.mk
