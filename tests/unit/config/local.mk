check_PROGRAMS += tests/unit/config/test_config
TESTS += tests/unit/config/test_config
tests_unit_config_test_config_SOURCES = \
	tests/unit/config/test_keep.c \
	tests/unit/config/test_preset.c \
	tests/unit/config/test_server_key.c \
	tests/unit/config/test_servers.c \
	tests/unit/config/test_servers_add.c \
	tests/unit/config/test_settings.c \
	tests/unit/config/test_theme.c \
	tests/unit/config/test_yaml.c \
	tests/unit/config/test_yaml_lines.c \
	tests/unit/config/test_yaml_scalar.c
tests_unit_config_test_config_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_config_test_config_LDADD = tests/support/libsupport.a src/config/libconfig.a src/base/libbase.a \
	$(TEST_LIBS) $(EXTERNAL_LIBS)
