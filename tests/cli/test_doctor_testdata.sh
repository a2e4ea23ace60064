#!/bin/bash
# sotto doctor finds nothing in the models of the reference data, but for architectures that are not supported.
set -u
sotto=$PWD/sotto
data=${SOTTO_TESTDATA:-$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)/../shared/testdata}
if [ ! -d "$data/families" ]; then
	echo "skipped: looked for $data/families"
	exit 77
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export HOME=$work XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work
passed=0 failed=0 unsupported=0
for model in "$data"/models/*.gguf "$data"/families*/*.gguf guide; do
	"$sotto" doctor "$model" >"$work/out" 2>"$work/err" </dev/null
	code=$?
	if [ $code = 0 ]; then
		passed=$((passed + 1))
	elif [ $code = 3 ] && grep -q 'architecture .* is not supported' "$work/err"; then
		unsupported=$((unsupported + 1))
	else
		failed=$((failed + 1))
		echo "FAIL: $model: exit $code: $(cat "$work/err") $(grep -A1 FINDING "$work/out")"
	fi
done
echo "$passed passed, $failed failed, $unsupported of architectures that are not supported"
[ "$failed" = 0 ] && [ "$passed" -gt 70 ]
