noinst_LIBRARIES += src/ui/libui.a
src_ui_libui_a_SOURCES = \
	src/ui/app.c src/ui/app.h \
	src/ui/app_branch.c \
	src/ui/app_chats.c \
	src/ui/app_copy.c \
	src/ui/app_draw.c \
	src/ui/app_edit.c \
	src/ui/app_find.c \
	src/ui/app_first.c \
	src/ui/app_guide.c \
	src/ui/app_import.c \
	src/ui/app_inspect.c \
	src/ui/app_internal.h \
	src/ui/app_keys.c \
	src/ui/app_library.c \
	src/ui/app_load.c \
	src/ui/app_models.c \
	src/ui/app_panel.c \
	src/ui/app_pick.c \
	src/ui/app_presets.c \
	src/ui/app_queue.c \
	src/ui/app_reply.c \
	src/ui/app_settings.c \
	src/ui/app_store.c \
	src/ui/app_template.c \
	src/ui/app_themes.c \
	src/ui/app_turn.c \
	src/ui/app_write.c \
	src/ui/cells.c src/ui/cells.h \
	src/ui/chat_view.c src/ui/chat_view.h \
	src/ui/child.c src/ui/child.h \
	src/ui/clipboard.c src/ui/clipboard.h \
	src/ui/command_line.c \
	src/ui/commands.c src/ui/commands.h \
	src/ui/complete.c src/ui/complete.h \
	src/ui/editor.c src/ui/editor.h \
	src/ui/first_screen.c src/ui/first_screen.h \
	src/ui/help_text.c src/ui/help_text.h \
	src/ui/highlight.c src/ui/highlight.h \
	src/ui/input.c src/ui/input.h \
	src/ui/input_layout.c src/ui/input_layout.h \
	src/ui/input_line.c src/ui/input_line.h \
	src/ui/key.h \
	src/ui/keymap.c src/ui/keymap.h \
	src/ui/line_history.c src/ui/line_history.h \
	src/ui/osc52.c src/ui/osc52.h \
	src/ui/markdown.c src/ui/markdown.h src/ui/markdown_internal.h \
	src/ui/markdown_block.c src/ui/markdown_block.h \
	src/ui/markdown_inline.c \
	src/ui/markdown_prepare.c \
	src/ui/markdown_segment.c \
	src/ui/markdown_styled.c \
	src/ui/markdown_table.c \
	src/ui/panel.c src/ui/panel.h \
	src/ui/panel_form.c src/ui/panel_form.h \
	src/ui/panel_help.c \
	src/ui/panel_inspect.c \
	src/ui/panel_list.c \
	src/ui/panel_sampler.c \
	src/ui/params.c src/ui/params.h \
	src/ui/signals.c src/ui/signals.h \
	src/ui/status.c src/ui/status.h \
	src/ui/style.c src/ui/style.h \
	src/ui/term.c src/ui/term.h \
	src/ui/wrap.c src/ui/wrap.h
