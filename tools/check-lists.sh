#!/bin/sh
# src/jinja/README.md lists what the tables hold. usage: from `make check`
set -eu
work=$(mktemp)
trap 'rm -f "$work"' EXIT
"$srcdir/tools/update-lists.sh" "$srcdir/src/jinja/README.md" ./tools/jinja_lists >"$work"
if ! diff -u "$srcdir/src/jinja/README.md" "$work"; then
	echo "src/jinja/README.md does not list what the tables hold: make update-lists" >&2
	exit 1
fi
