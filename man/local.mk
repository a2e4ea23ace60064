dist_man_MANS += man/sotto.1 man/sotto-prompt.5 man/sotto-servers.5 man/sotto-theme.5 man/sotto-transcript.5

# The pages name the data directory of an installation without --prefix.
install-data-hook:
	for page in sotto.1 sotto-prompt.5; do \
		file="$(DESTDIR)$(mandir)/man$${page##*.}/$$page"; \
		sed 's|/usr/local/share/sotto|$(pkgdatadir)|g' "$$file" >"$$file.new" && \
			cat "$$file.new" >"$$file" && rm "$$file.new" || exit 1; \
	done

# The tables in sotto(1) are the program's own.
check_PROGRAMS += tools/man_tables
tools_man_tables_SOURCES = tools/man_tables.c
tools_man_tables_LDADD = $(sotto_LDADD)
TESTS += tools/check-man.sh
EXTRA_DIST += tools/check-man.sh tools/update-man.sh

.PHONY: update-man
update-man: sotto tools/man_tables
	$(AM_V_GEN)$(srcdir)/tools/update-man.sh $(srcdir)/man/sotto.1 ./sotto tools/man_tables \
		>sotto.1.new && mv sotto.1.new $(srcdir)/man/sotto.1

# The lists in src/jinja/README.md too.
check_PROGRAMS += tools/jinja_lists
tools_jinja_lists_SOURCES = tools/jinja_lists.c
tools_jinja_lists_LDADD = src/jinja/libjinja.a src/base/libbase.a $(UNISTRING_LIBS)
TESTS += tools/check-lists.sh
EXTRA_DIST += src/jinja/README.md tools/check-lists.sh tools/update-lists.sh

.PHONY: update-lists
update-lists: tools/jinja_lists
	$(AM_V_GEN)$(srcdir)/tools/update-lists.sh $(srcdir)/src/jinja/README.md tools/jinja_lists \
		>lists.new && mv lists.new $(srcdir)/src/jinja/README.md
