#!/bin/sh
# sotto(1) says what the program's tables say, and no page what only make or configure
# understands. usage: from `make check`
set -eu
work=$(mktemp)
trap 'rm -f "$work"' EXIT
"$srcdir/tools/update-man.sh" "$srcdir/man/sotto.1" ./sotto ./tools/man_tables >"$work"
if ! diff -u "$srcdir/man/sotto.1" "$work"; then
	echo "man/sotto.1 is not what the tables say: make update-man" >&2
	exit 1
fi
if grep -n '[$][({]\|@[A-Za-z_]*@' "$srcdir"/man/*.[1-9]; then
	echo "the lines above name a variable of the build: it is printed as it stands" >&2
	exit 1
fi
