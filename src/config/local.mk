noinst_LIBRARIES += src/config/libconfig.a
src_config_libconfig_a_SOURCES = \
	src/config/preset.c src/config/preset.h \
	src/config/secret_file.c src/config/secret_file.h \
	src/config/server_command.c src/config/server_command.h \
	src/config/server_key.c \
	src/config/servers.c src/config/servers.h \
	src/config/servers_add.c src/config/servers_add.h \
	src/config/servers_entry.c src/config/servers_entry.h \
	src/config/servers_environment.c \
	src/config/servers_mask.c src/config/servers_mask.h \
	src/config/servers_parts.c \
	src/config/settings.c src/config/settings.h \
	src/config/settings_argv.c \
	src/config/settings_environment.c \
	src/config/settings_edit.c \
	src/config/settings_internal.h \
	src/config/settings_keep.c \
	src/config/settings_print.c \
	src/config/theme.c src/config/theme.h \
	src/config/theme_file.c \
	src/config/yaml.c src/config/yaml.h \
	src/config/yaml_breaks.c src/config/yaml_breaks.h \
	src/config/yaml_lines.c src/config/yaml_lines.h \
	src/config/yaml_scalar.c src/config/yaml_scalar.h
