# Benchmarks are built on request: make bench.
if HAVE_VTERM
EXTRA_PROGRAMS += bench/ui
bench_ui_SOURCES = bench/ui.c bench/table.h
bench_ui_CPPFLAGS = $(AM_CPPFLAGS) $(SCREEN_CPPFLAGS)
bench_ui_LDADD = $(SCREEN_LIBS)
bench-ui: sotto$(EXEEXT) bench/ui$(EXEEXT)
	bench/ui$(EXEEXT)
# bench/transcript [MESSAGES]
EXTRA_PROGRAMS += bench/transcript
bench_transcript_SOURCES = bench/transcript.c bench/table.h
bench_transcript_CPPFLAGS = $(AM_CPPFLAGS) $(SCREEN_CPPFLAGS)
bench_transcript_LDADD = tests/screen/libscreen.a $(CHAT_LIBS) src/sampler/libsampler.a src/config/libconfig.a \
	$(SCREEN_LIBS) $(YAML_LIBS) $(UNISTRING_LIBS)
bench-transcript: sotto$(EXEEXT) bench/transcript$(EXEEXT)
	bench/transcript$(EXEEXT)
else
bench-transcript:
	@echo "bench/transcript needs libvterm"; exit 1
bench-ui:
	@echo "bench/ui needs libvterm"; exit 1
endif
# bench/jinja TEMPLATE CONTEXT: make bench takes the longest conversation of the reference data.
EXTRA_PROGRAMS += bench/jinja
bench_jinja_SOURCES = bench/jinja.c bench/bench.h
bench_jinja_LDADD = src/cli/libcli.a src/jinja/libjinja.a src/config/libconfig.a src/base/libbase.a $(EXTERNAL_LIBS)
BENCH_TEMPLATES = $(top_srcdir)/../shared/testdata/templates
bench-jinja: bench/jinja$(EXEEXT)
	bench/jinja$(EXEEXT) $(BENCH_TEMPLATES)/meta-llama-Llama-3.1-8B-Instruct.jinja $(BENCH_TEMPLATES)/contexts/long.yaml
# bench/attention [ISA [f16|f32|q8_0 [THREADS]]]
EXTRA_PROGRAMS += bench/attention
bench_attention_SOURCES = bench/attention.c bench/bench.h
bench_attention_LDADD = $(KERNEL_LIBS) src/gguf/libgguf.a src/base/libbase.a
bench-attention: bench/attention$(EXEEXT)
	bench/attention$(EXEEXT)
# bench/matmul [ISA [TYPE [ROWS COLS [N...]]]]
EXTRA_PROGRAMS += bench/matmul
bench_matmul_SOURCES = bench/matmul.c bench/bench.h
bench_matmul_LDADD = $(KERNEL_LIBS) src/gguf/libgguf.a src/base/libbase.a
bench-matmul: bench/matmul$(EXEEXT)
	bench/matmul$(EXEEXT)
# bench/forms
if HAVE_X86_ISA
EXTRA_PROGRAMS += bench/forms
bench_forms_SOURCES = bench/forms.c bench/bench.h
bench_forms_CFLAGS = $(AM_CFLAGS) $(SOTTO_AVX2_CFLAGS)
bench_forms_LDADD = src/base/libbase.a
bench-forms: bench/forms$(EXEEXT)
	bench/forms$(EXEEXT)
else
bench-forms:
	@echo "bench/forms is for x86"
endif
# bench/threadpool [THREADS...]
EXTRA_PROGRAMS += bench/threadpool
bench_threadpool_SOURCES = bench/threadpool.c
bench_threadpool_LDADD = src/kernels/libkernels.a src/base/libbase.a $(EXTERNAL_LIBS)
bench-threadpool: bench/threadpool$(EXEEXT)
	bench/threadpool$(EXEEXT)
# The model that comes with sotto: what the machine could do, mostly.
bench-guide: sotto$(EXEEXT)
	./sotto$(EXEEXT) bench -m guide
# bench/sampler [RUNS]
EXTRA_PROGRAMS += bench/sampler
bench_sampler_SOURCES = bench/sampler.c bench/bench.h
bench_sampler_LDADD = src/sampler/libsampler.a src/base/libbase.a $(EXTERNAL_LIBS)
bench-sampler: bench/sampler$(EXEEXT)
	bench/sampler$(EXEEXT)
# bench/candidates MODEL [PAIRS [THREADS]]: needs a model, so not a part of make bench.
EXTRA_PROGRAMS += bench/candidates
bench_candidates_SOURCES = bench/candidates.c bench/bench.h
bench_candidates_LDADD = src/kept/libkept.a $(ENGINE_LIBS) $(TEST_KERNEL_LIBS) src/base/libbase.a $(EXTERNAL_LIBS)
# bench/markdown [KILOBYTES]
EXTRA_PROGRAMS += bench/markdown
bench_markdown_SOURCES = bench/markdown.c bench/bench.h
bench_markdown_LDADD = src/markdown/libmarkdown.a src/terminal/libterminal.a src/config/libconfig.a src/base/libbase.a $(EXTERNAL_LIBS)
bench-markdown: bench/markdown$(EXEEXT)
	bench/markdown$(EXEEXT)
# bench/chats make FOLDER, then bench/chats FOLDER: 1 GB of chats, so not a part of make bench.
EXTRA_PROGRAMS += bench/chats
bench_chats_SOURCES = bench/chats.c bench/bench.h
bench_chats_LDADD = $(CHAT_LIBS) src/sampler/libsampler.a src/config/libconfig.a src/base/libbase.a $(EXTERNAL_LIBS)
BENCHES = bench-ui bench-transcript bench-markdown bench-jinja bench-attention bench-matmul bench-forms bench-sampler bench-threadpool bench-guide
bench: $(BENCHES)
# CI compiles them, so that they keep up with the program.
bench-programs: $(filter bench/%,$(EXTRA_PROGRAMS))
.PHONY: bench bench-programs $(BENCHES)
EXTRA_DIST += bench/LOG.md bench/peers
