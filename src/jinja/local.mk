noinst_LIBRARIES += src/jinja/libjinja.a
src_jinja_libjinja_a_SOURCES = \
	src/jinja/access.c \
	src/jinja/arena.c src/jinja/arena.h \
	src/jinja/ast.h \
	src/jinja/builtin.c \
	src/jinja/builtins.h \
	src/jinja/casing.c src/jinja/casing.h \
	src/jinja/compare.c \
	src/jinja/container_methods.c \
	src/jinja/dict.c \
	src/jinja/eval.c src/jinja/eval.h \
	src/jinja/eval_stmt.c \
	src/jinja/filters.c src/jinja/filters.h \
	src/jinja/filters_items.c \
	src/jinja/filters_map.c \
	src/jinja/filters_number.c \
	src/jinja/filters_sort.c \
	src/jinja/filters_text.c \
	src/jinja/frame.c src/jinja/frame.h \
	src/jinja/globals.c \
	src/jinja/hash.c src/jinja/hash.h \
	src/jinja/iterate.c \
	src/jinja/jinja.c src/jinja/jinja.h \
	src/jinja/json.c \
	src/jinja/lexer.c src/jinja/lexer.h \
	src/jinja/lexer_inside.c \
	src/jinja/loop.c \
	src/jinja/macro.c \
	src/jinja/names.h \
	src/jinja/object.h \
	src/jinja/operators.c \
	src/jinja/parse_expr.c \
	src/jinja/parse_primary.c \
	src/jinja/parse_stmt.c \
	src/jinja/parser.c \
	src/jinja/parser_internal.h \
	src/jinja/print.c \
	src/jinja/render.c src/jinja/render.h \
	src/jinja/resolve.c \
	src/jinja/results.c \
	src/jinja/scope.h \
	src/jinja/string_methods.c \
	src/jinja/symbols.c src/jinja/symbols.h \
	src/jinja/tests.c \
	src/jinja/text.c src/jinja/text.h \
	src/jinja/undefined.c \
	src/jinja/value.c src/jinja/value.h
