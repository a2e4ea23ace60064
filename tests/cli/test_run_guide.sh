#!/bin/bash
# sotto run on the guide, which needs no -m: the right answer, the same however
# it is computed. SOTTO_TEST_LONG tries more batch sizes.
set -u
sotto=$PWD/sotto
source=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export HOME=$work XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work XDG_STATE_HOME=$work XDG_CACHE_HOME=$work
for variable in $(env | sed -n 's/^\(SOTTO_[A-Z_]*\)=.*/\1/p'); do
	[ "$variable" = SOTTO_TEST_LONG ] || unset "$variable"
done
passed=0 failed=0

check() { # PATTERN ARGUMENT...: the reply has the pattern, and is the first one's to these words
	local pattern=$1 name
	shift
	name=$work/$(printf %s "$1" | tr -c '[:lower:]' _)
	"$sotto" run -p "$@" -n 60 --temp 0 >"$work/reply" 2>"$work/err" </dev/null
	code=$?
	[ -e "$name" ] || cp "$work/reply" "$name"
	if [ $code = 0 ] && [ ! -s "$work/err" ] && grep -q -- "$pattern" "$work/reply" &&
		cmp -s "$name" "$work/reply"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL: run -p $*: exit $code, $(cat "$work/err" "$work/reply")"
	fi
}

sizes='1 64'
[ "${SOTTO_TEST_LONG:-}" ] && sizes=$(seq 1 64)
for size in $sizes; do
	check F2 'How do I open the sampler sliders?' --batch-size "$size"
done
check F2 'How do I open the sampler sliders?' -t 1
check F2 'How do I open the sampler sliders?' -t 3
check F2 'How do I open the sampler sliders?' --no-kv-cache
check /quit 'How do I quit?'
check /model 'How do I load another model?'

# A reply ends before each of the strings that the option names, once it comes
stopped() { # REPLY ARGUMENT...
	local reply=$1 seen
	shift
	seen=$("$sotto" run -p hello --temp 0 "$@" </dev/null 2>&1)
	if [ "$seen" = "$reply" ]; then passed=$((passed + 1)); else
		failed=$((failed + 1))
		echo "FAIL: run $*: $seen, expected $reply"
	fi
}
whole=$("$sotto" run -p hello --temp 0 </dev/null 2>&1)
case $whole in *!*!*) echo "FAIL: more than one !: $whole"; failed=$((failed + 1)) ;; esac
stopped "${whole%%!*}" --stop '!'
stopped "${whole%%!*}" --stop '\n' --reverse-prompt '!'
stopped "$whole" --stop '\n\n' --stop '~'
SOTTO_STOP='"!" ~' stopped "${whole%%!*}"

# At what it recommends, whatever the seed, numbers are the help's and greetings are words
recommended() { # PATTERN QUESTION: the whole of each reply has the pattern
	for seed in $(seq 81 8 250); do # where nothing is cut off two of them greet in no known way
		reply=$("$sotto" run -p "$2" -s "$seed" </dev/null 2>&1)
		if [[ $reply =~ ^($1)$ ]]; then passed=$((passed + 1)); else
			failed=$((failed + 1))
			echo "FAIL: run -p $2 -s $seed: $reply"
		fi
	done
}
recommended '(Hello|Hi)! (I am the tiny guide of sotto\. Ask me about it, or|What would you like to know about sotto\?|Ask me how sotto works; for more)( load a real model with /model\.)?' 'Hello!'
recommended '.*[^0-9]0\.95[^0-9].*' 'what is the default of top-p'

# What it knows it says in the entry's own words, whatever the sampling: each part of a reply stands in
# the facts as it is (but for what the program fills in)
facts=$source/tools/guide/facts.yaml
own_words() { # QUESTION
	"$sotto" run -p "$1" --temp 2 --min-p 0 --top-p 1 --top-k 0 -s 1 </dev/null 2>&1 | sed 's/ Or did you mean this? /\n/; s/^As I said: //' |
		while read -r part || [ "$part" ]; do
			part=${part//\"/\\\"}
			grep -qF -- "\"$part\"" "$facts" || echo "$part"
		done
}
every=30
[ "${SOTTO_TEST_LONG:-}" ] && every=1
while read -r phrase; do
	strange=$(own_words "how do i $phrase" | grep -v '[0-9] GB\|GiB')
	if [ -z "$strange" ]; then passed=$((passed + 1)); else
		failed=$((failed + 1))
		echo "FAIL: how do i $phrase: not the words of an entry: $strange"
	fi
done < <(grep -A1 '^    do: \[$' "$facts" | sed -n 's/^      \([a-z][a-z -]*\),.*/\1/p' | awk "NR % $every == 0")

# What is no question about sotto is an error, and nothing is printed
refuses() { # NAME ARGUMENT...: with standard input
	local name=$1
	shift
	"$sotto" run "$@" >"$work/reply" 2>"$work/err"
	code=$?
	if [ $code = 1 ] && [ ! -s "$work/reply" ] && grep -qi 'the guide' "$work/err" && [ "$(wc -l <"$work/err")" = 1 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL: refuses $name: exit $code, $(cat "$work/err" "$work/reply")"
	fi
}
printf 'F2 opens the sliders.\n' >"$work/short.txt"
for i in $(seq 40); do echo "How do I open the sampler sliders? Line $i"; done >"$work/long.txt"
refuses attached 'How do I open the sampler sliders?' <"$work/short.txt"
refuses explain 'Explain this change:' <"$work/long.txt"
refuses long-input <"$work/long.txt"
refuses long-file -f "$work/long.txt" </dev/null
refuses long-words -p "$(cat "$work/long.txt")" </dev/null
refuses unrelated 'What is the capital of France?' </dev/null
refuses template -T translator -V to=German 'How do I quit?' </dev/null
echo 'How do I quit?' | "$sotto" run | grep -q /quit
if [ $? = 0 ]; then passed=$((passed + 1)); else
	failed=$((failed + 1))
	echo "FAIL: a question on standard input"
fi
echo "$passed passed, $failed failed"
[ $failed = 0 ]
