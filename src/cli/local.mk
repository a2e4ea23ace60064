noinst_LIBRARIES += src/cli/libcli.a
src_cli_libcli_a_SOURCES = \
	src/cli/backends.c src/cli/backends.h \
	src/cli/bar.c src/cli/bar.h \
	src/cli/bench.c \
	src/cli/bench_limits.c src/cli/bench_limits.h \
	src/cli/bench_result.c src/cli/bench_result.h \
	src/cli/chat.c \
	src/cli/chats.c \
	src/cli/chats_change.c src/cli/chats_change.h \
	src/cli/checkpoint_model.c src/cli/checkpoint_model.h \
	src/cli/compare.c \
	src/cli/compare_chats.c \
	src/cli/compare_json.c \
	src/cli/compare_result.c src/cli/compare_result.h \
	src/cli/compare_served.c src/cli/compare_served.h \
	src/cli/compare_text.c src/cli/compare_text.h \
	src/cli/completions.c src/cli/completions.h \
	src/cli/context.c src/cli/context.h \
	src/cli/convert.c \
	src/cli/converting.c src/cli/converting.h \
	src/cli/doctor.c \
	src/cli/evaluate.c src/cli/evaluate.h \
	src/cli/figures.c src/cli/figures.h \
	src/cli/heat_map.c src/cli/heat_map.h \
	src/cli/logits.c \
	src/cli/info.c src/cli/input.c src/cli/input.h \
	src/cli/models.c \
	src/cli/models_change.c src/cli/models_change.h \
	src/cli/conversation.c src/cli/conversation.h \
	src/cli/perplexity.c \
	src/cli/print.c src/cli/print.h \
	src/cli/pull.c \
	src/cli/pull_table.c src/cli/pull_table.h \
	src/cli/quantize.c \
	src/cli/quote.c src/cli/quote.h \
	src/cli/render.c \
	src/cli/replay.c \
	src/cli/replay_run.c src/cli/replay_run.h \
	src/cli/replay_text.c src/cli/replay_text.h \
	src/cli/reply.c src/cli/reply.h \
	src/cli/reply_json.c src/cli/reply_json.h \
	src/cli/run.c \
	src/cli/served_reply.c src/cli/served_reply.h \
	src/cli/servers.c \
	src/cli/setup.c src/cli/setup.h \
	src/cli/status_line.c src/cli/status_line.h \
	src/cli/subcommands.c src/cli/subcommands.h \
	src/cli/stop.c src/cli/stop.h \
	src/cli/text_input.c src/cli/text_input.h \
	src/cli/tokenize.c \
	src/cli/trace.c \
	src/cli/trace_input.c \
	src/cli/trace_layers.c \
	src/cli/trace_tables.c \
	src/cli/trace_tokens.c \
	src/cli/trace_views.h \
	src/cli/trial.c src/cli/trial.h \
	src/cli/type_word.c src/cli/type_word.h
