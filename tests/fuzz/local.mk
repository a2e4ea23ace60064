# Fuzz targets: one for each parser of foreign bytes, and one for products of any bits.
#
# To add the target NAME:
#   1. tests/fuzz/fuzz_NAME.c with LLVMFuzzerTestOneInput (see fuzz.h);
#   2. tests/fuzz/corpus/NAME/: small seeds (under 8 KiB) and every input that
#      once failed; tests/fuzz/NAME.dict if there are words worth knowing;
#   3. the stanza below, as for fuzz_gguf.
# `make check` replays each corpus once. `make fuzz FUZZ_SECONDS=10`, after
# `configure --enable-fuzz CC=clang`, runs each with libFuzzer for that long;
# what it finds lies in tests/fuzz/work/NAME/ and is replayed by
# `tests/fuzz/fuzz_NAME FILE` in any build.
fuzz_targets =
EXTRA_DIST += tests/fuzz/corpus
if ENABLE_FUZZ
FUZZ_MAIN = tests/fuzz/fuzz.h
else
FUZZ_MAIN = tests/fuzz/fuzz.h tests/fuzz/replay_main.c
endif

fuzz_targets += tests/fuzz/fuzz_gguf
EXTRA_DIST += tests/fuzz/gguf.dict
tests_fuzz_fuzz_gguf_SOURCES = tests/fuzz/fuzz_gguf.c $(FUZZ_MAIN)
tests_fuzz_fuzz_gguf_CPPFLAGS = $(TEST_CPPFLAGS)
tests_fuzz_fuzz_gguf_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_gguf_LDADD = tests/support/libsupport.a src/gguf/libgguf.a src/base/libbase.a

fuzz_targets += tests/fuzz/fuzz_gguf_struct
tests_fuzz_fuzz_gguf_struct_SOURCES = tests/fuzz/fuzz_gguf_struct.c \
	tests/hostile/mutate.c tests/hostile/mutate.h \
	tests/hostile/pipeline.c tests/hostile/pipeline.h \
	tests/hostile/seeds.c tests/hostile/seeds.h $(FUZZ_MAIN)
tests_fuzz_fuzz_gguf_struct_CPPFLAGS = $(TEST_CPPFLAGS)
tests_fuzz_fuzz_gguf_struct_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_gguf_struct_LDADD = $(hostile_libs)

fuzz_targets += tests/fuzz/fuzz_matmul
tests_fuzz_fuzz_matmul_SOURCES = tests/fuzz/fuzz_matmul.c $(FUZZ_MAIN)
tests_fuzz_fuzz_matmul_CPPFLAGS = $(TEST_CPPFLAGS)
tests_fuzz_fuzz_matmul_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_matmul_LDADD = tests/support/libsupport.a $(TEST_KERNEL_LIBS) src/gguf/libgguf.a src/base/libbase.a

fuzz_targets += tests/fuzz/fuzz_kept
EXTRA_DIST += tests/fuzz/kept.dict
tests_fuzz_fuzz_kept_SOURCES = tests/fuzz/fuzz_kept.c $(FUZZ_MAIN)
tests_fuzz_fuzz_kept_CPPFLAGS = $(TEST_CPPFLAGS)
tests_fuzz_fuzz_kept_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_kept_LDADD = src/kept/libkept.a src/sampler/libsampler.a src/base/libbase.a $(EXTERNAL_LIBS)

fuzz_targets += tests/fuzz/fuzz_logits
EXTRA_DIST += tests/fuzz/logits.dict
tests_fuzz_fuzz_logits_SOURCES = tests/fuzz/fuzz_logits.c $(FUZZ_MAIN)
tests_fuzz_fuzz_logits_CPPFLAGS = $(TEST_CPPFLAGS)
tests_fuzz_fuzz_logits_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_logits_LDADD = src/compare/libcompare.a $(ENGINE_LIBS) src/base/libbase.a $(EXTERNAL_LIBS)

fuzz_targets += tests/fuzz/fuzz_safetensors
EXTRA_DIST += tests/fuzz/safetensors.dict
tests_fuzz_fuzz_safetensors_SOURCES = tests/fuzz/fuzz_safetensors.c $(FUZZ_MAIN)
tests_fuzz_fuzz_safetensors_CPPFLAGS = $(TEST_CPPFLAGS)
tests_fuzz_fuzz_safetensors_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_safetensors_LDADD = src/checkpoint/libcheckpoint.a src/base/libbase.a $(UNISTRING_LIBS)

fuzz_targets += tests/fuzz/fuzz_sanitize
EXTRA_DIST += tests/fuzz/sanitize.dict
tests_fuzz_fuzz_sanitize_SOURCES = tests/fuzz/fuzz_sanitize.c $(FUZZ_MAIN)
tests_fuzz_fuzz_sanitize_CPPFLAGS = $(TEST_CPPFLAGS)
tests_fuzz_fuzz_sanitize_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_sanitize_LDADD = tests/support/libsupport.a src/base/libbase.a $(UNISTRING_LIBS)

fuzz_targets += tests/fuzz/fuzz_tokenizer
EXTRA_DIST += tests/fuzz/tokenizer.dict
tests_fuzz_fuzz_tokenizer_SOURCES = tests/fuzz/fuzz_tokenizer.c $(FUZZ_MAIN)
tests_fuzz_fuzz_tokenizer_CPPFLAGS = $(TEST_CPPFLAGS)
tests_fuzz_fuzz_tokenizer_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_tokenizer_LDADD = tests/support/libsupport.a src/tokenizer/libtokenizer.a \
	src/gguf/libgguf.a src/base/libbase.a $(PCRE2_LIBS)

fuzz_targets += tests/fuzz/fuzz_keys
EXTRA_DIST += tests/fuzz/keys.dict
tests_fuzz_fuzz_keys_SOURCES = tests/fuzz/fuzz_keys.c $(FUZZ_MAIN)
tests_fuzz_fuzz_keys_CPPFLAGS = $(TEST_CPPFLAGS)
tests_fuzz_fuzz_keys_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_keys_LDADD = $(sotto_LDADD)

fuzz_targets += tests/fuzz/fuzz_keymap
EXTRA_DIST += tests/fuzz/keymap.dict
tests_fuzz_fuzz_keymap_SOURCES = tests/fuzz/fuzz_keymap.c $(FUZZ_MAIN)
tests_fuzz_fuzz_keymap_CPPFLAGS = $(TEST_CPPFLAGS)
tests_fuzz_fuzz_keymap_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_keymap_LDADD = $(sotto_LDADD)

fuzz_targets += tests/fuzz/fuzz_yaml
EXTRA_DIST += tests/fuzz/yaml.dict
tests_fuzz_fuzz_yaml_SOURCES = tests/fuzz/fuzz_yaml.c $(FUZZ_MAIN)
tests_fuzz_fuzz_yaml_CPPFLAGS = $(TEST_CPPFLAGS)
tests_fuzz_fuzz_yaml_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_yaml_LDADD = src/config/libconfig.a src/base/libbase.a $(YAML_LIBS) $(UNISTRING_LIBS)

fuzz_targets += tests/fuzz/fuzz_servers_yaml
EXTRA_DIST += tests/fuzz/servers_yaml.dict
tests_fuzz_fuzz_servers_yaml_SOURCES = tests/fuzz/fuzz_servers_yaml.c $(FUZZ_MAIN)
tests_fuzz_fuzz_servers_yaml_CPPFLAGS = $(TEST_CPPFLAGS)
tests_fuzz_fuzz_servers_yaml_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_servers_yaml_LDADD = src/config/libconfig.a src/base/libbase.a $(YAML_LIBS) $(UNISTRING_LIBS)

fuzz_targets += tests/fuzz/fuzz_ollama
EXTRA_DIST += tests/fuzz/ollama.dict
tests_fuzz_fuzz_ollama_SOURCES = tests/fuzz/fuzz_ollama.c $(FUZZ_MAIN)
tests_fuzz_fuzz_ollama_CPPFLAGS = $(TEST_CPPFLAGS)
tests_fuzz_fuzz_ollama_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_ollama_LDADD = $(ENGINE_LIBS) src/base/libbase.a $(EXTERNAL_LIBS)

fuzz_targets += tests/fuzz/fuzz_prompt
EXTRA_DIST += tests/fuzz/prompt.dict
tests_fuzz_fuzz_prompt_SOURCES = tests/fuzz/fuzz_prompt.c $(FUZZ_MAIN)
tests_fuzz_fuzz_prompt_CPPFLAGS = $(TEST_CPPFLAGS)
tests_fuzz_fuzz_prompt_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_prompt_LDADD = $(CHAT_LIBS) src/sampler/libsampler.a src/jinja/libjinja.a \
	src/config/libconfig.a src/base/libbase.a $(YAML_LIBS) $(UNISTRING_LIBS)

fuzz_targets += tests/fuzz/fuzz_journal
EXTRA_DIST += tests/fuzz/journal.dict
tests_fuzz_fuzz_journal_SOURCES = tests/fuzz/fuzz_journal.c $(FUZZ_MAIN)
tests_fuzz_fuzz_journal_CPPFLAGS = $(TEST_CPPFLAGS)
tests_fuzz_fuzz_journal_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_journal_LDADD = $(CHAT_LIBS) src/sampler/libsampler.a \
	src/config/libconfig.a src/base/libbase.a $(YAML_LIBS) $(UNISTRING_LIBS)

fuzz_targets += tests/fuzz/fuzz_texts
EXTRA_DIST += tests/fuzz/texts.dict
tests_fuzz_fuzz_texts_SOURCES = tests/fuzz/fuzz_texts.c $(FUZZ_MAIN)
tests_fuzz_fuzz_texts_CPPFLAGS = $(TEST_CPPFLAGS)
tests_fuzz_fuzz_texts_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_texts_LDADD = $(CHAT_LIBS) src/sampler/libsampler.a \
	src/config/libconfig.a src/base/libbase.a $(YAML_LIBS) $(UNISTRING_LIBS)

fuzz_targets += tests/fuzz/fuzz_files
EXTRA_DIST += tests/fuzz/files.dict
tests_fuzz_fuzz_files_SOURCES = tests/fuzz/fuzz_files.c $(FUZZ_MAIN)
tests_fuzz_fuzz_files_CPPFLAGS = $(TEST_CPPFLAGS)
tests_fuzz_fuzz_files_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_files_LDADD = $(CHAT_LIBS) src/sampler/libsampler.a \
	src/config/libconfig.a src/base/libbase.a $(YAML_LIBS) $(UNISTRING_LIBS)

if HAVE_CURL
fuzz_targets += tests/fuzz/fuzz_http
EXTRA_DIST += tests/fuzz/http.dict
tests_fuzz_fuzz_http_SOURCES = tests/fuzz/fuzz_http.c $(FUZZ_MAIN)
tests_fuzz_fuzz_http_CPPFLAGS = $(TEST_CPPFLAGS)
tests_fuzz_fuzz_http_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_http_LDADD = src/pull/libpull.a src/net/libnet.a src/base/libbase.a $(UNISTRING_LIBS)
endif

fuzz_targets += tests/fuzz/fuzz_import
EXTRA_DIST += tests/fuzz/import.dict
tests_fuzz_fuzz_import_SOURCES = tests/fuzz/fuzz_import.c $(FUZZ_MAIN)
tests_fuzz_fuzz_import_CPPFLAGS = $(TEST_CPPFLAGS)
tests_fuzz_fuzz_import_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_import_LDADD = $(CHAT_LIBS) src/sampler/libsampler.a \
	src/config/libconfig.a src/base/libbase.a $(YAML_LIBS) $(UNISTRING_LIBS)

fuzz_targets += tests/fuzz/fuzz_jinja
EXTRA_DIST += tests/fuzz/jinja.dict
tests_fuzz_fuzz_jinja_SOURCES = tests/fuzz/fuzz_jinja.c $(FUZZ_MAIN)
tests_fuzz_fuzz_jinja_CPPFLAGS = $(TEST_CPPFLAGS)
tests_fuzz_fuzz_jinja_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_jinja_LDADD = src/jinja/libjinja.a src/base/libbase.a $(UNISTRING_LIBS)

fuzz_targets += tests/fuzz/fuzz_markdown
EXTRA_DIST += tests/fuzz/markdown.dict
tests_fuzz_fuzz_markdown_SOURCES = tests/fuzz/fuzz_markdown.c $(FUZZ_MAIN)
tests_fuzz_fuzz_markdown_CPPFLAGS = $(TEST_CPPFLAGS)
tests_fuzz_fuzz_markdown_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_markdown_LDADD = src/markdown/libmarkdown.a src/terminal/libterminal.a src/config/libconfig.a src/base/libbase.a \
	$(NCURSES_LIBS) $(YAML_LIBS) $(UNISTRING_LIBS) $(MD4C_LIBS)

fuzz_targets += tests/fuzz/fuzz_llama_server
EXTRA_DIST += tests/fuzz/llama_server.dict
tests_fuzz_fuzz_llama_server_SOURCES = tests/fuzz/fuzz_llama_server.c $(FUZZ_MAIN)
tests_fuzz_fuzz_llama_server_CPPFLAGS = $(TEST_CPPFLAGS)
tests_fuzz_fuzz_llama_server_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_llama_server_LDADD = $(REMOTE_LIBS) $(ENGINE_LIBS) src/config/libconfig.a src/base/libbase.a \
	$(YAML_LIBS) $(PCRE2_LIBS) $(UNISTRING_LIBS)
fuzz_targets += tests/fuzz/fuzz_published
EXTRA_DIST += tests/fuzz/published.dict
tests_fuzz_fuzz_published_SOURCES = tests/fuzz/fuzz_published.c $(FUZZ_MAIN)
tests_fuzz_fuzz_published_CPPFLAGS = $(TEST_CPPFLAGS)
tests_fuzz_fuzz_published_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_published_LDADD = $(PULL_LIBS) $(CHECKPOINT_LIBS) $(REMOTE_LIBS) $(ENGINE_LIBS) src/config/libconfig.a src/base/libbase.a \
	$(YAML_LIBS) $(PCRE2_LIBS) $(UNISTRING_LIBS)
fuzz_targets += tests/fuzz/fuzz_server_list
EXTRA_DIST += tests/fuzz/server_list.dict
tests_fuzz_fuzz_server_list_SOURCES = tests/fuzz/fuzz_server_list.c $(FUZZ_MAIN)
tests_fuzz_fuzz_server_list_CPPFLAGS = $(TEST_CPPFLAGS)
tests_fuzz_fuzz_server_list_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_server_list_LDADD = $(REMOTE_LIBS) $(ENGINE_LIBS) src/config/libconfig.a src/base/libbase.a \
	$(YAML_LIBS) $(PCRE2_LIBS) $(UNISTRING_LIBS)
fuzz_targets += tests/fuzz/fuzz_servers
EXTRA_DIST += tests/fuzz/servers.dict
tests_fuzz_fuzz_servers_SOURCES = tests/fuzz/fuzz_servers.c $(FUZZ_MAIN)
tests_fuzz_fuzz_servers_CPPFLAGS = $(TEST_CPPFLAGS)
tests_fuzz_fuzz_servers_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_servers_LDADD = $(SERVER_LIBS) $(REMOTE_LIBS) $(ENGINE_LIBS) src/config/libconfig.a src/base/libbase.a $(EXTERNAL_LIBS)

fuzz_targets += tests/fuzz/fuzz_vocabulary
EXTRA_DIST += tests/fuzz/vocabulary.dict
tests_fuzz_fuzz_vocabulary_SOURCES = tests/fuzz/fuzz_vocabulary.c $(FUZZ_MAIN)
tests_fuzz_fuzz_vocabulary_CPPFLAGS = $(TEST_CPPFLAGS)
tests_fuzz_fuzz_vocabulary_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_vocabulary_LDADD = tests/support/libsupport.a $(CHECKPOINT_LIBS) $(ENGINE_LIBS) src/base/libbase.a \
	$(PCRE2_LIBS) $(UNISTRING_LIBS)

if ENABLE_FUZZ
EXTRA_PROGRAMS += $(fuzz_targets)
else
check_PROGRAMS += $(fuzz_targets)
TESTS += $(fuzz_targets)
endif

FUZZ_SECONDS = 10
fuzz_runs = $(fuzz_targets:=.run)
.PHONY: fuzz fuzz-targets $(fuzz_runs)
if ENABLE_FUZZ
fuzz: $(fuzz_runs)
fuzz-targets: $(fuzz_targets)
# -j2 fuzzes with two at once.
$(fuzz_runs): $(fuzz_targets)
	@program=$(@:.run=); name=$${program##*/fuzz_}; \
	work=tests/fuzz/work/$$name; mkdir -p $$work; \
	dict=$(srcdir)/tests/fuzz/$$name.dict; \
	if test -f $$dict; then dict=-dict=$$dict; else dict=; fi; \
	echo "fuzz_$$name: $(FUZZ_SECONDS) s"; \
	ASAN_OPTIONS=quarantine_size_mb=16:$$ASAN_OPTIONS \
	$$program -max_total_time=$(FUZZ_SECONDS) -timeout=2 -rss_limit_mb=256 -max_len=65536 \
		-verbosity=1 -print_final_stats=1 -artifact_prefix=$$work/ $$dict \
		$$work $(srcdir)/tests/fuzz/corpus/$$name >$$work.log 2>&1 || \
		{ tail -40 $$work.log; echo "fuzz_$$name: FAILED, see $$work.log"; exit 1; }; \
	grep -E 'number_of_executed_units|peak_rss' $$work.log
else
fuzz fuzz-targets:
	@echo "fuzzing needs: configure --enable-fuzz CC=clang" >&2; exit 1
endif
clean-local: clean-fuzz
clean-fuzz:
	rm -rf tests/fuzz/work
