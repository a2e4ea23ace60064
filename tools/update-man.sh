#!/bin/sh
# Fills in the parts of sotto(1) that come from the program's own tables, which
# stand between .\" BEGIN NAME and .\" END NAME lines.
# usage: update-man.sh PAGE SOTTO MAN_TABLES   prints the page as it should be
set -eu
LC_ALL=C
export LC_ALL
page=$1 sotto=$2 tables=$3

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# The option lines of a --help text as .TP paragraphs:
#   "  -m, --model FILE      the model" or the help alone on the next line.
options_to_roff() {
	awk '
	function roff(text) {
		gsub(/\\/, "\\e", text)
		gsub(/-/, "\\-", text)
		sub(/^[.\047]/, "\\\\\\&&", text)
		return text
	}
	function put(flags, help,   n, i, words, line) {
		n = split(flags, words, /, /)
		line = ""
		for (i = 1; i <= n; i++) {
			name = words[i]; argument = ""
			if (match(name, / /)) {
				argument = substr(name, RSTART + 1)
				name = substr(name, 1, RSTART - 1)
			}
			line = line (i > 1 ? ", " : "") "\\fB" roff(name) "\\fR"
			if (argument != "")
				line = line " \\fI" roff(argument) "\\fR"
		}
		print ".TP\n" line "\n" roff(help) "."
	}
	waiting != "" { sub(/^ +/, ""); put(waiting, $0); waiting = ""; next }
	/^  -/ {
		text = substr($0, 3)
		if (match(text, /   *[^ ]/)) {
			help = substr(text, RSTART)
			sub(/^ +/, "", help)
			put(substr(text, 1, RSTART - 1), help)
		} else {
			waiting = text
		}
	}'
}

# What a subcommand says of itself, and the options that the chat has not.
subcommand_to_roff() {
	"$sotto" "$1" --help >"$work/help"
	printf '.SS %s\n' "$1"
	sed -n 's/-/\\-/g; s/^usage: \(.*\)/.B \1/p' "$work/help"
	echo .PP
	sed -n '/^usage:/d; /^$/q; /^       sotto/d; s/\\/\\e/g; s/-/\\-/g; p' "$work/help"
	options_to_roff <"$work/help" >"$work/own"
	# Paragraphs of three lines: those of the chat are taken out.
	paste - - - <"$work/own" | grep -vxFf "$work/common" | tr '\t' '\n' || true
	types_to_roff <"$work/help"
}

# The table of types that a --help may end with.
types_to_roff() {
	awk '
	/^Types/ { on = 1; print ".PP\n" $0; next }
	on && /^$/ { exit }
	on {
		name = $1
		sub(/^ *[^ ]+ +/, "")
		gsub(/-/, "\\-")
		print ".TP\n\\fB" name "\\fR\n" $0 "."
	}'
}

"$sotto" --help >"$work/main"
options_to_roff <"$work/main" >"$work/options"
paste - - - <"$work/options" >"$work/common"
sed -n '/^Commands/,$s/^  \([a-z]*\)  *.*/\1/p' "$work/main" |
	while read -r name; do subcommand_to_roff "$name"; done >"$work/subcommands"
for name in keys panel-keys actions commands; do
	"$tables" "$name" >"$work/$name"
done

awk -v work="$work" '
	/^\.\\" BEGIN / {
		print
		while ((getline line < (work "/" $3)) > 0)
			print line
		skip = 1
		next
	}
	/^\.\\" END / { skip = 0 }
	!skip
' "$page"
