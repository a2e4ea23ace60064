noinst_LIBRARIES += src/ui/libui.a
src_ui_libui_a_SOURCES =
