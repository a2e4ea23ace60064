noinst_LIBRARIES += src/engine/libengine.a
src_engine_libengine_a_SOURCES =
