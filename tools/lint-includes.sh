#!/bin/sh
# The direction of dependencies between the folders of src/ (ARCHITECTURE.md),
# and a few words that may not stand where they are not wanted.
# usage: lint-includes.sh [SOURCE-TREE]
set -eu
LC_ALL=C
export LC_ALL
top=${1:-${srcdir:-$(dirname "$0")/..}}
cd "$top"
failed=0

fail() {
	echo "lint: $*" >&2
	failed=1
}

# folder: what it may include besides itself and base/, as the table in ARCHITECTURE.md has it
allowed() {
	for word in $(grep "^| \`$1\` |" ARCHITECTURE.md | awk -F'|' '{ gsub(",", "", $4); print $4 }'); do
		case $word in
		nothing) ;;
		everything) ls src | sed 's,$,/,' ;;
		*.h) echo "$word" ;;
		*) echo "$word/" ;;
		esac
	done
}

for dir in src/*/; do
	folder=$(basename "$dir")
	grep -q "^| \`$folder\` |" ARCHITECTURE.md || fail "$dir: not in ARCHITECTURE.md's table"
	rules="$folder/ base/ "$(allowed "$folder")
	for file in $(find "$dir" -name '*.[ch]'); do
		for include in $(sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"\([^"]*\)".*/\1/p' "$file"); do
			ok=no
			[ "$include" = config.h ] && ok=yes
			for rule in $rules; do
				case $include in "$rule"*) ok=yes ;; esac
			done
			[ $ok = yes ] || fail "$file may not include \"$include\""
		done
	done
done

# word; where it may stand; why
forbid() {
	pattern=$1 where=$2 why=$3
	for file in $(grep -rlE "$pattern" src --include='*.[ch]' || true); do
		case " $where " in
		*" $(dirname "$file") "* | *" $file "*) ;;
		*) fail "$file: $(grep -nE "$pattern" "$file" | head -1): $why" ;;
		esac
	done
}
forbid '#[[:space:]]*include <(n?curses|ncursesw/|term)' "src/terminal" "curses belongs to the terminal"
forbid '#[[:space:]]*include <readline/' "src/line" "readline belongs to the input line"
forbid '#[[:space:]]*include <yaml\.h>' "src/config" "libyaml belongs to config"
forbid '#[[:space:]]*include <pcre2\.h>' "src/tokenizer" "PCRE2 belongs to the tokenizer"
forbid '#[[:space:]]*include <sqlite3\.h>' "src/search" "SQLite belongs to the search"
forbid '#[[:space:]]*include <curl/' "src/net" "libcurl belongs to net"
forbid '#[[:space:]]*include <openssl/' "src/base/digest.c" "libcrypto belongs to the digests"
forbid '#[[:space:]]*include <md4c\.h>' "src/markdown" "md4c belongs to markdown"
forbid '(^|[^_[:alnum:]])_?exit\(' "src src/cli" "only main and cli may exit"
forbid '(^|[^_[:alnum:]])(strcat|sprintf|vsprintf|gets|strtok|atoi|atof)\(' "" "unsafe or unchecked call"
forbid '(^|[^_[:alnum:]])assert\(' "" "input is not validated by assert, which NDEBUG removes"
forbid '(^|[^_[:alnum:]])(addstr|addnstr|printw|mvprintw|waddstr|mvaddstr|waddnstr|wprintw|mvwprintw|mvwaddstr)\(' "" "draw through terminal/cells.h, which takes sanitised text only"

# One word for one thing in what users read: pattern within a string; the word wanted
say() {
	forbid "\"([^\"]*[^[:alnum:]\"])?$1([^[:alnum:]\"][^\"]*)?\"" "" "say '$2'"
}
say 'director(y|ies)' folder
say '(out of|no) memory' 'not enough memory'
say 'cannot stat' 'cannot look at it'
say 'ill-formed UTF-8' 'not UTF-8'
say '(that|which|what) (is|are) no' 'is not'
say '(not a|of the|from the) transcript' "chat, or chat's file"

for file in $(find src -name '*.[ch]'); do
	lines=$(wc -l <"$file")
	[ "$lines" -le 800 ] || fail "$file: $lines lines; split it (800 at the most)"
done

# A source that no makefile names is neither built nor in the tarball.
for file in $(find src tests bench -name '*.[ch]'); do
	name=$(basename "$file")
	grep -rqwE --include=local.mk --include=Makefile.am "$name|${name%.c}" \
		Makefile.am src tests bench || fail "$file: named in no local.mk"
done

[ $failed = 0 ] && echo "lint: ok"
exit $failed
