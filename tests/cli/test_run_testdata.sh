#!/bin/bash
# sotto run on the reference model: prompt and continuation are the greedy
# text, however it is computed. SOTTO_TEST_LONG tries every batch size.
set -u
sotto=$PWD/sotto
data=${SOTTO_TESTDATA:-$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)/../shared/testdata}
model=$data/models/stories260K-f32.gguf
if [ ! -f "$model" ]; then
	echo "skipped: looked for $model"
	exit 77
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export HOME=$work XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work
passed=0 failed=0
sed '1s/^ //' "$data/logits/stories260K-f32.greedy.txt" >"$work/expected"

check() { # ARGUMENT...
	printf 'Once upon a time' >"$work/text"
	"$sotto" run -m "$model" --raw -p "Once upon a time" -n 200 --temp 0 "$@" \
		>>"$work/text" 2>"$work/err" </dev/null
	if [ $? = 0 ] && [ ! -s "$work/err" ] && cmp -s "$work/expected" "$work/text"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL: run $*: $(cat "$work/err" "$work/text")"
	fi
}

if [ "${SOTTO_TEST_LONG:-}" ]; then
	sizes=$(seq 1 64)
else
	sizes='1 2 3 5 7 8 16 31 33 64'
fi
for size in $sizes; do
	check --batch-size "$size"
done
check
check -t 1
check -t 3
check -ctk f32 -ctv f32
check --no-kv-cache
[ "${SOTTO_TEST_LONG:-}" ] && check --no-kv-cache --batch-size 7 -t 2

# Models whose weights say one given reply (reports/README.md): what it is divided into.
expect() { # MODEL PATTERN
	gunzip -c "$data/reports/engine/$1.gguf.gz" >"$work/$1.gguf" &&
		"$sotto" run -m "$work/$1.gguf" --json --temp 0 -p hi >"$work/out" 2>"$work/err" </dev/null &&
		[[ $(cat "$work/out" "$work/err") =~ $2 ]]
	if [ $? = 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL: $1: $(cat "$work/out" "$work/err")"
	fi
}
if [ -d "$data/reports/engine" ]; then
	expect f1-bpe '^\{"reply": "Hello you", "thinking": null,'
	expect f2 '^\{"reply": "", .*the model calls a tool.*functions.x'
	expect f6 '^\{"reply": "Hello you", .*"chat_template": "model.s own"'
	expect f9 '^\{"reply": "Hello", "thinking": "Deep thought",'
	expect f9-ok '^\{"reply": "Hello", "thinking": "Deep thought",'
fi
echo "$passed passed, $failed failed"
[ $failed = 0 ]
