#!/bin/sh
# tools/circles.sh on rooms compiled here: which calls close a circle, and which circle is too large.
set -eu
top=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
cc=$(command -v "${CC:-cc}" || command -v gcc || command -v clang) || exit 77
command -v "${NM:-nm}" >/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir -p src/base
touch config.h
export srcdir=.
failed=0

# check NAME STATUS OUTPUT: of circles.sh on the room "files"
check() {
	status=0
	out=$(sh "$top/tools/circles.sh" files) || status=$?
	if [ "$status" != "$2" ] || [ "$out" != "$3" ]; then
		printf 'FAIL: %s: exit %s, expected %s; got:\n%s\nexpected:\n%s\n' "$1" "$status" "$2" "$out" "$3"
		failed=1
	fi
}

# file NAME CODE: an object of the room
file() {
	echo "$2" >"$1.c"
	"$cc" -c -o "src/files/$1.o" "$1.c"
}

fresh() {
	rm -rf src/files
	mkdir src/files
}

# ring N: file 1 calls file 2, and so on; the last one calls the first
ring() {
	fresh
	i=1
	while [ "$i" -le "$1" ]; do
		file "f$i" "void f$((i % $1 + 1))(void); void f$i(void) { f$((i % $1 + 1))(); }"
		i=$((i + 1))
	done
}

fresh
file above 'int middle(void); static int low(void) { return 2; } int above(void) { return middle() + low(); }'
file middle 'int low(void); int middle(void) { return low(); }'
file low 'static int above(void) { return 1; } int low(void) { return above(); }'
check "static functions of one name are no calls" 0 "files: 1 of 3 files in a circle"

file low 'int above(void); int (*const rows[])(void) = {above}; int low(void) { return 1; }'
file beside 'int low(void); int beside(void) { return low(); }'
check "a table row is a call" 0 "files: 3 of 4 files in a circle
	above -> middle: middle
	low -> above: above
	middle -> low: low"

(cd src/files && ar cr libfiles.a ./*.o && touch left-over.o)
check "an archive counts, not what was left beside it" 0 "files: 3 of 4 files in a circle
	above -> middle: middle
	low -> above: above
	middle -> low: low"

ring 8
check "eight" 0 "files: 8 of 8 files in a circle
$(for i in 1 2 3 4 5 6 7 8; do printf '\tf%s -> f%s: f%s\n' $i $((i % 8 + 1)) $((i % 8 + 1)); done)"

ring 9
check "nine" 1 "files: 9 of 9 files in a circle, 8 at the most
$(for i in 1 2 3 4 5 6 7 8 9; do printf '\tf%s -> f%s: f%s\n' $i $((i % 9 + 1)) $((i % 9 + 1)); done)"

fresh
if sh "$top/tools/circles.sh" files >/dev/null 2>&1; then
	echo "FAIL: a room that was not built passes"
	failed=1
fi
exit $failed
