#!/bin/bash
# The command line: exit codes and streams. Runs ./sotto, the one just built.
set -u
. "$(dirname "$0")/setup.sh"
guide_source=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)

# Information
expect version 0 '^sotto [0-9]+\.[0-9]+\.[0-9]+$' '' --version
expect help 0 'usage: sotto.*--temp.*--model|usage: sotto.*--model.*--temp' '' --help
expect help-run 0 'usage: sotto run.*--prompt' '' run --help
! grep -qE -e '--(theme|mouse|width)' "$work/out" && grep -q -e --resume "$work/out"
result $? help-run "options of the chat: $(cat "$work/out")"
# What is on anyway is listed by the flag that turns it off, and says what that does
expect help-no 0 '--no-kv-cache +keep no keys.*--no-save +write no chat' '' --help
expect help-no-bos 0 '--no-bos +leave the BOS token out' '' tokenize --help
for command in '' run chats replay logits trace compare perplexity tokenize render models pull servers info quantize bench; do
	"$sotto" $command --help >"$work/out" && ! grep -E '^ +(-[a-z], )*--no-[a-z-]+ +(keep|begin|use|show|let) ' "$work/out" |
		grep -v 'keep no '
	result $? "help-no $command" "reads backwards: $(grep -e --no- "$work/out")"
done
twice=$("$sotto" --help | grep -oE '^  [a-z]+ ' | sort | uniq -d)
[ -z "$twice" ]
result $? help-twice "$twice"
expect print-config 0 '(^|[[:space:]])temp: 0.8[[:space:]].*$' '' --print-config

# Prompt templates
export SOTTO_PKGDATADIR=$work/pkg
mkdir -p "$work/pkg/prompts" "$work/mine"
cat >"$work/pkg/prompts/echo.yaml" <<'EOF'
system: Say {{ what }}{{ how }}.
variables: {what: {help: the word}, how: "!"}
options: {temp: 0}
stop: [" 3"]
EOF
printf 'system: [oops\n' >"$work/mine/bad.yaml"
expect template 0 'cold 0 cold 1 cold 2' '' run -m synthetic: -T echo -V what=hello -V 'how= a "b"' -p x
printf 'system: x\nmodel: "synthetic:mode=echo"\n' >"$work/mine/its-model.yaml"
expect template-model 0 '^its own$' '' run --prompt-dir "$work/mine" -T its-model -p 'its own'
expect template-model-named 0 '^warm 0' '' run -m synthetic: --prompt-dir "$work/mine" -T its-model -p 'its own'
# Numbers that llama.cpp takes for off
expect top-k-off 0 '0 .* 1 .* 2 ' '' run -m synthetic: --top-k -1 --threads -1 -n -2 -p hello
expect template-missing 2 '' "^sotto: the template 'echo' needs a value: -V what=... \(the word\)$" \
	run -m synthetic: -T echo -p x
expect template-unknown 2 '' "did you mean 'echo'" run -m synthetic: -T ecko -p x
expect template-variable 2 '' "no variable 'wat', did you mean 'what'" \
	run -m synthetic: -T echo -V what=x -V wat=y -p x
expect template-no-value 2 '' 'is not NAME=VALUE' run -m synthetic: -T echo -V what -p x
expect template-broken 2 '' 'bad.yaml:1: ' run -m synthetic: --prompt-dir "$work/mine" -T bad -p x
expect variable-alone 2 '' '-V needs a template' run -m synthetic: -V a=b -p x
unset SOTTO_PKGDATADIR

# Bad command lines
expect bad-flag 2 '' "^sotto: there is no option '--temmp', did you mean '--temp'\?$" --temmp 1
expect bad-flag-run 2 '' 'no option' run --frobnicate x
expect bad-value 2 '' '^sotto: --temp' run -m synthetic: -p x --temp hot
expect out-of-range 2 '' '^sotto: --top-p' run -m synthetic: -p x --top-p 7
expect missing-value 2 '' "needs a value" run -m synthetic: -p
expect unknown-command 2 '' "did you mean 'run'" rnu
expect words-before-run 2 '' 'sotto run' hello world
expect two-prompts 2 '' 'one prompt only' run -m synthetic: -p x word
expect prompt-file-missing 2 '' 'no-such-file' run -m synthetic: -f "$work/no-such-file"
expect no-model 2 '' 'no model' run -m '' -p x
expect server-no-file 2 '' '^sotto: `sotto info` takes the file of a model: server:box/a is on a server$' info -m server:box/a
expect server-no-file-word 2 '' '^sotto: `sotto info` takes the file of a model: server:box is on a server$' info server:box
SOTTO_MODEL=server:box expect server-no-file-set 2 '' 'server:box is on a server$' tokenize hello
SOTTO_MODEL=server:box expect server-no-file-needed 3 '' 'no-such.gguf: cannot open' info no-such.gguf
expect no-prompt 2 '' 'no prompt' run -m synthetic: </dev/null
expect no-prompt-chat 2 '' 'no prompt' -m synthetic: </dev/null

# Options before a command
expect before 0 '^cold 0 cold 1 ' '' --temp 0 run -m synthetic:tokens=2 hi
expect before-several 0 '^cold 0 cold 1 ' '' -m synthetic:tokens=9 --temp=0 -n2 run hi
expect before-switch 0 '^warm 0 ' '' --no-kv-cache run -m synthetic:tokens=1 hi
expect before-help 0 'usage: sotto run' '' --temp 0 run --help
expect before-value 3 '' "no file 'run', and no model of that name" -m run
expect before-unknown 2 '' "no option '--temmp', did you mean '--temp'" --temmp 0 run hi
expect before-own 2 '' "no option '-p' in the chat; options of a command go after its name" -p hi run
expect before-dashes 2 '' "'run' is not a command after '--'" -- run
expect help-word 2 '' "no command 'help', did you mean '--help'\?" help
expect model-word 2 '' "goes after -m: sotto -m some/m.gguf" some/m.gguf
expect prompt-empty 2 '' 'no prompt: the one given is empty' run -m synthetic: ""
expect prompt-empty-raw 0 '^warm' '' run --raw -m synthetic: -n 1 -p ""

# What means nothing here is said, and does no harm
expect no-effect-theme 0 '^hi$' '^sotto: warning: --theme has no effect on `sotto run`$' \
	run -m synthetic:mode=echo --theme nope -p hi
expect no-effect-pipe 0 '^hi$' '^sotto: warning: --theme has no effect where standard input' \
	-m synthetic:mode=echo --theme nope < <(echo hi)
expect no-effect-models 0 '.' 'warning: --temp has no effect on `sotto models`' models --advice --temp 0
expect no-effect-words 2 '' 'two files and a type are needed' quantize -t 1
expect no-effect-reasoning 0 '^x$' 'warning: --reasoning has no effect on this model' \
	run -m synthetic:mode=echo --reasoning on -p x
expect no-effect-reasoning-off 0 '^x$' '' run -m synthetic:mode=echo --reasoning off -p x
expect preset 0 '^x$' '' run -m synthetic:mode=echo --preset precise -p x
expect preset-unknown 2 '' "no preset 'precse', did you mean 'precise'" run -m synthetic: --preset precse -p x
expect preset-unused 0 '.' 'warning: --preset has no effect' models --advice --preset precise
expect no-effect-raw 0 '^x$' 'warning: --chat-template has no effect with --raw' \
	run --raw -m synthetic:mode=echo --chat-template chatml -p x
expect no-effect-prompt-dir 0 '^x$' 'warning: --prompt-dir has no effect without a template' \
	run -m synthetic:mode=echo --prompt-dir /x -p x
SOTTO_THEME=nope SOTTO_MOUSE=yes expect no-effect-environment 0 '^x$' '' run -m synthetic:mode=echo -p x
SOTTO_TEMPP=1 expect no-effect-variable 0 '^x$' \
	'^sotto: warning: SOTTO_TEMPP has no effect, did you mean SOTTO_TEMP\?$' run -m synthetic:mode=echo -p x
SOTTO_RESUME=1 expect no-effect-cli-only 0 '^x' 'warning: SOTTO_RESUME .*--resume works on the command line only' \
	-m synthetic:mode=echo < <(echo x)
SOTTO_TEST_ANY=1 SOTTO_DATA_DIR=$work/data SOTTO_TESTDATA=x expect no-effect-ours 0 '^x$' '' \
	run -m synthetic:mode=echo -p x
for command in chats replay logits trace compare perplexity tokenize render models pull servers info quantize bench; do
	"$sotto" $command --help >"$work/out" && ! grep -qE -e ' --(temp|system-prompt|theme|template|save)' "$work/out"
	result $? "help $command" "options of others: $(cat "$work/out")"
done

# Bad configuration
mkdir -p "$work/config/sotto"
echo 'tempp: 1' >"$work/config/sotto/config.yaml"
expect bad-config 2 '' "config.yaml.*temp" run -m synthetic: -p x
expect bad-config-pipe 2 '' "config.yaml.*temp" -m synthetic:
rm "$work/config/sotto/config.yaml"
SOTTO_TEMP=hot expect bad-environment 2 '' 'SOTTO_TEMP' run -m synthetic: -p x

# Prompts come from where they are asked for, and from nowhere else
echo=synthetic:mode=echo
expect prompt-p 0 '^one two$' '' run -m $echo -p 'one two' </dev/null
expect prompt-words 0 '^one two$' '' run -m $echo one two </dev/null
expect prompt-dashes 0 '^--temp -x$' '' run -m $echo -- --temp -x </dev/null
expect prompt-stdin 0 '^from a pipe$' '' run -m $echo < <(echo from a pipe)
expect prompt-stdin-chat 0 '^from a pipe$' '' -m $echo < <(echo from a pipe)
echo from a file >"$work/prompt"
expect prompt-file 0 '^from a file$' '' run -m $echo -f "$work/prompt" </dev/null
expect prompt-dash-file 0 '^from a pipe$' '' run -m $echo -f - < <(echo from a pipe)
expect prompt-words-after-stdin 0 $'^File: standard input\n```\na diff\n```\n\nexplain$' '' run -m $echo explain < <(echo a diff)
expect prompt-words-alone 0 '^explain$' '' run -m $echo explain </dev/null
expect prompt-p-after-stdin 0 $'^File: standard input\n```\na diff\n```\n\nSummarise:$' '' run -m $echo -p Summarise: < <(echo a diff)
expect prompt-file-after-stdin 0 $'^File: standard input\n```\na diff\n```\n\nfrom a file$' '' run -m $echo -f "$work/prompt" < <(echo a diff)
expect prompt-raw-after-stdin 0 $'^a diff\n\nSummarise:$' '' run --raw -m $echo -p Summarise: < <(echo a diff)
expect prompt-binary-stdin 2 '' '^sotto: standard input: is a binary file, not text$' run -m $echo -p x < <(printf 'a\0b')
expect prompt-latin1-stdin 2 '' '^sotto: standard input: the text is not UTF-8' run -m $echo -p x < <(printf 'gr\374n')
expect prompt-p-closed 0 '^x$' '' run -m $echo -p x <&-
expect prompt-words-closed 0 '^a b$' '' run -m $echo a b <&-
expect raw 0 '^x$' '' run --raw -m $echo -p x </dev/null
expect environment 0 '^x$' '' run -p x --model $echo </dev/null
SOTTO_MODEL=$echo expect model-environment 0 '^x$' '' run -p x </dev/null

# A pipe gets the bytes as they are
printf '\342\200\256a\033[31m\n' >"$work/expected"
"$sotto" run -m $echo -f "$work/expected" >"$work/out" 2>"$work/err"
cmp -s "$work/expected" "$work/out"
result $? pipe-is-raw "$(od -c "$work/out" | head -3)"

# A chat gone on with keeps the prompt and the reply
chats=$work/data/sotto/chats chat=20261124-191636-ff39
expect chats-none 0 '' '^sotto: note: no chats are saved yet$' chats
expect resume-none 2 '' '^sotto: there is no chat to continue yet$' run -m $echo -C -p x
mkdir -p "$chats"
cat >"$chats/$chat.yaml" <<'EOF'
--- # r seq=1 len=48 crc32c=93c7b8cc
type: "meta"
format: "1"
program: "sotto 0.1.0"
...
--- # r seq=2 len=91 crc32c=0c6fb6c8
type: "message"
id: "1"
parent: "0"
role: "system"
time: "2026-11-24T19:16:36Z"
text: "Be"
...
--- # r seq=3 len=98 crc32c=b3b18c60
type: "message"
id: "2"
parent: "1"
role: "user"
time: "2026-11-24T19:16:36Z"
text: "hello there"
...
--- # r seq=4 len=342 crc32c=91bcd075
type: "assistant-end"
id: "3"
parent: "2"
role: "assistant"
time: "2026-11-24T19:16:36Z"
state: "complete"
params:
  temp: "0.8"
  top-k: "40"
  top-p: "0.95"
  min-p: "0.05"
  typical: "1"
  repeat-penalty: "1"
  repeat-last-n: "64"
  presence-penalty: "0"
  frequency-penalty: "0"
  seed: "-1"
text: "warm 0 warm 1 warm 2 "
tokens: "0 1 2"
...
EOF
cp "$chats/$chat.yaml" "$work/chat.before"
expect chats 0 "^$chat  20..-..-.. ..:..  .*  hello there" '' chats
expect chats-json 0 "^\\{\"id\": \"$chat\", \"path\": \"$chats/$chat.yaml\", \"title\": \"hello there\"" '' chats --json
expect chats-find 0 "^$chat  .*    assistant: warm 0 warm 1 warm 2 .*    and [0-9]+ more\$|^$chat  .*    assistant: warm 0" '' chats WARM
expect chats-find-words 0 "^$chat .*    user: hello there" '' chats hello thére
expect chats-find-json 0 '^\{"id"' '' chats --json Hello
expect chats-find-none 1 '' '^sotto: no chat contains that text$' chats nothing of that
expect chats-export 0 '^## System

Be

## You

hello there

## Assistant

warm 0 warm 1 warm 2$' '' chats --export md $chat
expect chats-export-title 0 '^\[
  \{"role": "system", "content": "Be"\}' '' chats --export json hello there
expect chats-export-unknown 2 '' "^sotto: there is no chat 'zzz'\$" chats --export md zzz
expect chats-export-format 2 '' "takes md, json, txt or html, not 'pdf'" chats --export pdf $chat
expect chats-export-none 2 '' '--export needs a chat' chats --export md
cmp -s "$work/chat.before" "$chats/$chat.yaml"
result $? chats-untouched "reading wrote to the chat"
expect chats-trash-none 0 '' '^sotto: note: the trash is empty$' chats --trash
expect chats-delete-none 2 '' '--delete needs a chat' chats --delete
expect chats-delete-two 2 '' 'only one of --delete' chats --delete --restore $chat
expect chats-delete-unknown 2 '' "there is no chat 'zzz'" chats --delete zzz
echo precious >"$work/precious.txt"
expect chats-delete-file 2 '' 'precious.txt: not a chat saved by sotto$' chats --delete "$work/precious.txt"
[ "$(cat "$work/precious.txt")" = precious ]
result $? chats-delete-file "it is gone"
expect chats-rename-file 2 '' 'precious.txt: not a chat saved by sotto$' chats --rename x "$work/precious.txt"
expect chats-export-file 2 '' 'precious.txt: not a chat saved by sotto$' chats --export md "$work/precious.txt"
expect chats-json-delete 2 '' '--json is for lists' chats --json --delete $chat
expect chats-delete 0 '' 'in the trash; --restore brings it back' chats --delete hello there
expect chats-deleted 0 '' 'no chats are saved yet' chats
expect chats-trash 0 "^$chat  .*  hello there" '' chats --trash
expect chats-trash-words 2 '' 'as a whole' chats --trash hello
expect chats-find-deleted 1 '' 'no chat contains that text' chats warm
expect chats-restore-unknown 2 '' "there is no chat 'zzz' in the trash" chats --restore zzz
expect chats-restore 0 '' '' chats --restore ${chat%-*}
cmp -s "$work/chat.before" "$chats/$chat.yaml"
result $? chats-restored "the trash changed the chat"
expect chats-rename 0 '' '' chats --rename 'Warm words' $chat
expect chats-renamed 0 "^$chat  .*  Warm words" '' chats warm
expect chats-rename-back 0 '' '' chats --rename '' Warm words
expect chats-renamed-back 0 "^$chat  .*  hello there" '' chats warm
expect chats-delete-again 0 '' 'in the trash' chats --delete $chat
expect chats-empty 0 '' '^sotto: note: 1 chat was deleted for good$' chats --empty-trash
expect chats-emptied 0 '' 'the trash is empty' chats --empty-trash
cp "$work/chat.before" "$chats/$chat.yaml"
expect resume-unknown 2 '' "^sotto: there is no chat 'zzz'$" run -m $echo --resume zzz -p x
expect resume-no-file 2 '' 'none.yaml: cannot open' -m $echo --resume "$work/none.yaml" < <(echo x)
cp "$work/prompt" "$work/letter.yaml"
expect resume-no-chat 2 '' 'not a chat saved by sotto' run -m $echo --resume "$work/letter.yaml" -p x
expect resume-raw 2 '' '--raw continues a text' run --raw -m $echo -C -p x
expect resume-no-model 3 '' 'nowhere.gguf' run -m "$work/nowhere.gguf" -C -p x
cmp -s "$work/chat.before" "$chats/$chat.yaml"
result $? resume-untouched "a failure wrote to the chat"
expect resume-no-save 0 '^Be$' '' run -m synthetic:mode=system -C --no-save -p x
cmp -s "$work/chat.before" "$chats/$chat.yaml"
result $? resume-no-save "something was written"
expect resume 0 '^Be$' '' run -m synthetic:mode=system -C -p 'and now?'
expect resume-by-title 0 '^Be$' 'warning: --system-prompt has no effect on a chat that has already begun' \
	run -m synthetic:mode=system --resume 'hello there' --system-prompt You -p more
expect resume-pipe 0 '^from a pipe$' '' -m $echo -C < <(echo from a pipe)
expect resume-template 0 '^from here on$' '' run -m $echo -C -T concise from here on
expect resume-kept-template 0 '^x$' '' run -m $echo --resume $chat -p x
sed 's/origin: "concise"/origin: "gone"/' "$chats/$chat.yaml" >"$work/gone.yaml"
expect resume-unusable-template 0 '^x$' 'can no longer be used' run -m $echo --resume "$work/gone.yaml" -p x
cp "$chats/$chat.yaml" "$work/draft.yaml"
printf -- '--- # r seq=900 len=1 crc32c=0\ntype: "draft"\ntext: "half a thought"\n...\n' >>"$work/draft.yaml"
expect resume-draft 0 '^y$' '' run -m $echo --resume "$work/draft.yaml" -p y
[ "$(grep -c '^text: "half a thought"$' "$work/draft.yaml")" = 2 ]
result $? resume-draft "what was typed in the chat is gone: $(tail -30 "$work/draft.yaml")"
roles=$(sed -n 's/^role: "\(.\).*/\1/p' "$chats/$chat.yaml" | tr -d '\n')
texts=$(grep -cE '^text: "(and now\?|Be|more|from a pipe|from a pipe\\n|from here on|x)"$' "$chats/$chat.yaml")
[ "$roles" = suauauauasuaua ] && [ "$texts" = 11 ] && [ "$(grep -c '^origin: "concise"' "$chats/$chat.yaml")" = 1 ]
result $? resume-kept "$roles, $texts: $(cat "$chats/$chat.yaml")"
cp "$work/chat.before" "$work/stdin.yaml"
expect resume-with-stdin 0 'what is it\?$' '' run -m $echo --resume "$work/stdin.yaml" -p 'what is it?' < <(echo a diff)
expect resume-keeps-stdin 0 $'\n## You\n\nwhat is it\\?\n\nFile: standard input\n```\na diff\n```\n' '' chats --export md "$work/stdin.yaml"
grep -q '^  - name: "standard input"' "$work/stdin.yaml"
result $? resume-knows-stdin "it is not kept as a file"
[ "$(grep -c '^model: "synthetic' "$chats/$chat.yaml")" = 5 ]
result $? resume-model "$(grep ^model: "$chats/$chat.yaml")"
expect resume-stop 4 '' "policy 'stop' leaves nothing out" \
	run -m synthetic:n_ctx=70 -C --context-policy stop -p "a b c"
expect resume-context 4 '' 'prompt has' run -m synthetic:n_ctx=8 -C -p "a b c d e f g h i j k l"
[ "$(grep '^type:' "$chats/$chat.yaml" | tail -1)" = 'type: "leaf"' ]
result $? resume-context-off-path "$(tail -20 "$chats/$chat.yaml")"
# A context of 40 words has room for 30, a quarter being the reply's; the chat has 12, a turn more has 8
cp "$work/chat.before" "$work/overflow.yaml"
for turn in 1 2; do
	expect overflow-fits 0 '^a b c$' '' run -m synthetic:mode=echo,n_ctx=40 --resume "$work/overflow.yaml" -p "a b c"
done
expect overflow 0 '^a b c$' '^sotto: note: the context is full: the oldest 2 messages are left out$' \
	run -m synthetic:mode=echo,n_ctx=40 --resume "$work/overflow.yaml" -p "a b c"
# Held by another: what is said goes to a copy
exec 8<"$chats/$chat.yaml"
flock 8
n=$(wc -c <"$chats/$chat.yaml")
expect resume-held 0 '^y$' 'note: this chat is open in another sotto: .* a copy, 2' run -m $echo --resume $chat -p y
exec 8<&-
[ "$(wc -c <"$chats/$chat.yaml")" = "$n" ] && [ "$(ls "$chats" | grep -c "yaml$")" = 2 ]
result $? resume-held "$(ls -l "$chats")"
ln -s /dev/full "$work/full.yaml"
expect resume-device 1 '' 'not a regular file' run -m $echo --resume "$work/full.yaml" -p y

# Where the prompt cannot be kept nothing is answered
out=$(ulimit -f 0; timeout 120 "$sotto" run -m $echo --resume $chat -p y 2>&1)
code=$?
[ $code = 1 ] && [[ $out =~ ^sotto:\ .*cannot\ write:\ File\ too\ large$ ]]
result $? resume-full-disk "exit $code: $out"

# Sampling parameters reach the model
expect temp-0 0 '^cold 0 cold 1 ' '' run -m synthetic:tokens=2 --temp 0 -p x
expect temp-1 0 '^warm 0 warm 1 ' '' run -m synthetic:tokens=2 --temp 1 -p x
expect predict 0 '^warm 0 warm 1 warm 2 $' '' run -m synthetic: -n 3 -p x
expect predict-joined 0 '^warm 0 warm 1 $' '' run -m synthetic: -n2 -p x
expect predict-none 0 '' '' run -m synthetic: -n 0 -p x

# Ends
expect context-full 0 '^warm 0 ' 'context is full' run -m synthetic:tokens=100,n_ctx=20 -p x
expect context-exceeded 4 '' 'prompt has' run -m synthetic: -c 8 -p "a b c d e f g h i j k l"
expect turn-fails 1 '^warm 0 ' 'made to fail' run -m synthetic:fail=2 -p x
expect load-fails 3 '' 'made to fail' run -m synthetic:fail=load -p x
"$sotto" run -m synthetic:tokens=10 -p x 2>"$work/err" >/dev/full
[ $? = 1 ] && grep -q 'standard output' "$work/err"
result $? full-disk "$(cat "$work/err")"

# Model files: what they hold, and what is no model file
make_tiny=$PWD/tests/support/make_tiny
"$make_tiny" "$work/tiny.gguf" && "$make_tiny" --bpe --vocab-only "$work/vocab.gguf"
result $? make-tiny "no model made"
# A chat that is gone on with has its own model, where none is named
mkdir -p "$work/own/sotto/chats"
cp "$work/chat.before" "$work/own/sotto/chats/$chat.yaml"
cp "$work/tiny.gguf" "$work/own/mine.gguf"
own() { XDG_DATA_HOME=$work/own XDG_STATE_HOME=$work/own expect "$@"; }
echo "{% for m in messages %}{{ m.content }}{% endfor %}" >"$work/own/all.jinja"
long='context of 512 tokens is longer than'
own own-model 0 '.' "$long" run -m "$work/own/mine.gguf" --chat-template "$work/own/all.jinja" -C -c 512 -n 2 -p x
own own-model-again 0 '"model": "tiny"' "$long" run --json --chat-template "$work/own/all.jinja" -C -c 512 -n 2 -p x
SOTTO_MODEL=$echo own own-model-wins 0 '"model": "tiny"' "$long" run --json --chat-template "$work/own/all.jinja" -C -c 512 -n 2 -p x
own own-model-named 0 '^x$' '' run -m $echo -C --no-save -p x
mv "$work/own/mine.gguf" "$work/own/moved.gguf"
SOTTO_MODEL=$echo own own-model-gone 0 '^x$' '^sotto: note: the model of this chat, tiny, is not there: .*mine.gguf: No such file' \
	run -C --no-save -p x
expect info 0 'general.architecture = "llama".*token_embd.weight.*architecture +llama.*parameters.*F32 +100.0 %.*context of 64 tokens.*together' '' info "$work/tiny.gguf"
expect run-long-context 0 '.' 'context of 65 tokens is longer than the 64 that' run -m "$work/tiny.gguf" -c 65 --raw -n 3 --temp 0 -p a
expect run-trained-context 0 '.' '' run -m "$work/tiny.gguf" -c 64 --raw -n 3 --temp 0 -p a
expect info-m 0 'context of 16 tokens' '' info -m "$work/tiny.gguf" -c 16
expect info-vocab 0 'tokenizer.ggml.merges = 8 string.*tensors: 0.*a vocabulary only' '' info "$work/vocab.gguf"
expect info-nothing 2 '' 'one model file is needed' info -m ''
expect info-m-and-word 0 'context of' '--model has no effect' info -m none "$work/tiny.gguf"
expect info-two 2 '' 'one model file is needed' info a b
expect info-missing 3 '' 'none.gguf: cannot open: No such file' info "$work/none.gguf"
expect info-directory 3 '' 'is a folder' info "$work"
expect info-text 3 '' 'not a GGUF file' info "$work/prompt"
printf 'ab' >"$work/text"
expect tokenize 0 '^97 98$' '' tokenize -m "$work/vocab.gguf" ab
expect tokenize-bos 0 '^1 264 271$' '' tokenize -m "$work/tiny.gguf" ab
expect tokenize-no-bos 0 '^264 271$' '' tokenize -m "$work/tiny.gguf" --no-bos ab
# Every command that opens a model takes --override-kv
expect override-tokenize 0 '^264 271$' '' tokenize -m "$work/tiny.gguf" --override-kv tokenizer.ggml.add_bos_token=bool:false ab
expect override-bad 2 '' "^sotto: --override-kv: 'add_bos=no': expected KEY=int:N" tokenize -m "$work/tiny.gguf" --override-kv add_bos=no ab
expect override-info 0 $'set with --override-kv\n  llama.context_length=int:32\n.*context of 32 tokens' '' info "$work/tiny.gguf" \
	--override-kv llama.context_length=int:32
expect tokenize-special 0 '^264 60 47 115 62$' '' tokenize -m "$work/vocab.gguf" --parse-special '<|endoftext|></s>'
expect tokenize-file 0 '^97 98$' '' tokenize -m "$work/vocab.gguf" -f "$work/text"
expect tokenize-both 2 '' 'not both' tokenize -m "$work/vocab.gguf" -f "$work/text" ab
expect tokenize-no-file 2 '' 'none: cannot open' tokenize -m "$work/vocab.gguf" -f "$work/none"
expect tokenize-no-model 2 '' 'no model' tokenize -m '' ab
expect tokenize-missing 3 '' 'none.gguf: cannot open: No such file' tokenize -m "$work/none.gguf" ab
expect tokenize-text 3 '' 'not a GGUF file' tokenize -m "$work/text" ab
printf 'ab' | "$sotto" tokenize -m "$work/vocab.gguf" >"$work/out" 2>&1 && [ "$(cat "$work/out")" = '97 98' ]
result $? tokenize-stdin "$(cat "$work/out")"

# The models of this machine
export SOTTO_PKGDATADIR=$work/pkg # has no guide
mkdir -p "$work/.lmstudio/models/a/b" "$work/cache/llama.cpp" "$work/nobody"
"$make_tiny" "$work/.lmstudio/models/a/b/m.gguf" && "$make_tiny" --bpe --ctx 128 "$work/cache/llama.cpp/other.gguf" &&
	printf 'a letter' >"$work/cache/llama.cpp/"$'odd\e[31m "name".gguf'
cd "$work/nobody"
expect models 0 'fits .* F32 .* 128 +llama +tiny  [^ ]*/cache/llama.cpp/other.gguf' '' models
[ "$(grep -c . "$work/out")" = 3 ] && [ "$(grep -c '^fits ' "$work/out")" = 2 ]
result $? models-lines "$(cat "$work/out")"
grep -q '^damaged .*odd^\[\[31m "name".gguf.*(.*not a GGUF file' "$work/out"
result $? models-damaged "$(cat "$work/out")"
expect models-json 0 '"state": "damaged", "why": "[^"]*not a GGUF file' '' models --json
grep -qF '"name": "odd\u001b[31m \"name\".gguf"' "$work/out" &&
	grep -qF '"architecture": "llama", "type": "F32"' "$work/out"
result $? models-json-text "$(cat "$work/out")"
if command -v python3 >/dev/null; then
	python3 -c 'import json, sys
for line in open(sys.argv[1]): json.loads(line)["path"]' "$work/out"
	result $? models-json-valid "$(cat "$work/out")"
fi
SOTTO_TEST_WEIGHT_RATE=20e9 # the same on every machine
export SOTTO_TEST_WEIGHT_RATE
expect models-words 2 '' "found 'x', expected rm, verify or licence" models x
expect models-advice 0 'sotto pull [^ ]*/[^ ]*:[A-Z0-9_]+[[:space:]]' '' models --advice
expect models-advice-speed 0 'needs [0-9.]* .iB; about [0-9]* tokens? a second here' '' models --advice
SOTTO_TEST_WEIGHT_RATE=1e8 expect models-advice-slow 0 'is the fastest' '' models --advice
expect models-advice-json 0 '"name": "Gemma 3 270M", .*"memory": [0-9]*, "tokens_per_second": [0-9.]*, "fits": (true|false), "recommended": (true|false)}' '' models --advice --json
[ "$(grep -c '"recommended": true' "$work/out")" = 1 ]
result $? models-advice-json-one "$(cat "$work/out")"
SOTTO_TEST_WEIGHT_RATE=1e8 "$sotto" models --advice --json >"$work/out"
grep -q 'Gemma 3 270M.*"tokens_per_second": 0[.][0-9]*, .*"recommended": true' "$work/out"
result $? models-advice-json-slow "$(cat "$work/out")"
HOME=$work/nobody XDG_CACHE_HOME= "$sotto" models >"$work/out" 2>"$work/err"
[ $? = 0 ] && [ ! -s "$work/out" ] && grep -q 'No model was found' "$work/err" &&
	grep -q 'sotto pull .*/.*:' "$work/err"
result $? models-none "$(cat "$work/err")"
"$sotto" models >/dev/full 2>"$work/err"
[ $? = 1 ] && grep -q 'standard output' "$work/err"
result $? models-full-disk "$(cat "$work/err")"

# The guide, the model that comes with sotto: found in the data directory, used where none is named
ln -s "$guide_source/tools" "$work/pkg/tools"
expect guide-missing 2 '' 'no model' run -p x
expect guide-missing-by-name 3 '' 'pkg/models/guide.gguf: cannot open' run -m guide -p x
expect guide-unknown-template 2 '' "did you mean 'chatml'" render --chat-template chatm
mkdir "$work/pkg/models"
"$make_tiny" --guide --ctx 2048 "$work/pkg/models/guide.gguf"
result $? guide-make "no model made"
expect guide 0 '' 'no chat template' run -p 'hello' -n 0
expect guide-by-name 0 '' 'no chat template' run -m guide -p 'hello' -n 0
expect guide-none 2 '' 'no model' run -m '' -p 'hello' -n 0
expect guide-info 0 'sotto.guide = true' '' info
expect guide-tokenize 0 '^1 264 271$' '' tokenize ab
expect guide-show 0 'model: *# |#.*model' '' --print-config
expect guide-render-needs-none 2 '' "did you mean 'chatml'" render --chat-template chatm
"$sotto" models >"$work/out" 2>"$work/err"
tail -n 1 "$work/out" | grep -q '^fits .* guide (built in)  [^ ]*/pkg/models/guide.gguf$'
result $? guide-models "$(cat "$work/out")"
grep -c . "$work/out" | grep -qx 4
result $? guide-models-lines "$(cat "$work/out")"
HOME=$work/nobody XDG_CACHE_HOME= "$sotto" models >"$work/out" 2>"$work/err"
[ "$(grep -c . "$work/out")" = 1 ] && grep -q 'No model was found on this machine but the guide' "$work/err"
result $? guide-models-alone "$(cat "$work/err")"
expect guide-models-json 0 '"built_in": true' '' models --json
# Its help is looked up in each turn and goes before the conversation, but not in raw mode
expect guide-help 0 $'Help:\n- .*F2' '' run -m synthetic:guide=1,mode=system -p 'how do i open the sampler sliders?'
expect guide-help-own 0 $'^You are Ann\.\n\nHelp:' 'cannot follow a system message' run -m synthetic:guide=1,mode=system \
	--system-prompt 'You are Ann.' -p 'how do i open the sampler sliders?'
expect guide-follows-no-template 1 '' 'cannot follow a template. -m FILE takes a model that can' run -m synthetic:guide=1,mode=system \
	--prompt-dir "$guide_source/prompts" -T translator -V to=German -p x
expect guide-no-help 0 '^x$' '' run --raw -m synthetic:guide=1,mode=system -p x
expect other-no-help 0 '^how do i quit$' '' run -m synthetic:mode=system -p 'how do i quit'
rm "$work/pkg/tools"
expect guide-without-facts 0 '^x$' 'note: .*facts.yaml' run -m synthetic:guide=1,mode=system -p x
cd - >/dev/null

# A model in parts is one, by the name of any
mkdir "$work/parts" && cd "$work/parts"
"$make_tiny" whole.gguf && "$make_tiny" --split 3 big
result $? make-parts "could not be written"
expect parts-info 0 'file +[0-9.]* .iB \([0-9]* bytes\), GGUF version 3, in 3 parts' '' info big-00002-of-00003.gguf
for name in whole.gguf big-00001-of-00003.gguf big-00003-of-00003.gguf; do
	expect parts-logits 0 '' '' logits -m $name --ids '1 5 9' -o $name.logits
	cmp $name.logits whole.gguf.logits
	result $? parts-logits "$name: not the same bytes"
done
expect parts-tokenize 0 '.' '' tokenize -m big-00002-of-00003.gguf ab
expect parts-run 0 '.' 'no chat template' run -m big-00003-of-00003.gguf -p ab -n 3 --seed 1
expect parts-quantize 0 '.' '' quantize big-00001-of-00003.gguf joined.gguf F16
expect parts-quantize-whole 0 '.' '' quantize whole.gguf f16.gguf F16
cmp joined.gguf f16.gguf
result $? parts-quantize "not the same bytes"
rm joined.gguf f16.gguf whole.gguf
expect parts-models 0 'fits .* tiny  [^ ]*/big-00001-of-00003.gguf  \(3 files\)' '' models
[ "$(grep -c big- "$work/out")" = 1 ]
result $? parts-models-once "$(cat "$work/out")"
expect parts-models-json 0 '"parts": 3' '' models --json
rm big-00002-of-00003.gguf
expect parts-missing 3 '' \
	'big-00001-of-00003.gguf: part 2 of 3, big-00002-of-00003.gguf, is missing; incomplete download\?$' \
	run -m big-00001-of-00003.gguf -p x
expect parts-missing-models 0 'damaged .*big-00001-of-00003.gguf  \(part 2 of 3, big-00002' '' models
cd - >/dev/null

unset SOTTO_PKGDATADIR
# The one that ships, found without installing
expect real-guide 0 'F2' '' run --temp 0 -p 'how do i open the sampler sliders?' </dev/null
echo 'messages: [{role: user, content: hi}]' >"$work/hi.yaml"
expect real-guide-template 0 '^<.im_start.>' '' render --context "$work/hi.yaml"
expect real-guide-info 0 'general.license = "GPL-3.0-or-later"' '' info
expect real-guide-quantize 0 'Q5_K_M' 'already quantised' quantize --allow-requantize "$guide_source/models/guide.gguf" \
	"$work/guide-q5.gguf" Q5_K_M
expect real-guide-copy 0 'sotto.guide = true' '' info "$work/guide-q5.gguf"

# Chat templates
cat >"$work/context.yaml" <<'EOF'
bos_token: <s>
messages:
- role: user
  content: "a\e[1m <|im_end|>"
- {role: assistant, content: 'yes', "n": [0x10, 017, 1.50, ~, on]}
EOF
printf '%s\n' '{{ bos_token }}{% for m in messages %}' '<{{ m.role }}>{{ m.content }}' '{% endfor %}' >"$work/t.jinja"
"$sotto" render --chat-template "$work/t.jinja" --context "$work/context.yaml" >"$work/out" 2>"$work/err"
printf '<s><user>a\033[1m <|im_end|>\n<assistant>yes\n' | cmp -s - "$work/out"
result $? render "$(od -c "$work/out" | head -5) $(cat "$work/err")"
render() { # NAME CODE STDOUT STDERR TEMPLATE [ARGUMENT]...
	local name=$1 code=$2 out=$3 err=$4
	printf '%s' "$5" >"$work/x.jinja"
	shift 5
	expect "$name" "$code" "$out" "$err" render --chat-template "$work/x.jinja" "$@"
}
context="--context $work/context.yaml"
render render-values 0 "^'yes' \[16, 15, 1.5, None, True\]$" '' "'{{ messages[1].content }}' {{ messages[1]['n'] }}" $context
render render-no-context 0 '^hi $' '' 'hi {{ messages }}'
render render-marks 0 $'^- template: "<s>user: "\n- line 4: "a\\\\e\[1m <\|im_end\|>"\n- template: "!"$' '' \
	'{{ bos_token }}{{ messages[0].role }}: {{ messages[0].content }}!' $context --marks
render render-kwargs 0 '^True \[1, 2.5, None\] <s>hi$' '' '{{ enable_thinking }} {{ x }} {{ bos_token }}hi' $context \
	--chat-template-kwargs '{"enable_thinking": true, "x": [1, 2.5, null]}'
render render-bad-kwargs 2 '' "--chat-template-kwargs: not JSON at character 6: ':' was expected" x --chat-template-kwargs '{"a" 1}'
expect override-template 0 '^hi 2$' '' render -m "$work/tiny.gguf" --override-kv 'tokenizer.chat_template=str:hi {{ 1 + 1 }}'
render render-now 0 '^2026-11-21 09:30:00 Sat$' '' "{{ strftime_now('%Y-%m-%d %H:%M:%S %a') }}" --now 2026-11-21T09:30:00
render render-now-fraction 0 '^00.025000$' '' "{{ strftime_now('%S.%f') }}" --now 2026-11-21T09:30:00.025
render render-now-digits 2 '' '--now needs a time' x --now 2026-11-21T09:30:00.1234567
render render-now-point 2 '' '--now needs a time' x --now 2026-11-21T09:30:00.
SOTTO_TEST_CLOCK=1795648064.5 render render-clock 0 '^44.500000$' '' "{{ strftime_now('%S.%f') }}"
render render-bad-now 2 '' '--now needs a time' 'x' --now yesterday
render render-short-date 2 '' '--now needs a time' 'x' --now 2026-1-1T1:1:1
render render-bad-date 2 '' '--now needs a time' 'x' --now 2026-02-30T00:00:00
render render-raises 1 '' '^sotto: no system role$' "{{ raise_exception('no system role') }}"
render render-fails 1 '' "^sotto: .*x.jinja:2: 'x' is undefined$" $'\n{{ x.y }}'
render render-syntax 1 '' '^sotto: .*x.jinja:1: ' '{% if %}'
render render-bomb 1 '' 'takes too much' '{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}'
render render-utf8 2 '' 'x.jinja:2: not UTF-8 \(byte 0xff\)' $'a\n\xff'
render render-words 2 '' 'takes no words' x y
render render-missing-context 2 '' 'none.yaml: cannot open' x --context "$work/none.yaml"
printf 'a: 1\n- b\n' >"$work/bad.yaml"
render render-bad-yaml 2 '' 'bad.yaml:2: ' x --context "$work/bad.yaml"
printf 'a: 0x99999999999999999999\n' >"$work/bad.yaml"
render render-big-number 2 '' 'bad.yaml:1: the number does not fit' x --context "$work/bad.yaml"
printf -- '- a\n' >"$work/bad.yaml"
render render-no-map 2 '' 'bad.yaml:1: expected a mapping' x --context "$work/bad.yaml"
expect render-no-template 2 '' 'no template' render -m ''
echo 'messages: [{role: user, content: hi}]' >"$work/hi.yaml"
expect render-built-in 0 '^<.im_start.>user.hi<.im_end.>$' '' render --chat-template chatml \
	--context "$work/hi.yaml"
expect render-unknown 2 '' "did you mean 'chatml'" render --chat-template chatm
expect render-missing-template 2 '' 'none.jinja: cannot open' render --chat-template "$work/none.jinja"
expect render-model-without 3 '' 'has no chat template' render -m "$work/vocab.gguf"
head -c 1100000 /dev/zero | tr '\0' a >"$work/x.jinja"
expect render-large 2 '' 'larger than 1048576 bytes' render --chat-template "$work/x.jinja"

: >"$work/empty.gguf"
expect info-empty 3 '' 'is empty' info "$work/empty.gguf"
head -c 3000 "$work/tiny.gguf" >"$work/cut.gguf"
expect info-cut 3 '' 'the file ends after' info "$work/cut.gguf"
mkfifo "$work/fifo"
expect info-fifo 3 '' 'not a regular file' info "$work/fifo"
expect render-fifo 2 '' 'not a regular file' render --chat-template "$work/fifo"
printf 'GGUF\3\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\12\0\0\0\0\0\0\0\033]0;title\7\10\0\0\0\11\0\0\0\0\0\0\0a\033[31m\342\200\256' >"$work/escapes.gguf"
expect info-escapes 0 '\^\[\]0;title.*a\^\[\[31m<U\+202E>' '' info "$work/escapes.gguf"
"$sotto" info "$work/tiny.gguf" 2>"$work/err" >/dev/full
[ $? = 1 ] && grep -q 'standard output' "$work/err"
result $? info-full-disk "$(cat "$work/err")"

# Model files: every one that cannot be used is one clear line and exit 3
mkdir "$work/models"
"$PWD/tests/cli/make_models" "$work/models"
result $? make-models "could not be written"
models=$work/models
real="run -p hello -n 4 --temp 0 -c 256"
expect good-model 0 '.' 'note: the model has no chat template' $real -m "$models/good.gguf"
expect good-model-twice 0 '.' 'note: the model has no chat template' $real --no-kv-cache -b 1 -t 2 -m "$models/good.gguf"
expect bias-beyond 2 '' 'logit-bias: there is no token 99999999: the last is [0-9]+$' $real --raw -m "$models/good.gguf" --logit-bias 99999999+1
truncated=$(wc -c <"$models/truncated.gguf")
for command in "$real -m" info; do
	expect missing 3 '' 'nowhere.gguf' $command "$models/nowhere.gguf"
	expect directory 3 '' 'is a folder' $command "$models"
	expect empty 3 '' 'empty.gguf.*empty' $command "$models/empty.gguf"
	expect text 3 '' 'text.gguf.*not a GGUF file' $command "$models/text.gguf"
	expect cut-header 3 '' 'cut-header.gguf.*incomplete download\?' $command "$models/cut-header.gguf"
	expect truncated 3 '' \
		"truncated.gguf.*tensor.*incomplete download\? $truncated bytes are here, $((truncated + 5000)) are needed\$" $command "$models/truncated.gguf"
	expect device 3 '' '/dev/null' $command /dev/null
done
expect gptoss 3 '' "Ollama's own files of gpt-oss" $real -m "$models/ollama-gpt-oss.gguf"
expect run-modalities 0 '.' 'images and sound, which sotto ignores' $real --raw -m "$models/modalities.gguf"
expect unknown-arch 3 '' 'warble.*llama' $real -m "$models/unknown-arch.gguf"
expect unknown-type 3 '' 'output_norm.weight.*type' $real -m "$models/unknown-type.gguf"
expect raw-context 4 '' 'prompt has' run --raw -m "$models/good.gguf" -c 16 -p "$(seq 100)"
expect chat-template 0 '.' '' $real --chat-template plain -m "$models/good.gguf"
expect chat-template-unknown 2 '' "no chat template 'chatm', did you mean 'chatml'" \
	$real --chat-template chatm -m "$models/good.gguf"
printf '{%% if %%}' >"$work/broken.jinja"
expect chat-template-broken 2 '' 'broken.jinja:1: ' $real --chat-template "$work/broken.jinja" \
	-m "$models/good.gguf"
printf '{{ raise_exception("none of that") }}' >"$work/raises.jinja"
timeout 120 "$sotto" $real --chat-template "$work/raises.jinja" -m "$models/good.gguf" \
	>"$work/out" 2>"$work/err"
[ $? != 0 ] && [ ! -s "$work/out" ] && grep -q 'sotto: chat template: none of that' "$work/err"
result $? chat-template-raises "$(cat "$work/err")"
expect show-reasoning 0 '^warm 0 $' '^thought 0 thought 1 $' \
	run -m synthetic:mode=think,think=2,tokens=1 --show-reasoning -p x
timeout 120 "$sotto" run -m synthetic:tokens=1 --context -sys "Be brief" -p "x y" \
	</dev/null >"$work/out" 2>"$work/err"
[ $? = 0 ] && grep -q '^warm 0 $' "$work/out" && diff "$work/err" - <<'END'
Context: 6 of 4096 tokens, 0 of them in the cache
        2  System: Be brief
        2  Chat template, around the messages
        2  You: x y
     1024  Reserved for the reply
     3066  Free
END
result $? context-table "$(cat "$work/err")"
expect only-reasoning 0 '' '^sotto: note: the model has thought but not answered$' \
	run -m synthetic:mode=think,think=5 -n 3 -p x
expect hide-reasoning 0 '^warm 0 $' '' run -m synthetic:mode=think,think=2,tokens=1 -p x
expect no-reasoning 0 '^warm 0 $' '' \
	run -m synthetic:mode=think,think=2,tokens=1 --show-reasoning --reasoning off -p x
expect info-modalities 0 'together.*in the file +[0-9.]+ [A-Za-z]+ of embeddings.*not used +192 B.*note +The file has parts for images and sound' '' info "$models/modalities.gguf"
! "$sotto" info "$models/good.gguf" | grep -q 'images\|not used'
result $? info-no-modalities 'images'
expect info-gptoss 0 'memory.*weights' '' info "$models/ollama-gpt-oss.gguf"
expect info-template 0 'chat template.*name +plain.*system message +yes' '' info "$models/good.gguf"
expect info-template-named 0 'name +gemma' '' info --chat-template gemma "$models/good.gguf"
expect chat-context 4 '' 'prompt has' run --chat-template plain -m "$models/good.gguf" -c 32 -p "$(seq 100)"

# Too little memory: a refusal, not a crash. (Sanitizers need the address space.)
if ! grep -q '^#define SOTTO_SANITIZER' config.h; then
	(
		ulimit -v 200000
		timeout 120 "$sotto" run -m "$models/long.gguf" -p x -n 1 -c 1000000 -t 1
	) >"$work/out" 2>"$work/err"
	code=$?
	[ $code = 1 ] && [ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" = 1 ] &&
		grep -q 'memory' "$work/err"
	result $? too-little-memory "exit $code: $(cat "$work/err")"
fi

# Logits and traces
good=$models/good.gguf
ids='1 5 9,12 40'
expect logits 0 '' '' logits -m "$good" --ids "$ids" -o "$work/logits"
expect logits-split 0 '' '' logits -m "$good" --ids "$ids" -o "$work/split" -b 2 -t 3 --no-kv-cache
cmp "$work/logits" "$work/split"
result $? logits-split "not the same bytes"
vocab=$("$sotto" info "$good" | sed -n 's/^ *llama.vocab_size[^0-9]*\([0-9]*\)$/\1/p')
[ "$(wc -c <"$work/logits")" = $((5 * 4 * ${vocab:-0})) ]
result $? logits-size "$(wc -c <"$work/logits") bytes for a vocabulary of $vocab"
number='-?[0-9.]+(e-?[0-9]+)?'
expect trace 0 "^layer0 $number $number.layer1 $number $number.final $number $number\$" '' \
	trace -m "$good" --ids "$ids" --layers
# --help lists, and warns of, what acts: no warning here
expect logits-options 0 '' '' logits -m "$good" --ids "$ids" -o "$work/none" --rope-freq-base 500000 --rope-scaling yarn \
	--rope-scale 2 --yarn-orig-ctx 64 --yarn-ext-factor 1 --yarn-attn-factor 1 --yarn-beta-fast 32 --yarn-beta-slow 1 \
	--override-kv llama.context_length=int:64
expect logits-no-ids 2 '' 'ids' logits -m "$good" -o "$work/none"
expect logits-bad-id 2 '' "found 'x2'" logits -m "$good" --ids '1 x2' -o "$work/none"
expect logits-large-id 2 '' 'token id 99999: expected 0 to' logits -m "$good" --ids 99999 -o "$work/none"
expect logits-no-output 2 '' 'FILE' logits -m "$good" --ids 1
expect logits-no-directory 1 '' 'no-such' logits -m "$good" --ids 1 -o "$work/no-such/x"
expect logits-context 4 '' 'context of 4' logits -m "$good" -c 4 --ids "$ids" -o "$work/none"
expect logits-word 2 '' "takes no words: 'word'" logits -m "$good" --ids 1 -o "$work/none" word
[ ! -e "$work/none" ]
result $? logits-left-over "a failure leaves a file"
ln -s /dev/null "$work/device"
expect logits-device 2 '' 'token id 99999' logits -m "$good" --ids 99999 -o "$work/device"
[ -L "$work/device" ]
result $? logits-device "a failure removed the link to a device"
expect trace-nothing 2 '' 'layers' trace -m "$good" --ids 1
expect trace-csv 0 "^layer,rms,mean,largest,position,element,growth.layer0,$number,$number,$number,[0-4],[0-9]+,$number.*final,.*,\$" '' \
	trace -m "$good" --ids "$ids" --layers --csv
expect trace-json 0 '^\{"tokens": 5,.* "layers": \[.*\{"layer": "final", "rms": [^}]*"growth": null\}\],.* "top": \[.*"rank": 2,.*\}$' '' \
	trace -m "$good" --ids "$ids" --layers --top 2 --json
[ "$(tr -cd '{[' <"$work/out" | wc -c)" = "$(tr -cd '}]' <"$work/out" | wc -c)" ]
result $? trace-json "unbalanced: $(cat "$work/out")"
expect trace-rope 0 "^set 0, position 3: base 10000, pairs of neighbours.layers 0-1.set  pair .*  0     0      0       1 +1 +3 +-0.98999" '' \
	trace -m "$good" --rope 3
narrow trace-rope
expect trace-attention 0 '^layer 1, head 0 .*[|]@.*from 0 to 1: .*goes to the first token$' '' \
	trace -m "$good" --ids "$ids" --attention 1,0
narrow trace-attention
expect trace-attention-csv 0 '^query,key,weight.0,0,1.1,0,0?[.0-9]+.1,1,' '' trace -m "$good" --ids "$ids" --attention 1,0 --csv
expect trace-text 0 'position +id  bytes  hex +token.*  1 +[0-9]+ +2  20 61  " a"' '' trace -m "$good" -p a --hex
expect trace-no-layer 2 '' '--attention: there is no layer 99: this model has 0 to 1' trace -m "$good" --ids 1 --attention 99,0
expect trace-no-head 2 '' '--attention: there is no head 99: layer 0 has 0 to ' trace -m "$good" --ids 1 --attention 0,99
expect trace-bad-head 2 '' "--attention: found '0', expected a layer and a head" trace -m "$good" --ids 1 --attention 0
expect trace-no-experts 2 '' '--experts: this model has no experts' trace -m "$good" --ids 1 --experts
expect trace-no-state 2 '' '--state: no layer of this model is recurrent' trace -m "$good" --ids 1 --state
expect trace-rope-far 2 '' '--rope: position 9999 is not in the context of 32' trace -m "$good" -c 32 --rope 9999
expect trace-no-text 2 '' 'nothing to evaluate: give -p TEXT, -f FILE, --ids IDS, or a chat' trace -m "$good" --layers
expect trace-two-texts 2 '' 'give one of these alone' trace -m "$good" --layers --ids 1 -p x
expect trace-two-tables 2 '' 'csv prints one table' trace -m "$good" --ids 1 --layers --top 1 --csv
expect trace-server 2 '' 'takes the file of a model: server:a/b is on a server' trace -m server:a/b -p x --layers
# A saved chat is what the model sees of it: the template's text, too.
printf '%s' '[{"role":"user","content":"hello"},{"role":"assistant","content":"hi"},{"role":"user","content":"bye"}]' >"$work/said.json"
SOTTO_DATA_DIR=$work/traced "$sotto" chats --import "$work/said.json" >"$work/out" 2>"$work/err"
SOTTO_DATA_DIR=$work/traced "$sotto" trace -m "$good" --chat-template plain --hex --csv hello 2>"$work/err" |
	sed '1d; s/^[0-9]*,[0-9]*,[0-9]*,"*\([0-9a-f ]*\).*/ \1/; s/ $//; s/ \([0-9a-f]\)/\\x\1/g' | tr -d '\n' >"$work/hex"
printf "$(cat "$work/hex")" >"$work/out"
printf ' User: hello\nAssistant: hi\nUser: bye\nAssistant:' | cmp - "$work/out"
result $? trace-chat "$(cat "$work/err" "$work/out")"
expect trace-no-chat 2 '' "no chat" trace -m "$good" --layers no-such-chat
expect trace-folder 2 '' 'is a folder' trace -m "$good" --layers "$work"
expect trace-missing 3 '' 'nowhere' trace -m "$models/nowhere.gguf" --ids 1 --layers
expect trace-unknown-arch 3 '' 'warble.*llama' trace -m "$models/unknown-arch.gguf" --ids 1 --layers

# Benchmarks: small ones of a tiny model
# How fast the machine was is no matter: each row has a limit, or why there is none.
expect bench 0 'model .*threads?, .*GMAC/s int8.* GB/s read.*pp9 .*(%  of the peak|-  the limit was).*tg3 .*(%  of the reading|-  the (limit|caches) )' '' \
	bench -m "$good" -p 9 -n 3 -r 1
expect bench-depth 0 'pp9 .*tg3 .*pp9 @ d5 .*tg3 @ d5 ' '' bench -m "$good" -p 9 -n 3 -r 2 -d 0,5 -t 2
expect bench-json 0 '"test": "pp4 @ d7", "n_prompt": 4, "n_gen": 0, "depth": 7, .*"share": ([0-9.e+-]+|null, "no_limit": "[^"]+")\}\]\}$' '' \
	bench -m "$good" -p 4 -n 0 -r 2 -d 7 --json
[ "$(tr -cd '{[' <"$work/out" | wc -c)" = "$(tr -cd '}]' <"$work/out" | wc -c)" ]
result $? bench-json "unbalanced: $(cat "$work/out")"
expect bench-nothing 2 '' 'nothing to measure' bench -m "$good" -p 0 -n 0
expect bench-no-depth 2 '' "^sotto: --depth: found 'x', expected numbers" bench -m "$good" -d 0,x
expect bench-twice 2 '' '--depth: 5 is given twice' bench -m "$good" -d 5,5
expect bench-repetitions 2 '' 'expected a whole number from' bench -m "$good" -r 0
expect bench-word 2 '' "takes no words: 'word'" bench -m "$good" word
expect bench-missing 3 '' 'nowhere' bench -m "$models/nowhere.gguf"
expect bench-context 4 '' 'do not fit in the context' bench -m "$good" -p 100 -n 0 -r 1 -c 32

# Quantising
tiny=$work/tiny.gguf
wide=$models/wide.gguf
expect quantize 0 "^$work/q.gguf: F16, .* MiB of weights \\(were .*\\), .* bits each\$" '' quantize "$tiny" "$work/q.gguf" F16
expect quantize-alias 0 'Q4_K_M' 'note: 16 tensors have rows' quantize "$tiny" "$work/q.gguf" q4_k
expect quantize-again 3 '' "q8.gguf: tensor 'token_embd.weight'.*quantised already.*--allow-requantize" \
	quantize "$models/q8.gguf" "$work/none" Q4_K_M
expect quantize-anyway 0 'Q4_K_M' 'note: 16 tensors are already quantised' \
	quantize --allow-requantize "$models/q8.gguf" "$work/q.gguf" Q4_K_M
expect quantize-dry 0 'F32     -> F32     blk.1.ffn_norm.weight.*F32     -> Q6_K    output.weight' '' \
	quantize --dry-run "$wide" "$work/none" Q4_K_M
expect quantize-nothing 2 '' 'two files and a type' quantize
expect quantize-no-type 2 '' 'two files and a type' quantize "$wide" "$work/none"
expect quantize-type 2 '' "no type 'Q4_KM', did you mean 'Q4_K_M'" quantize "$wide" "$work/none" Q4_KM
expect quantize-bad-type 2 '' "no type 'nonsense'; --help lists them" quantize "$wide" "$work/none" nonsense
expect quantize-missing 3 '' 'nowhere.gguf: cannot open' quantize "$work/nowhere.gguf" "$work/none" Q8_0
expect quantize-text 3 '' 'not a GGUF file' quantize "$models/text.gguf" "$work/none" Q8_0
expect quantize-vocab 3 '' 'vocab.gguf: the file has no tensors' quantize "$work/vocab.gguf" "$work/none" Q8_0
expect quantize-same 2 '' 'is the input itself' quantize "$wide" "$models/../models/wide.gguf" Q8_0
expect quantize-device 2 '' '/dev/full is not a regular file' quantize "$wide" /dev/full Q8_0
expect quantize-directory 2 '' 'is a folder' quantize "$wide" "$work" Q8_0
expect quantize-no-directory 1 '' 'no-such/x: cannot create' quantize "$wide" "$work/no-such/x" Q8_0
expect quantize-unknown-type 3 '' 'output_norm.weight.*type' quantize "$models/unknown-type.gguf" "$work/none" Q8_0
mkdir "$work/full"
(
	ulimit -f 100
	timeout 120 "$sotto" quantize "$wide" "$work/full/q.gguf" Q8_0
) >"$work/out" 2>"$work/err"
code=$?
[ $code = 1 ] && grep -q 'q.gguf: cannot write: File too large' "$work/err" && [ -z "$(ls -A "$work/full")" ]
result $? quantize-full-disk "exit $code: $(cat "$work/err") $(ls -A "$work/full")"
# A file that is nothing but a hole; the new one would need more than a disk has.
if [ -e "$models/hole.gguf" ]; then
	expect quantize-no-room 1 '' 'no room on the disk: [0-9]+ MiB are needed, ' quantize "$models/hole.gguf" "$work/none" F32
	rm "$models/hole.gguf"
fi
[ ! -e "$work/none" ]
result $? quantize-left-over "a failure leaves a file"
# Every type can be run, and its logits are not far from the original's.
"$sotto" logits -m "$wide" --ids "$ids" -o "$work/logits" &&
	od -An -v -tfF -w4 "$work/logits" >"$work/original"
while read -r type most; do
	expect "quantize-$type" 0 ": $type, " '' quantize "$wide" "$work/q.gguf" "$type"
	"$sotto" logits -m "$work/q.gguf" --ids "$ids" -o "$work/logits"
	found=$(od -An -v -tfF -w4 "$work/logits" | paste - "$work/original" |
		awk '{ d = $1 - $2; sum += d * d; size += $2 * $2; n++ } END { print n ? sqrt(sum / size) : 9 }')
	awk "BEGIN { exit !($found <= $most) }"
	result $? "quantize-$type" "the logits differ by $found of their size"
done <<'EOF'
F32 0
F16 0.001
BF16 0.01
Q8_0 0.02
MXFP4_MOE 0.02
Q6_K 0.05
Q5_K_M 0.1
Q5_K_S 0.1
Q5_1 0.1
Q5_0 0.1
Q4_K_M 0.2
Q4_K_S 0.2
IQ4_NL 0.2
IQ4_XS 0.2
Q4_1 0.2
Q4_0 0.2
Q3_K_L 0.3
Q3_K_M 0.3
Q3_K_S 0.4
Q2_K 0.7
EOF

# Channels
# channels NAME MESSAGE STDOUT STDERR: what follows the note about the template
channels() {
	timeout 120 "$sotto" run -m "$channels" --temp 0 -n 200 -p "$2" ${5-} >"$work/out" 2>"$work/err"
	[ $? = 0 ] && [ "$(cat "$work/out")" = "$3" ] && [ "$(tail -n +2 "$work/err")" = "$4" ]
	result $? "$1" "$(cat "$work/out" "$work/err")"
}
expect channels-quantize 0 ': MXFP4_MOE, ' '' quantize "$models/harmony.gguf" "$work/harmony.gguf" mxfp4
for channels in "$models/harmony.gguf" "$work/harmony.gguf"; do
	channels channels-thought Hi 'Hello there.' ''
	channels channels-thought-shown Hi 'Hello there.' 'We should greet them' --show-reasoning
	channels channels-aside 'Hi!' 'Hello there.' 'sotto: note: besides its answer the model says: Look here'
	channels channels-call 'Hi?' '' 'sotto: note: the model calls a tool, but sotto has no tools: functions.day {}
sotto: note: the model has thought but not answered'
	channels channels-effort 'Hi' 'Hello there.' '' --effort=high
done
expect info-effort 0 'reasoning +<.channel.>analysis<.message.> ... <.end.>, --effort says how long' '' info "$models/harmony.gguf"
expect effort-unused 0 . "effort.*on this model: its template has no such setting" $real --effort low

# Signals
# signal NAME SIGNAL CODE STDERR-BYTES: sent once the reply has begun
signal() {
	: >"$work/out"
	"$sotto" run -m synthetic:rate=20,tokens=1000 -p x >"$work/out" 2>"$work/err" &
	local pid=$! code
	await "$work/out"
	kill -s "$2" $pid
	wait $pid
	code=$?
	[ $code = "$3" ] && [ ! -s "$work/err" ]
	result $? "$1" "exit $code, expected $3: $(cat "$work/err")"
}
signal interrupt INT 130
signal terminate TERM 143
: >"$work/out"
"$sotto" run -m synthetic:rate=20,tokens=1000 --resume $chat -p 'cut me' >"$work/out" 2>"$work/err" &
pid=$!
await "$work/out"
kill -s INT $pid
wait $pid
[ $? = 130 ] && tail -n 45 "$chats/$chat.yaml" | grep -q '^state: "interrupted"'
result $? interrupt-kept "$(tail -n 45 "$chats/$chat.yaml")"
"$sotto" run -m synthetic:rate=1000,tokens=100000 -p x 2>"$work/err" | head -c 10 >/dev/null
code=${PIPESTATUS[0]}
[ "$code" = 141 ] && [ ! -s "$work/err" ]
result $? broken-pipe "exit $code: $(cat "$work/err")"

# The log: of what is asked for; what is written only if that is asked for, too
"$sotto" run -m synthetic:mode=echo --log "engine,template=$work/log" -p 'a secret word' >"$work/out" 2>"$work/err" &&
	grep -q 'engine   turn ends: end; prompt ' "$work/log" && ! grep -qE 'secret|sampler' "$work/log" && [ ! -s "$work/err" ] &&
	[ "$(stat -c %a "$work/log")" = 600 ]
result $? log "$(cat "$work/log" "$work/err")"
"$sotto" run -m guide --log all --log-text -p 'a secret word' >"$work/out" 2>"$work/err" &&
	grep -q 'template prompt|.*a secret word' "$work/err" && grep -qE 'sampler  token 0: id [0-9]+, p ' "$work/err"
result $? log-text "$(cat "$work/err")"
"$sotto" run -m guide --log all -p 'a secret word' >"$work/out" 2>"$work/err" &&
	! grep -qE 'secret|: id ' "$work/err" && grep -qE 'sampler  token 0: p ' "$work/err"
result $? log-no-text "$(cat "$work/err")"
expect log-words 2 '' "^sotto: --log: found 'kache', expected engine, " run -m synthetic: --log kache -p x
expect log-no-file 1 '' '^sotto: cannot write the log /nowhere/log: ' run -m synthetic: --log ui=/nowhere/log -p x
expect log-unused 0 '[0-9]' '^sotto: .*--log has no effect on `sotto tokenize`' tokenize -m guide --log ui hello

echo "$passed passed, $failed failed"
[ $failed = 0 ]
