# Benchmarks are built on request: make bench.
if HAVE_VTERM
EXTRA_PROGRAMS += bench/ui
bench_ui_SOURCES = bench/ui.c
bench_ui_CPPFLAGS = $(SCREEN_CPPFLAGS)
bench_ui_LDADD = $(SCREEN_LIBS)
bench-ui: sotto$(EXEEXT) bench/ui$(EXEEXT)
	bench/ui$(EXEEXT)
else
bench-ui:
	@echo "bench/ui needs libvterm"; exit 1
endif
bench: bench-ui
.PHONY: bench bench-ui
EXTRA_DIST += bench/LOG.md
