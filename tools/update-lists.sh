#!/bin/sh
# Fills in the lists of src/jinja/README.md that come from the program's own
# tables, which stand between BEGIN and END lines.
# usage: update-lists.sh PAGE JINJA_LISTS   prints the page as it should be
set -eu
"$2" | awk '
	NR == FNR { lists = lists $0 "\n"; next }
	/^<!-- BEGIN jinja/ { print; printf "%s", lists; skip = 1; next }
	/^<!-- END jinja/ { skip = 0 }
	!skip
' - "$1"
