#!/bin/bash
# sotto compare --server: what a server tells of its tokens beside a model, and what is said of one that tells nothing.
set -u
. "$(dirname "$0")/setup.sh"

./tests/cli/make_models "$work" || exit 1
wide=$work/wide.gguf
mkdir -p "$work/config/sotto"
mkfifo "$work/held"

# play SPECIFICATION: a server called "box"; it ends when file 8 is closed.
play() {
	: >"$work/url"
	./tests/support/server/play --log "$work/log" "$1" <"$work/held" >"$work/url" &
	player=$!
	exec 8>"$work/held"
	await "$work/url"
	if [ ! -s "$work/url" ]; then
		exec 8>&-
		wait $player
		exit $? # 77: tests are made without libmicrohttpd
	fi
	printf 'box:\n  url: %s\n' "$(cat "$work/url")" >"$work/config/sotto/servers.yaml"
}

stop() {
	exec 8>&-
	wait $player
}

field() { sed -n "s/.*\"$1\": \([^,}]*\).*/\1/p" "$work/out" | head -1; }

for dialect in llama-server vllm ollama; do
	play "dialect=$dialect,mode=echo"
	expect "$dialect" 0 'compared +wide.gguf.reference +toy.* on box.over +[0-9]+ tokens of its reply at temperature 0.*of each the server tells its 2 best candidates only: no divergence.*first choice.*first other' '' \
		compare -m "$wide" --server box -p 'a b c d e'
	narrow "$dialect"
	expect "$dialect-json" 0 '"candidates": 2, "divergence": null, "same_choice": ' '' \
		compare -m "$wide" --server box -p 'a b c d e' --json
	places=$(field places)
	expect "$dialect-csv" 0 '^token,same,candidates,shared,log_p_change' '' compare -m "$wide" --server box -p 'a b c d e' --csv
	[ "$(wc -l <"$work/out")" = $((places + 1)) ] && [ "$places" -gt 4 ]
	result $? "$dialect-places" "$places places, $(wc -l <"$work/out") lines"
	grep -q 'temperature.*0' "$work/log"
	result $? "$dialect-temperature" "$(cat "$work/log")"
	stop
done
play 'dialect=llama-server,mode=echo,probs=0'
expect told-nothing 1 '' 'box told no candidates of its tokens: there is nothing to compare' \
	compare -m "$wide" --server box -p 'a b c d e'
expect layers 2 '' 'a server tells nothing of its layers' compare -m "$wide" --server box -p x --layers
expect ids 2 '' 'a server is asked with a text' compare -m "$wide" --server box --ids '1 2'
expect two-references 2 '' 'one reference only' compare -m "$wide" -m "$wide" --server box -p x
expect unknown 3 '' "no server 'bix', did you mean 'box'" compare -m "$wide" --server bix -p x
stop
play 'dialect=hosted,mode=echo'
expect tells-nothing 1 '' 'box tells no candidates of its tokens: there is nothing to compare' \
	compare -m "$wide" --server box -p 'a b c d e'
stop
echo "$passed passed, $failed failed"
[ $failed = 0 ]
