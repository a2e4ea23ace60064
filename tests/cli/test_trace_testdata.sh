#!/bin/bash
# sotto trace --layers against the float64 traces of testdata: root mean square and mean after each layer, to 1e-3 where
# the file has half or full precision, to 1e-2 where activations are rounded, too.
set -u
sotto=$PWD/sotto
data=${SOTTO_TESTDATA:-$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)/../shared/testdata}
if [ ! -d "$data/logits" ]; then
	echo "skipped: looked for $data/logits"
	exit 77
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export HOME=$work XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work
passed=0 failed=0

compare() { # EXPECTED FOUND TOLERANCE: names, and numbers that are near enough
	paste -d ' ' "$1" "$2" | awk -v near="$3" '
		function off(a, b) { return a > b ? a - b : b - a }
		NF != 6 || $1 != $4 || off($2, $5) > near || off($3, $6) > near { print; wrong = 1 }
		END { exit wrong || NR == 0 }'
}

for trace in "$data"/logits/*.trace; do
	name=$(basename "$trace" .trace)
	case $name in
	*f32* | *f16*) near=1e-3 ;;
	*) near=1e-2 ;;
	esac
	if "$sotto" trace -m "$data/models/$name.gguf" --ids "$(cat "$data/logits/$name.ids")" --layers >"$work/found" &&
		compare "$trace" "$work/found" "$near" >"$work/off"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL: $name: $(head -3 "$work/off")"
	fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
