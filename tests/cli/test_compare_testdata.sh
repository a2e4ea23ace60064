#!/bin/bash
# The figures of sotto compare and perplexity beside those of llama-perplexity: recorded ones
# (tests/vectors/compare), and those of the program that SOTTO_LLAMA_PERPLEXITY names. Within 2 %, but for what single
# places decide (median, 99 %) where both engines round products their own way: 4 %.
set -u
sotto=$PWD/sotto
top=${srcdir:-$(dirname "$0")/../..}
data=${SOTTO_TESTDATA:-$top/../shared/testdata}/models
vectors=$top/tests/vectors/compare
llama=${SOTTO_LLAMA_PERPLEXITY:-}
if [ ! -r "$data/stories260K-f32.gguf" ]; then
	echo "skipped: no $data/stories260K-f32.gguf"
	exit 77
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export HOME=$work XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/data \
	XDG_STATE_HOME=$work/state XDG_CACHE_HOME=$work/cache
for variable in $(env | sed -n 's/^\(SOTTO_[A-Z_]*\)=.*/\1/p'); do unset "$variable"; done
exec </dev/null
passed=0 failed=0
text=$vectors/stories.txt

# near NAME FOUND EXPECTED [BOUND]
near() {
	if awk -v a="$2" -v b="$3" -v bound="${4:-0.02}" \
		'BEGIN { exit !(a != "" && b != "" && (a - b) ^ 2 <= (bound * b) ^ 2) }'; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL: $1: found $2, expected $3"
	fi
}

field() { # NAME, of the JSON that came last: the first of that name
	sed -n "s/.*\"$1\": \([0-9.e+-]*\).*/\1/p" "$work/out" | head -1
}

# figures NAME MEAN MEDIAN P99 SAME PERPLEXITY [BOUND]: those of the JSON that came last
figures() {
	near "$1: mean" "$(field mean)" "$2"
	near "$1: median" "$(field median)" "$3" "${7:-0.04}"
	near "$1: 99 %" "$(field p99)" "$4" "${7:-0.04}"
	near "$1: same" "$(awk -v share="$(field same_choice)" 'BEGIN { print 100 * share }')" "$5"
	near "$1: perplexity" "$(field perplexity)" "$6"
}

model() { # a file of testdata, or a type that the stories' model is made in
	if [ -r "$data/$1.gguf" ]; then
		echo "$data/$1.gguf"
	else
		[ -r "$work/$1.gguf" ] || "$sotto" quantize "$data/stories260K-f32.gguf" "$work/$1.gguf" "$1" >/dev/null 2>&1
		echo "$work/$1.gguf"
	fi
}

# What llama-perplexity says: `value PATTERN`
value() { sed -n "s/^$1: *\(-*[0-9.]*\).*/\1/p" "$work/llama" | head -1; }

# What the program itself says of a judged model and a reference. Its end sometimes comes before its last lines.
ask() {
	local judged=$1 reference=$2 tries=0
	shift 2
	rm -f "$work/llama"
	"$llama" -m "$reference" -f "$text" --kl-divergence-base "$work/base" "$@" >/dev/null 2>&1
	until grep -q '^Same top p' "$work/llama" 2>/dev/null || [ $tries = 20 ]; do
		"$llama" -m "$judged" -f "$text" --kl-divergence-base "$work/base" --kl-divergence "$@" >"$work/llama" 2>&1
		tries=$((tries + 1))
	done
}

by_program() { # NAME [BOUND]
	figures "$1, the program" "$(value 'Mean    KLD')" "$(value 'Median  KLD')" "$(value '99.0%   KLD')" \
		"$(value 'Same top p')" "$(value 'Mean PPL(Q)  *')" "${2:-}"
}

while IFS=$'\t' read -r reference judged options mean median p99 same perplexity; do
	case $reference in '#'*) continue ;; esac
	[ "$options" = - ] && options=
	name="$judged beside $reference $options"
	judged=$(model "$judged") reference=$(model "$reference")
	"$sotto" compare -m "$judged" -m "$reference" -f "$text" --json $options >"$work/out"
	figures "$name" "$mean" "$median" "$p99" "$same" "$perplexity"
	if [ -n "$llama" ]; then
		ask "$judged" "$reference" $options
		by_program "$name"
		# The other way round with its file, so that the one model which sotto evaluates has no rounding of its own
		ask "$reference" "$judged" $options
		"$sotto" compare -m "$reference" --reference "$work/base" --json >"$work/out"
		by_program "$name, by its file" 0.02
	fi
	"$sotto" perplexity -m "$judged" -f "$text" --json $options >"$work/out"
	near "$name: perplexity alone" "$(field perplexity)" "$perplexity"
done <"$vectors/llama-perplexity.tsv"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
