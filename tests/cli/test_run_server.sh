#!/bin/bash
# sotto run and replay with a server's model: what the chat's file says of it, what the exit status is, and that
# the key is in no file, message or output.
set -u
. "$(dirname "$0")/setup.sh"

key=sk-CANARY-0123456789abcdef
chats=$work/data/sotto/chats
mkdir -p "$chats" "$work/config/sotto"
mkfifo "$work/held"

# play SPECIFICATION: a server, whose url is then in $url; it ends when file 8 is closed.
play() {
	: >"$work/url"
	./tests/support/server/play --log "$work/log" "$1" <"$work/held" >"$work/url" &
	player=$!
	exec 8>"$work/held"
	await "$work/url"
	url=$(cat "$work/url")
	[ "$url" ] && return
	exec 8>&-
	wait $player
	exit $? # 77: tests are made without libmicrohttpd
}

stop() {
	exec 8>&-
	wait $player
}

# configure URL [LINE]: of the server "box"
configure() {
	printf 'box:\n  url: %s\n  key-env: BOX_KEY\n%s\n' "$1" "${2+  $2}" >"$work/config/sotto/servers.yaml"
}

begin_chat() {
	printf -- '--- # r seq=1 len=1 crc32c=0\ntype: "meta"\nformat: "1"\n...\n' >"$chats/$1.yaml"
}

# run NAME CODE PATTERN ARGUMENT...: the pattern is for what both streams say
run() {
	local name=$1 code=$2 pattern=$3 seen
	shift 3
	timeout 120 "$sotto" "$@" >"$work/out" 2>&1
	seen=$?
	[ $seen = "$code" ]
	result $? "$name" "exit $seen, expected $code: $(cat "$work/out")"
	[[ $(cat "$work/out") =~ $pattern ]]
	result $? "$name" "$(cat "$work/out")"
	! grep -q CANARY "$work/out"
	result $? "$name" "the key is in the output"
}

posts() {
	grep -c '^POST .*completion' "$work/log" 2>/dev/null
}

export BOX_KEY=$key
play dialect=openai,tokens=4,keys=1
configure "$url"
chat=20261128-101636-ff39
begin_chat $chat
run json 0 '^\{"reply": "cold 0 cold 1 cold 2 cold 3", .*"model": "toy", "server": "box", "dialect": "openai"' \
	run -m server:box --temp 0 --seed 5 --json -p hello
run saved 0 '^cold 0 cold 1 cold 2 cold 3$' run -m server:box --resume $chat --temp 0 --seed 5 -p hello
for line in '    server: "box"' '    server_model: "toy"' '    dialect: "openai"' 'tokens_unknown: "yes"' 'model: "toy on box"'; do
	grep -qxF "$line" "$chats/$chat.yaml"
	result $? "record" "$line"
done
grep -q '^    sent: "{.*\\"temperature\\": 0,' "$chats/$chat.yaml" && ! grep '^    sent: ' "$chats/$chat.yaml" | grep -q hello
result $? "sent" "$(grep sent: "$chats/$chat.yaml")"
grep -q "$(printf '\tserver:box')" "$work/state/sotto/models"
result $? "remembered" "$(cat "$work/state/sotto/models")"

# The chat's model is the server's, until the command line names another; the conversation is the same
run goes-on 0 '^cold 0 cold 1 cold 2 cold 3$' run --resume $chat --temp 0 -p 'and then?'
grep -q '"content": "cold 0 cold 1 cold 2 cold 3"' "$work/log"
result $? "conversation" "$(tail -20 "$work/log")"
# Options that change nothing there
run idle 0 '--mirostat has no effect on this model: ' run -m server:box --mirostat 1 -p x
run effort 0 '--effort has no effect on this model: its server has no such setting' run -m server:box --effort high -p x

# Replayed: nothing is asked unless that can tell something, and the same would be sent
n=$(posts)
run shown 0 'it cannot be checked: nothing promises' replay $chat
run verified 1 'it cannot be checked: nothing promises' replay --verify $chat
[ "$(posts)" = "$n" ]
result $? "asked" "a server whose answer tells nothing"
sed '/^--- # r seq=4 /,$d; s/^    dialect: .*/    dialect: "llama-server"/' "$chats/$chat.yaml" >"$chats/20261128-101636-ff40.yaml"
run same 0 '^reply 2: 27 bytes, the same' replay --verify 20261128-101636-ff40
[ "$(posts)" = $((n + 1)) ]
result $? "asked" "not once"
sed '0,/^    dialect: .*/s//    dialect: "llama-server"/' "$chats/$chat.yaml" >"$chats/20261128-101636-ff41.yaml"
run some 0 'reply 4: made by toy on box \(openai\), it cannot be checked' replay --verify 20261128-101636-ff41
! grep -q 'do not record' "$work/out"
result $? "note" "$(cat "$work/out")"
n=$(($(posts) - 1))
sed -i 's/params: "temp=0 /params: "temp=0.5 /' "$chats/20261128-101636-ff40.yaml"
run other 1 '^reply 2: not compared, as something else would be sent' replay --verify 20261128-101636-ff40
[ "$(posts)" = $((n + 1)) ]
result $? "asked" "something else"

# Another kind of model goes on with the conversation, and back: only its reply has ids
run other-kind 0 '^warm 0 $' run -m synthetic:tokens=1 --resume $chat -p 'who are you?'
run and-back 0 '^warm 0 ' run -m server:box/toy --resume $chat -p 'and you?'
[ "$(grep -c '^tokens: ' "$chats/$chat.yaml")" = 1 ]
result $? "tokens" "$(grep '^tokens' "$chats/$chat.yaml")"

# What is missing or wrong about the server is an unusable model (3); what fails in a reply a failure (1)
run no-such-server 3 "box2" run -m server:box2 -p x
run no-such-model 3 "nothere" run -m server:box/nothere -p x
export BOX_KEY=sk-CANARY-wrong
run wrong-key 3 'box: .*(401|key)' run -m server:box -p x
run wrong-key-json 3 '"exit_status": 3' run -m server:box --json -p x
export BOX_KEY=$key
stop
run unreachable 3 'box: ' run -m server:box -p x
run unreachable-chat 3 'box: ' run --resume $chat -p x
echo 'other: {url: "http://127.0.0.1:1"}' >"$work/config/sotto/servers.yaml"
run gone 3 "box" run --resume $chat -p x
echo 'box: [' >"$work/config/sotto/servers.yaml"
run broken-file 2 'servers.yaml:1: ' run -m server:box -p x

# Ctrl+C, before the reply begins and in the middle of it: the server sees that it has gone, what there is is kept
# interrupt NAME SPECIFICATION FILE ARGUMENT...: once there is something in FILE
interrupt() {
	local name=$1 spec=$2 file=$3 seen pid
	shift 3
	rm -f "$work/log"
	: >"$work/out"
	play "$spec"
	configure "$url"
	"$sotto" run -m server:box "$@" >"$work/out" 2>&1 &
	pid=$!
	if [ "$file" = log ]; then until [ "$(posts)" = 1 ]; do sleep 0.05; done; else await "$work/$file"; fi
	kill -INT $pid
	wait $pid
	seen=$?
	[ $seen = 130 ]
	result $? "$name" "exit $seen: $(cat "$work/out")"
	until grep -q '^CLOSED .*completion' "$work/log"; do sleep 0.05; done
	stop
}
interrupt busy dialect=openai,busy=1 log --json -p x
grep -q '"reply": "", .*"stop": "interrupted"' "$work/out"
result $? busy "$(cat "$work/out")"
chat=20261128-101636-ff41
begin_chat $chat
interrupt middle dialect=openai,tokens=4,hold=2 out --resume $chat --temp 0 -p x
grep -q '^text: "cold 0 cold 1' "$chats/$chat.yaml" && grep -q '^state: "interrupted"' "$chats/$chat.yaml"
result $? middle "$(tail -20 "$chats/$chat.yaml")"

! grep -rl --exclude=log --exclude=held CANARY "$work"
result $? "key" "it is in a file"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
