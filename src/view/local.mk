noinst_LIBRARIES += src/view/libview.a
src_view_libview_a_SOURCES = \
	src/view/band_runs.c src/view/band_runs.h \
	src/view/candidate_rows.c src/view/candidate_rows.h \
	src/view/chat_draw.c \
	src/view/chat_rows.c \
	src/view/chat_scroll.c \
	src/view/chat_view.c src/view/chat_view.h \
	src/view/chat_view_internal.h \
	src/view/distribution.c src/view/distribution.h \
	src/view/first_screen.c src/view/first_screen.h \
	src/view/line_flow.c src/view/line_flow.h \
	src/view/line_out.c src/view/line_out.h \
	src/view/message_parts.c src/view/message_parts.h \
	src/view/panel.c src/view/panel.h \
	src/view/panel_chats.c src/view/panel_chats.h \
	src/view/panel_context.c src/view/panel_context.h \
	src/view/panel_form.c src/view/panel_form.h \
	src/view/panel_inspect.c \
	src/view/panel_list.c \
	src/view/panel_progress.c src/view/panel_progress.h \
	src/view/panel_sampler.c src/view/panel_sampler.h \
	src/view/panel_sampler_internal.h \
	src/view/panel_sampler_keys.c \
	src/view/panel_takes.c src/view/panel_takes.h src/view/panel_takes_internal.h \
	src/view/panel_takes_words.c \
	src/view/panel_tokens.c src/view/panel_tokens.h src/view/panel_tokens_internal.h \
	src/view/panel_tokens_foot.c src/view/panel_tokens_lines.c \
	src/view/sampling_marks.c src/view/sampling_marks.h \
	src/view/slider.c src/view/slider.h \
	src/view/sparkline.c src/view/sparkline.h \
	src/view/status.c src/view/status.h \
	src/view/theme_sample.c src/view/theme_sample.h \
	src/view/token_text.c src/view/token_text.h
