noinst_LIBRARIES += src/config/libconfig.a
src_config_libconfig_a_SOURCES =
