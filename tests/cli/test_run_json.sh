#!/bin/bash
# sotto run --json: what comes out is JSON, whatever happens, and says what sotto(1) promises.
set -u
. "$(dirname "$0")/setup.sh"

# Each line of a file is JSON in UTF-8, for the readers that are there.
is_json() {
	iconv -f UTF-8 -t UTF-8 "$1" >"$work/same" && cmp -s "$1" "$work/same" || return 1
	! LC_ALL=C grep -q '[[:cntrl:]]' "$1" || return 1
	if command -v jq >/dev/null; then jq -e . "$1" >"$work/same" || return 1; fi
	if command -v python3 >/dev/null; then
		python3 -c 'import json, sys
for line in open(sys.argv[1], encoding="utf-8", errors="strict"): json.loads(line)' "$1" || return 1
	fi
}

# expect NAME CODE N-LINES PATTERN ARGUMENT...: of `sotto run ARGUMENT...`
expect() {
	local name=$1 code=$2 lines=$3 pattern=$4 seen
	shift 4
	timeout 120 "$sotto" run "$@" >"$work/out" 2>"$work/err"
	seen=$?
	[ $seen = "$code" ]
	result $? "$name" "exit $seen, expected $code: $(cat "$work/err")"
	[ "$(wc -l <"$work/out")" = "$lines" ]
	result $? "$name" "not $lines lines: $(cat "$work/out")"
	is_json "$work/out"
	result $? "$name" "no JSON: $(cat "$work/out")"
	[[ $(tail -n 1 "$work/out") =~ $pattern ]]
	result $? "$name" "$(cat "$work/out")"
}

expect one 0 1 '^\{"reply": "cold 0 cold 1 cold 2 ", "thinking": null, "stop": "end", "model": "synthetic' \
	-m synthetic:tokens=3 --temp 0 --seed 7 --json -p hi
expect one-figures 0 1 '"chat_template": "synthetic", "prompt_template": null, "chat": null, "seed": 7, "prompt_tokens": 2, "estimated": false, "cached_tokens": 0, "reply_tokens": 3, "thinking_tokens": null, "context_tokens": 5, "context_size": 4096, "left_out_messages": 0, "prompt_ms": [0-9.]+, "reply_ms": [0-9.]+, "prompt_tokens_per_second": (null|[0-9.]+), "reply_tokens_per_second": (null|[0-9.]+), "cost": null\}$' \
	-m synthetic:tokens=3 --temp 0 --seed 7 --json -p hi
[ ! -s "$work/err" ]
result $? one-stderr "$(cat "$work/err")"
expect speed 0 1 '"reply_tokens_per_second": [0-9]+\.[0-9]+, "cost": null\}$' -m synthetic:tokens=5,rate=100 --json -p hi
expect length 0 1 '"stop": "length"' -m synthetic:tokens=9 -n 2 --json -p hi
expect raw 0 1 '"reply": "warm 0 ".*"chat_template": null' -m synthetic:tokens=1 --raw --json -p hi
expect think 0 1 '"reply": "warm 0 .*", "thinking": "thought 0 ' -m synthetic:mode=think,think=2,tokens=4 --json -p hi
expect quotes 0 1 '"reply": "a \\"b\\" \\\\ c\\nd' -m synthetic:mode=echo --json -p 'a "b" \ c
d'
expect escapes 0 1 '"reply": ".*\\u001b' -m synthetic:mode=escape --json -p x
expect broken 0 1 '"reply": "a' -m synthetic:mode=echo --json -p $'a\xff\xc3 b'
expect stream 0 4 '^\{"type": "done", "reply": "warm 0 warm 1 warm 2 "' \
	-m synthetic:tokens=3 --json --stream -p hi
[ "$(head -n 1 "$work/out")" = '{"type": "reply", "text": "warm 0 "}' ]
result $? stream-first "$(cat "$work/out")"
expect unopened 0 1 '"reply": "warm 0 .*", "thinking": "thought 0 thought 1 "' \
	-m synthetic:mode=think,think=2,tokens=4,unopened=1 --json -p hi
expect unopened-stream 0 8 '"reply": "warm 0 .*", "thinking": "thought 0 thought 1 "' \
	-m synthetic:mode=think,think=2,tokens=4,unopened=1 --json --stream -p hi
[ "$(sed -n 3p "$work/out")" = '{"type": "recant"}' ]
result $? unopened-recant "$(cat "$work/out")"
expect stream-think 0 7 '"thinking": "thought' -m synthetic:mode=think,think=2,tokens=4 --json --stream -p hi
grep -q '^{"type": "thinking", "text": "thought' "$work/out"
result $? stream-thinking "$(cat "$work/out")"
"$sotto" run -m synthetic:tokens=1 --stream -p hi >"$work/out" 2>"$work/err"
[ $? = 0 ] && grep -q -e '--stream has no effect without --json' "$work/err"
result $? stream-alone "$(cat "$work/out" "$work/err")"

# A server's model: who it is, what it costs, and what the server does not tell
expect server 0 1 '"stop": "end", "model": "toy-7b", "server": "box", "dialect": "synthetic", .*"prompt_tokens": 2, "estimated": true, "cached_tokens": null, "reply_tokens": 5, "thinking_tokens": 4, .*"cost": 0.0015\}$' \
	-m synthetic:remote=1,cost=1500,mode=think,think=2,tokens=1 --json -p hi
[ ! -s "$work/err" ]
result $? server-stderr "$(cat "$work/err")"
expect server-context 0 1 '"context_size": null' -m synthetic:remote=1,unknown_ctx=1,tokens=1 --json -p hi
expect here 0 1 '"server": null, "dialect": null' -m synthetic:tokens=1 --json -p hi
expect learnt 0 1 '"context_size": 8192' -m synthetic:remote=1,learns=1,tokens=1 --json --top-k 3 --min-p 0.1 -p hi
grep -q -e "--top-k has no effect on this model: OpenAI's interface has no field for it" "$work/err" &&
	grep -q -e '--min-p has no effect on this model: refused by this model' "$work/err"
result $? idle "$(cat "$work/err")"
expect early 1 1 '^\{"error": \{"message": "box ended the reply early.*"exit_status": 1\}, "reply": "warm 0 ", .*"stop": "early"' \
	-m synthetic:remote=1,tokens=1,end=early --json -p hi
expect filtered 0 1 '^\{"reply": "warm 0 ", .*"stop": "filtered"' -m synthetic:remote=1,tokens=1,end=filtered --json -p hi
grep -q 'the server withheld the rest of the reply' "$work/err"
result $? filtered-stderr "$(cat "$work/err")"
expect server-fails 1 1 '"exit_status": 1\}, "reply": "", ' -m synthetic:remote=1,fail=server --json -p hi
expect no-server 3 1 '"exit_status": 3' -m server:nowhere/x --json -p hi
"$sotto" run -m synthetic:remote=1,wait=100,tokens=1 -p hi >"$work/out" 2>"$work/err"
[ $? = 0 ] && [ ! -s "$work/err" ]
result $? waits-in-silence "$(cat "$work/err")"

# The seed it names makes the same reply again, in the guide, which is a real model.
"$sotto" run --json -n 12 --temp 1.5 -p 'Tell me a story' >"$work/first" 2>/dev/null
seed=$(sed -n 's/.*"seed": \([0-9]*\).*/\1/p' "$work/first")
"$sotto" run --json -n 12 --temp 1.5 --seed "$seed" -p 'Tell me a story' >"$work/second" 2>/dev/null
[ "$(sed 's/, "stop".*//' "$work/first")" = "$(sed 's/, "stop".*//' "$work/second")" ] && [ "$seed" ]
result $? seed "$(cat "$work/first" "$work/second")"

# Errors: as JSON too, with the status that they have without it
expect bad-option 2 1 "^\\{\"error\": \\{\"message\": \"there is no option '--bogus'\", \"exit_status\": 2\\}\\}$" --bogus --json
expect bad-value 2 1 '"exit_status": 2' --json --temp hot -p x
expect no-prompt 2 1 '"message": "there is no prompt' --json -m synthetic:
expect no-model 3 1 '"message": ".*nowhere.gguf.*", "exit_status": 3' --json -m "$work/nowhere.gguf" -p x
expect too-long 4 1 '^\{"error": \{.*"exit_status": 4\}, "reply": "", ' -m synthetic:n_ctx=4 --json -p 'a b c d e f g h'
expect cut 1 1 '^\{"error": \{.*"exit_status": 1\}, "reply": "warm 0 warm 1 ", .*"stop": "error"' \
	-m synthetic:fail=2 --json -p x
expect cut-stream 1 3 '^\{"type": "error", "error": \{.*"exit_status": 1\}, "reply": "warm 0 warm 1 "' \
	-m synthetic:fail=2 --json --stream -p x
expect foreign-error 3 1 '"message": ".*\\u001b\[31m' --json -m $'\x1b[31m' -p x
expect no-chat 2 1 '"exit_status": 2' --json --resume nowhere -m synthetic: -p x

# Interrupted: what there is so far, and that it was
: >"$work/out"
"$sotto" run -m synthetic:rate=20,tokens=4000 --json --stream -p x >"$work/out" 2>"$work/err" &
pid=$!
await "$work/out"
kill -TERM $pid
wait $pid
code=$?
[ $code = 143 ] && is_json "$work/out" && tail -n 1 "$work/out" | grep -q '"type": "done".*"stop": "interrupted"'
result $? interrupted "exit $code: $(tail -n 2 "$work/out")"

# A full disk is an error like any other
if [ -w /dev/full ]; then
	"$sotto" run -m synthetic:tokens=1 --json -p x >/dev/full 2>"$work/err"
	code=$?
	[ $code = 1 ] && grep -q 'cannot write to standard output' "$work/err"
	result $? full "exit $code: $(cat "$work/err")"
fi

echo "$passed passed, $failed failed"
[ $failed = 0 ]
