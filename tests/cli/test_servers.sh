#!/bin/bash
# `sotto servers`: the list, one server, what is wrong in servers.yaml. Servers are played by
# tests/support/server/play; without libmicrohttpd only what needs none is tried.
set -u
. "$(dirname "$0")/setup.sh"
play=$PWD/tests/support/server/play
key=sk-CANARY-0123456789abcdef
mkdir -p "$work/config/sotto"
config=$work/config/sotto/servers.yaml

# lines NAME CODE STDOUT-PATTERN STDERR-PATTERN ARGUMENT...: as expect, but errors may have several lines
lines() {
	local name=$1 code=$2 out_pattern=$3 err_pattern=$4 code_seen
	shift 4
	timeout 120 "$sotto" "$@" >"$work/out" 2>"$work/err"
	code_seen=$?
	[ $code_seen = "$code" ]
	result $? "$name" "exit $code_seen, expected $code; stderr: $(cat "$work/err")"
	[[ $(cat "$work/out") =~ $out_pattern ]]
	result $? "$name" "stdout: $(cat "$work/out")"
	[[ $(cat "$work/err") =~ $err_pattern ]]
	result $? "$name" "stderr: $(cat "$work/err")"
	! grep -qe CANARY -e $'\x1b' "$work/out" "$work/err"
	result $? "$name" "a key, or an escape sequence, in the output"
}

# None is configured: how to begin
# (Where something listens on a usual port of this machine, that is offered instead.)
"$sotto" servers >"$work/out" 2>/dev/null
[ -s "$work/out" ] || lines none 0 '^$' $'no servers are configured.*servers.yaml:\n    box:\n      url: http://127.0.0.1:8080\nThen `sotto servers check box`' servers
[ -s "$work/out" ] || [ "$(wc -l <"$work/err")" = 4 ]
result $? none "not four lines: $(cat "$work/err")"
expect check-none 2 "there is no server 'box': servers.yaml names none; " '' servers check box
expect file-missing 2 '' 'no-such.yaml: cannot open' servers --servers "$work/no-such.yaml"
expect check-what 2 '' 'needs the name of a server' servers check
expect too-many 2 '' "one server at a time: leave out 'b'" servers a b
expect json-check 2 '' '--json is for the list' servers --json check box
expect other-option 2 '' 'no option' servers --export md
expect no-word-of-servers 0 '.' '' models --advice

# What is wrong is told, and the rest is listed
printf 'box: {url: "http://127.0.0.1:1"}\nbad: {url: h, key: %s}\n' "$key" >"$config"
lines wrong 0 'failed .*server:box  127.0.0.1:1 ' 'servers.yaml:2: bad: url: expected http://HOST:PORT' servers
lines named 0 '"server": *"box".*"state": *"failed"' 'servers.yaml:2' servers --json box
lines down-beside 1 'nothing listens at 127.0.0.1:1' 'servers.yaml:2' servers check box
lines bad 2 'servers.yaml:2: bad: url' 'servers.yaml:2' servers check bad
expect run-beside 3 '' 'nothing listens at 127.0.0.1:1' run --no-save -m server:box -p hello
printf 'box: {url: "http://127.0.0.1:1"}\n' >"$config"
expect down 1 'nothing listens at 127.0.0.1:1' '' servers check box
expect unknown 2 "there is no server 'bo', did you mean 'box'" '' servers check bo
lines models 0 '' '1 server is configured: `sotto servers` lists its models' models

if ! [ -x "$play" ] || ! url=$("$play" </dev/null 2>/dev/null) || [ -z "$url" ]; then
	echo "this build has no libmicrohttpd: no server was asked"
	echo "$passed checks passed, $failed failed"
	[ $failed = 0 ]
	exit
fi

# serve SPECIFICATION: sets $url; the one before ends
serve() {
	[ -z "${feed-}" ] || { exec {feed}>&-; wait "$server"; }
	rm -f "$work/feed" "$work/url"
	mkfifo "$work/feed"
	"$play" "$1" <"$work/feed" >"$work/url" 2>/dev/null &
	server=$!
	exec {feed}>"$work/feed"
	await "$work/url"
	url=$(cat "$work/url")
}

for dialect in llama-server vllm sglang ollama openai; do
	serve "dialect=$dialect,n_ctx=4096,tokens=3"
	printf 'box: {url: "%s"}\n' "$url" >"$config"
	lines "list-$dialect" 0 'server:box/[^ ]+  127.0.0.1:' '' servers
	lines "json-$dialect" 0 '"server": *"box", *"model": *"[^"]+", *"path": *"server:box/' '' servers --json
	lines "check-$dialect" 0 "127.0.0.1:" '' servers check box
	expect "run-$dialect" 0 'cold 0 cold 1 cold 2' '' run --no-save --temp 0 -m server:box -p hello
done

# Another file: named by the option, the variable, the configuration
mv "$config" "$work/other.yaml"
expect option-servers 0 'cold 0 cold 1 cold 2' '' run --no-save --temp 0 --servers '~/other.yaml' -m server:box -p hello
SOTTO_SERVERS=$work/other.yaml expect variable-servers 0 'cold 0 cold 1 cold 2' '' run --no-save --temp 0 -m server:box hello
printf 'servers: ~/other.yaml\nmodel: server:box\ntemp: 0\n' >"$work/config/sotto/config.yaml"
expect config-servers 0 'cold 0 cold 1 cold 2' '' run --no-save -p hello
rm "$work/config/sotto/config.yaml"
expect no-servers 3 '' "^sotto: there is no server 'box': servers.yaml names none" run --no-save -m server:box -p hello
mv "$work/other.yaml" "$config"

for dialect in llama-server vllm openai; do
	serve "dialect=$dialect,keys=1,n_ctx=4096,tokens=3"
	printf 'box: {url: "%s", key-env: BOX_KEY}\n' "$url" >"$config"
	BOX_KEY=$key lines "key-$dialect" 0 '.' '' servers check box
	BOX_KEY=sk-CANARY-wrong lines "key-wrong-$dialect" 1 'BOX_KEY' '' servers check box
	lines "key-missing-$dialect" 2 'BOX_KEY' '' servers check box
done
exec {feed}>&-
wait "$server"

echo "$passed checks passed, $failed failed"
[ $failed = 0 ]
