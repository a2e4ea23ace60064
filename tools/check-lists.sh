#!/bin/sh
# ARCHITECTURE.md lists what the tables hold. usage: from `make check`
set -eu
work=$(mktemp)
trap 'rm -f "$work"' EXIT
"$srcdir/tools/update-lists.sh" "$srcdir/ARCHITECTURE.md" ./tools/jinja_lists >"$work"
if ! diff -u "$srcdir/ARCHITECTURE.md" "$work"; then
	echo "ARCHITECTURE.md does not list what the tables hold: make update-lists" >&2
	exit 1
fi
