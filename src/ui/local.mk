noinst_LIBRARIES += src/ui/libui.a
src_ui_libui_a_SOURCES = \
	src/ui/app.c src/ui/app.h \
	src/ui/app_branch.c \
	src/ui/app_chats.c \
	src/ui/app_chats_panel.c \
	src/ui/app_context.c \
	src/ui/app_copy.c \
	src/ui/app_draft.c \
	src/ui/app_draw.c \
	src/ui/app_edit.c \
	src/ui/app_files.c \
	src/ui/app_find.c \
	src/ui/app_first.c \
	src/ui/app_guide.c \
	src/ui/app_import.c \
	src/ui/app_inspect.c \
	src/ui/app_internal.h \
	src/ui/app_keep.c \
	src/ui/app_keymap.c \
	src/ui/app_keys.c \
	src/ui/app_library.c \
	src/ui/app_line.c src/ui/app_line.h \
	src/ui/app_load.c \
	src/ui/app_marks.c \
	src/ui/app_mention.c \
	src/ui/app_models.c \
	src/ui/app_panel.c \
	src/ui/app_part.c \
	src/ui/app_pick.c \
	src/ui/app_presets.c \
	src/ui/app_queue.c \
	src/ui/app_queue_edit.c \
	src/ui/app_refused.c \
	src/ui/app_reply.c \
	src/ui/app_scrollback.c \
	src/ui/app_settings.c \
	src/ui/app_store.c \
	src/ui/app_summary.c \
	src/ui/app_template.c \
	src/ui/app_terminal.c \
	src/ui/app_themes.c \
	src/ui/app_turn.c \
	src/ui/app_write.c \
	src/ui/command_line.c \
	src/ui/commands.c src/ui/commands.h \
	src/ui/complete.c src/ui/complete.h \
	src/ui/help_text.c src/ui/help_text.h \
	src/ui/key_hints.c src/ui/key_hints.h \
	src/ui/keymap.c src/ui/keymap.h \
	src/ui/keymap_file.c \
	src/ui/keymap_internal.h \
	src/ui/panel_help.c src/ui/panel_help.h \
	src/ui/params.c src/ui/params.h
