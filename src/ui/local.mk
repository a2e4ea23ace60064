noinst_LIBRARIES += src/ui/libui.a
src_ui_libui_a_SOURCES = \
	src/ui/app.c src/ui/app.h \
	src/ui/app_branch.c src/ui/app_branch.h \
	src/ui/app_branch_at.c src/ui/app_branch_at.h \
	src/ui/app_chats.c src/ui/app_chats.h \
	src/ui/app_confidence.c src/ui/app_confidence.h \
	src/ui/app_convert.c src/ui/app_convert.h \
	src/ui/app_copy.c src/ui/app_copy.h \
	src/ui/app_draft.c src/ui/app_draft.h \
	src/ui/app_edit.c src/ui/app_edit.h \
	src/ui/app_examine.c src/ui/app_examine.h \
	src/ui/app_events.c src/ui/app_events.h \
	src/ui/app_farewell.c src/ui/app_farewell.h \
	src/ui/app_files.c src/ui/app_files.h \
	src/ui/app_find.c src/ui/app_find.h \
	src/ui/app_first.c src/ui/app_first.h \
	src/ui/app_import.c src/ui/app_import.h \
	src/ui/app_inspect.c src/ui/app_inspect.h \
	src/ui/app_keep.c src/ui/app_keep.h \
	src/ui/app_keymap.c src/ui/app_keymap.h \
	src/ui/app_keys.c src/ui/app_keys.h \
	src/ui/app_load.c src/ui/app_load.h \
	src/ui/app_log.c src/ui/app_log.h \
	src/ui/app_models.c src/ui/app_models.h \
	src/ui/app_panel.c src/ui/app_panel.h \
	src/ui/app_pick.c src/ui/app_pick.h \
	src/ui/app_presets.c src/ui/app_presets.h \
	src/ui/app_pull.c src/ui/app_pull.h \
	src/ui/app_pull_state.c \
	src/ui/app_queue.c src/ui/app_queue.h \
	src/ui/app_reply.c src/ui/app_reply.h \
	src/ui/app_score.c src/ui/app_score.h \
	src/ui/app_send.c src/ui/app_send.h \
	src/ui/app_servers.c src/ui/app_servers.h \
	src/ui/app_settings.c src/ui/app_settings.h \
	src/ui/app_sliders.c src/ui/app_sliders.h \
	src/ui/app_offer.c src/ui/app_offer.h \
	src/ui/app_open.c src/ui/app_open.h \
	src/ui/app_stats.c src/ui/app_stats.h \
	src/ui/app_system.c src/ui/app_system.h \
	src/ui/app_takes.c src/ui/app_takes.h \
	src/ui/app_template.c src/ui/app_template.h \
	src/ui/app_terminal.c src/ui/app_terminal.h \
	src/ui/app_themes.c src/ui/app_themes.h \
	src/ui/app_tokens.c src/ui/app_tokens.h \
	src/ui/app_wait.c src/ui/app_wait.h \
	src/ui/app_wrong.c src/ui/app_wrong.h \
	src/ui/app_write.c src/ui/app_write.h \
	src/ui/command.h \
	src/ui/command_line.c \
	src/ui/commands.c src/ui/commands.h \
	src/ui/complete.c src/ui/complete.h \
	src/ui/front.h \
	src/ui/front_lines.c \
	src/ui/front_screen.c \
	src/ui/help_text.c src/ui/help_text.h \
	src/ui/keymap.c src/ui/keymap.h \
	src/ui/keys.c \
	src/ui/listers.c src/ui/listers.h \
	src/ui/model_rows.c src/ui/model_rows.h \
	src/ui/panel_help.c src/ui/panel_help.h \
	src/ui/params.c src/ui/params.h \
	src/ui/pull_rows.c src/ui/pull_rows.h \
	src/ui/state.h \
	src/ui/tell.c src/ui/tell.h \
	src/ui/tell_facts.c \
	src/ui/typed.c src/ui/typed.h
