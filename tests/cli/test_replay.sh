#!/bin/bash
# sotto replay: replies of the command line made again, and what is said when something differs.
set -u
. "$(dirname "$0")/setup.sh"

# replay NAME CODE PATTERN ARGUMENT...: the pattern is for what both streams say
replay() {
	local name=$1 code=$2 pattern=$3 code_seen
	shift 3
	timeout 120 "$sotto" replay "$@" >"$work/out" 2>&1
	code_seen=$?
	[ $code_seen = "$code" ]
	result $? "$name" "exit $code_seen, expected $code: $(cat "$work/out")"
	[[ $(cat "$work/out") =~ $pattern ]]
	result $? "$name" "$(cat "$work/out")"
}

./tests/cli/make_models "$work" || exit 1
model=$work/good.gguf
chats=$work/data/sotto/chats chat=20261124-191636-ff39
mkdir -p "$chats"
cat >"$chats/$chat.yaml" <<'EOF'
--- # r seq=1 len=1 crc32c=0
type: "meta"
format: "1"
...
--- # r seq=2 len=1 crc32c=0
type: "message"
id: "1"
parent: "0"
role: "user"
time: "2026-11-24T19:16:36Z"
text: "hello"
...
--- # r seq=3 len=1 crc32c=0
type: "assistant-end"
id: "2"
parent: "1"
role: "assistant"
time: "2026-11-24T19:16:36Z"
state: "complete"
text: "old"
tokens: "7"
...
EOF
replay old-chat 1 '^reply 2: how it was made is not recorded$' --verify $chat
replay old-chat-shown 0 '^reply 2: how it was made is not recorded$' $chat
# Never the end of a reply (2): one that ends before its first token is not in the chat
say() {
	"$sotto" run -m "$model" --resume $chat -l 2-inf "$@" >/dev/null 2>"$work/err"
	result $? "run $*" "$(cat "$work/err")"
}
say -p 'one' -n 20 --temp 2 --top-k 0 -t 1
say -p 'two' -n 10 --temp 1.5 --mirostat 2 --samplers 'top_k;temperature' -t 2
say -p 'three' -n 12 --temp 3 --repeat-penalty 1.3 -ctk q8_0 -ctv f32 --seed 5
say -p 'four' -n 15 --temp 3 -l ' a+5' --chat-template chatml
replay shown 0 'reply 4: [0-9]+ tokens, .*seed [0-9]+ temp 2 top-k 0' $chat
replay all-the-same 1 'chat template' -m "$model" --verify $chat # the last one's is another
for reply in 4 6 8; do
	grep -qE "^reply $reply: [0-9]+ tokens?, the same" "$work/out"
	result $? "reply $reply" "$(cat "$work/out")"
done
[ "$(grep -c 'another chat template' "$work/out")" = 1 ]
result $? template "$(cat "$work/out")"
replay threads 1 'reply 6: [0-9]+ tokens, the same' -m "$model" -t 3 --verify $chat
"$sotto" replay -m "$model" -b 1 --chat-template chatml --verify $chat >"$work/out" 2>&1
grep -qE '^reply 10: [0-9]+ tokens?, the same$' "$work/out"
result $? "the template of the last one" "$(cat "$work/out")"

# Another model file, another instruction set, and the same file by its contents alone
cp "$model" "$work/copy.gguf"
replay copy 1 'reply 4: [0-9]+ tokens, the same' -m "$work/copy.gguf" --verify $chat
! grep -q 'another model file' "$work/out"
result $? copy "$(cat "$work/out")"
rm "$XDG_STATE_HOME/sotto/models" # models that were loaded before are found, too
replay none-found 3 'is not on this machine; -m FILE tries another' --verify $chat
mkdir -p "$work/data/sotto/models"
cp "$model" "$work/data/sotto/models/found.gguf"
replay found 1 'reply 4: [0-9]+ tokens, the same' --verify $chat
"$sotto" quantize "$model" "$work/small.gguf" Q8_0 >/dev/null 2>&1 || cp "$work/copy.gguf" "$work/small.gguf"
printf 'x' | dd of="$work/small.gguf" bs=1 seek=$(($(stat -c %s "$work/small.gguf") - 40)) conv=notrunc 2>/dev/null
replay other-model 1 'it was made with another model file' -m "$work/small.gguf" --verify $chat
replay isa 1 '(instruction set: it was [a-z0-9]+, here it is generic|the same)' -m "$model" --isa generic --verify $chat

# What a full context leaves out is recorded: with another policy the prompt would be another one
say -p 'a long question about nothing at all' -n 8 --temp 3 -c 220 --context-policy ends
say -p 'and again a long question' -n 8 --temp 3 -c 220 --context-policy ends
replay policy 1 'reply 14: [0-9]+ tokens?, the same' -m "$model" --verify $chat
! sed -n '/^reply 1[24]/,$p' "$work/out" | grep -q 'the prompt differs'
result $? policy "$(cat "$work/out")"
sed 's/^    policy: "1"$/    policy: "0"/' "$chats/$chat.yaml" >"$chats/20261124-191636-ff43.yaml"
replay other-policy 1 'reply 14' -m "$model" --verify 20261124-191636-ff43
sed -n '/^reply 14/,$p' "$work/out" | grep -q 'the prompt differs'
result $? other-policy "$(cat "$work/out")"
rm "$chats/20261124-191636-ff43.yaml"

# What changes the model, and the template's variables: recorded, so that the same is computed again, whatever
# the configuration says by now; named where the command line says something else
cat >"$work/kwargs.jinja" <<'EOF'
{% for m in messages %}{{ m.content }}{% endfor %}{{ colour }}{{ strftime_now('%S.%f') }}
EOF
say -p 'six' -n 12 --temp 3 --rope-freq-base 500000 --rope-scaling linear --rope-scale 2 \
	--override-kv llama.attention.layer_norm_rms_epsilon=float:0.1 --chat-template "$work/kwargs.jinja"
say -p 'seven' -n 12 --temp 3 --chat-template "$work/kwargs.jinja" --chat-template-kwargs '{"colour": "re d"}'
replay options-shown 0 'reply 16: [^
]*
    options of the model: "?override-kv=llama.attention.layer_norm_rms_epsilon=float:0.1"? rope-scaling=linear rope-scale=2 rope-freq-base=5' $chat
[[ $(cat "$work/out") == *'    chat-template-kwargs: {"colour": "re d"}'* ]]
result $? kwargs-shown "$(cat "$work/out")"
export SOTTO_ROPE_FREQ_BASE=77 SOTTO_CHAT_TEMPLATE_KWARGS='{"colour": "blue"}'
"$sotto" replay -m "$model" --chat-template "$work/kwargs.jinja" --verify $chat >"$work/out" 2>&1
for reply in 16 18; do
	grep -qE "^reply $reply: [0-9]+ tokens?, the same$" "$work/out"
	result $? "options of reply $reply" "$(cat "$work/out")"
done
unset SOTTO_ROPE_FREQ_BASE SOTTO_CHAT_TEMPLATE_KWARGS
"$sotto" replay -m "$model" --chat-template "$work/kwargs.jinja" --rope-freq-base 10000 \
	--chat-template-kwargs '{"colour": "blue"}' --verify $chat >"$work/out" 2>&1
sed -n '/^reply 16/,/^reply 18/p' "$work/out" | grep -qE \
	'^    options of the model: it was .* rope-freq-base=(500000|5e.05), here it is .* rope-scale=2 rope-freq-base=(10000|1e.04)$'
result $? other-options "$(cat "$work/out")"
sed -n '/^reply 18/,$p' "$work/out" | grep -qF 'chat-template-kwargs: it was {"colour": "re d"}, here it is {"colour": "blue"}'
result $? other-kwargs "$(cat "$work/out")"
sed -n '/^reply 18/,$p' "$work/out" | grep -q 'the prompt differs'
result $? other-prompt "$(cat "$work/out")"
# Older records do not say: nothing is made of that
sed '/^    options: /d' "$chats/$chat.yaml" >"$chats/20261124-191636-ff45.yaml"
"$sotto" replay -m "$model" --verify 20261124-191636-ff45 >"$work/out" 2>&1
sed -n '/^reply 4/,/^reply 6/p' "$work/out" | grep -qE '^reply 4: [0-9]+ tokens, the same$' && ! grep -q 'options of the model' "$work/out"
result $? unrecorded-options "$(cat "$work/out")"
rm "$chats/20261124-191636-ff45.yaml"

# A token that is not the one that was sampled
sed -e 's/^tokens: "\([0-9]*\) 9 /tokens: "\1 10 /' -e t -e 's/^tokens: "\([0-9]*\) [0-9]* /tokens: "\1 9 /' \
	"$chats/$chat.yaml" >"$chats/20261124-191636-ff40.yaml"
replay token 1 'reply 4: token 2 of [0-9]+ differs, [0-9]+ instead of (9|10)' -m "$model" --verify 20261124-191636-ff40
sed 's/^tokens: "\(.*\) [0-9]*"$/tokens: "\1"/; s/ended: "length"/ended: "end"/' "$chats/$chat.yaml" >"$chats/20261124-191636-ff41.yaml"
replay longer 1 'reply 4: here it continues after its [0-9]+ tokens' -m "$model" --verify 20261124-191636-ff41

# A run that begins behind the end of its reply
sed '/^    ended: /a\  - from: "5000 9 0"\n    prompt: "3 ff"' "$chats/$chat.yaml" >"$chats/20261124-191636-ff44.yaml"
replay beyond 0 'reply 4: [0-9]{1,3} tokens' 20261124-191636-ff44
! grep -q "token 5000" "$work/out"
result $? beyond "$(cat "$work/out")"
replay beyond-verified 1 'reply 4: [0-9]{1,3} tokens, the same' -m "$model" --verify 20261124-191636-ff44

echo precious >"$work/precious.txt"
replay no-transcript 2 'precious.txt: not a chat saved by sotto' "$work/precious.txt"
replay no-chat 2 "there is no chat 'zzz'" zzz
replay no-word 2 'one chat is needed'
replay no-model 3 'nowhere.gguf' -m "$work/nowhere.gguf" --verify $chat

# The synthetic backend
cat >"$chats/20261124-191636-ff42.yaml" <"$chats/$chat.yaml"
chat=20261124-191636-ff42 model=synthetic:tokens=9
say -p five
replay synthetic 1 'reply 20: 9 tokens, the same' -m synthetic:tokens=9 --verify $chat
replay synthetic-shorter 1 'reply 20: here it ends after 5 of 9 tokens' -m synthetic:tokens=5 --verify $chat

# Servers: what can be checked, as text, and what cannot. The chat's file is changed to play other dialects.
cat >"$chats/20261124-191636-ff50.yaml" <<'EOF'
--- # r seq=1 len=1 crc32c=0
type: "meta"
format: "1"
...
EOF
chat=20261124-191636-ff50 model=synthetic:remote=1,mode=think,think=2,tokens=6
say -p one --temp 0 --seed 5
replay server 0 '^reply 2: 62 bytes, toy-7b on box, sotto [^,]*, synthetic, seed 5 temp 0
    sent: \{"model":"toy-7b","stream":true\}
    it cannot be checked: nothing promises that its server makes the same text again$' $chat
replay server-verified 1 '^reply 2: made by toy-7b on box \(synthetic\), it cannot be checked: nothing promises' --verify $chat
# as DIALECT [SED-COMMAND]: the chat as another server's
as() {
	sed -e "s/dialect: \"synthetic\"/dialect: \"$1\"/" -e "${2-}" "$chats/$chat.yaml" >"$chats/20261124-191636-ff51.yaml"
}
for dialect in ollama vllm sglang openai; do
	as $dialect
	replay $dialect 1 'it cannot be checked: ' --verify 20261124-191636-ff51
done
as llama-server
replay ask 0 '    --verify asks again: the same build with one slot makes the same text again' 20261124-191636-ff51
replay same 0 '^reply 2: 62 bytes, the same$' -m "$model" --verify 20261124-191636-ff51
replay shorter 1 '^reply 2: it differs after 55 of 62 bytes: "" instead of "cold 5 "' -m "${model%6}5" --verify 20261124-191636-ff51
replay longer 1 '^reply 2: here it continues after its 62 bytes$' -m "${model%6}7" --verify 20261124-191636-ff51
replay thought 1 '^reply 2: it differs after 20 of 62 bytes: "thought 2 " instead of ""' -m "${model/think=2/think=3}" \
	--verify 20261124-191636-ff51
replay gone 3 'reply 2: there is no server' --verify 20261124-191636-ff51 # there is no such server here
as llama-server 's/ended: "end"/ended: "stop"/'
replay end 1 '62 bytes, the same, but it ended with "stop", here with "end"' -m "$model" --verify 20261124-191636-ff51
as llama-server 's/ended: "end"/ended: "cancelled"/; s/cold 5 //'
replay cut 0 '^reply 2: 55 bytes, the same$' -m "$model" --verify 20261124-191636-ff51
as llama-server 's/^    sent: .*/    sent: "{}"/'
replay other-request 1 'not compared, as something else would be sent: it was \{\}, here it is \{"model":"toy-7b"' \
	-m "$model" --verify 20261124-191636-ff51
# What a file's model added to a server's reply, whose tokens are not known, is compared as text, too
as llama-server '/^    server/d; /^    dialect: /d; /^    sent: /d'
replay unknown-tokens 0 '^reply 2: 62 bytes, the same$' -m "$model" --verify 20261124-191636-ff51
as llama-server '/^    sent: /d'
replay unrecorded-request 1 'it cannot be checked: what was sent is not recorded' -m "$model" --verify 20261124-191636-ff51
echo "$passed checks passed, $failed failed"
[ $failed = 0 ]
