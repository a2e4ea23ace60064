#!/bin/bash
# `sotto models rm|verify|licence`, and -m NAME: models in the folders of the hub and of ollama, by their names.
set -u
. "$(dirname "$0")/setup.sh"
unset LLAMA_CACHE HF_HUB_CACHE HUGGINGFACE_HUB_CACHE HF_HOME HF_ENDPOINT MODEL_ENDPOINT OLLAMA_MODELS
tests/cli/make_models "$work" >/dev/null 2>&1 || { echo "make_models failed"; exit 1; }
model=$work/good.gguf
digest=$(sha256sum <"$model" | cut -d' ' -f1)

# put NAME KIND TEXT ...: a manifest of ollama's with these layers besides the model
ollama=$work/.ollama/models
put() {
	local name=$1 layers kind text hex
	shift
	mkdir -p "$ollama/blobs" "$ollama/manifests/registry.ollama.ai/library/${name%:*}"
	cp "$model" "$ollama/blobs/sha256-$digest"
	layers="{\"mediaType\":\"application/vnd.ollama.image.model\",\"digest\":\"sha256:$digest\",\"size\":$(stat -c %s "$model")}"
	while [ $# -gt 1 ]; do
		kind=$1 text=$2
		shift 2
		hex=$(printf %s "$text" | sha256sum | cut -d' ' -f1)
		printf %s "$text" >"$ollama/blobs/sha256-$hex"
		layers="$layers,{\"mediaType\":\"application/vnd.ollama.image.$kind\",\"digest\":\"sha256:$hex\",\"size\":${#text}}"
	done
	printf '{"schemaVersion":2,"layers":[%s]}' "$layers" >"$ollama/manifests/registry.ollama.ai/library/${name%:*}/${name#*:}"
}

# -m NAME
put toy:1b license 'Do as you like.' params '{"temperature":0,"stop":["zz"],"num_ctx":32}'
expect name 0 '.' '' tokenize -m toy:1b ab
expect name-of-ollama 0 '.' '' tokenize -m ollama:library/toy:1b ab
# as the list has them: neither "ollama:" nor a scheme is in it
for place in registry.ollama.ai/me 127.0.0.1:8080/library; do
	mkdir -p "$ollama/manifests/$place/other"
	cp "$ollama/manifests/registry.ollama.ai/library/toy/1b" "$ollama/manifests/$place/other/1b"
done
expect name-of-namespace 0 '.' '' tokenize -m me/other:1b ab
"$sotto" models rm me/other:1b 2>&1 | grep -q '1 file was deleted'
result $? remove-of-namespace 'it was not found'
expect verify-of-host 0 'are what their digests say' '' models verify 127.0.0.1:8080/library/other:1b
"$sotto" models rm 127.0.0.1:8080/library/other:1b 2>&1 | grep -q '1 file was deleted'
result $? remove-of-host 'it was not found'
# what it says beside the model is used, and what the user says goes first
said() { # NAME PATTERN ARGUMENT...: in what is told of the context and of the model
	local name=$1 pattern=$2
	shift 2
	"$sotto" run --no-save -p x -n 1 --context "$@" >"$work/out" 2>"$work/err"
	[[ $(cat "$work/err") =~ $pattern ]]
	result $? "$name" "stderr: $(cat "$work/err")"
}
put toy:3b system 'Be a toy.' template '{{ .Prompt }}' params '{"temperature":0,"num_ctx":48}'
said beside 'toy:3b recommends temp 0, a context of 48, where you have set nothing else.*of 48 tokens.*System: Be a toy' -m toy:3b
said beside-template "in another language \(Go's\) and not used" -m toy:3b
said beside-context 'of 40 tokens' -m toy:3b -c 40
said beside-system 'System: Other' -m toy:3b --system-prompt 'Other'
said beside-other 'a context of 32, .*of 32 tokens' -m toy:1b
expect manifest-of-quantize 0 'F16' '' quantize --dry-run toy:3b "$work/none.gguf" F16
"$sotto" run --no-save -p x -n 1 --context --system-prompt '' -m toy:3b 2>&1 >"$work/out" | grep -q 'System:'
[ $? = 1 ]
result $? beside-none 'a system message where none was wanted'
rm "$ollama/manifests/registry.ollama.ai/library/toy/3b"
for text in 'Be a toy.' '{{ .Prompt }}' '{"temperature":0,"num_ctx":48}'; do
	rm "$ollama/blobs/sha256-$(printf %s "$text" | sha256sum | cut -d' ' -f1)"
done
expect name-missing 3 '' "no file 'toy:2b', and no model of that name on this machine: \`sotto pull toy:2b\` fetches it" tokenize -m toy:2b ab
expect name-missing-run 3 '' 'sotto pull owner/repo:Q4_K_M' run --no-save -m owner/repo:Q4_K_M -p x
SOTTO_MODEL=toy:1b expect name-in-environment 0 '.' '' tokenize ab
SOTTO_MODEL=toy:2b expect name-not-needed 0 '' 'no chats are saved yet' chats
expect file-missing 3 '' 'none.gguf: cannot open' tokenize -m "$work/none.gguf" ab
repository=$XDG_CACHE_HOME/huggingface/hub/models--owner--repo
commit=1111111111111111111111111111111111111111
mkdir -p "$repository/blobs" "$repository/snapshots/$commit" "$repository/refs"
cp "$model" "$repository/blobs/$digest"
ln -s "../../blobs/$digest" "$repository/snapshots/$commit/toy-Q4_K_M.gguf"
printf %s $commit >"$repository/refs/main"
expect name-of-the-hub 0 '.' '' tokenize -m owner/repo:Q4_K_M ab
expect listed 0 'llama +owner/repo:Q4_K_M  [^ ]*/toy-Q4_K_M.gguf' '' models
expect name-of-info 0 'general.architecture' '' info owner/repo:Q4_K_M
expect name-of-info-missing 3 '' '`sotto pull owner/repo:Q2_K` fetches it' info owner/repo:Q2_K
expect name-of-quantize 0 'F16' '' quantize --dry-run owner/repo:Q4_K_M "$work/none.gguf" F16
expect listed-of-ollama 0 'llama +toy:1b  ' '' models
expect listed-json 0 '"published": "owner/repo:Q4_K_M", "path": "[^"]*/toy-Q4_K_M.gguf"' '' models --json

# licence
expect licence 0 '^Do as you like\.$' '' models licence toy:1b
expect licence-by-path 0 '^Do as you like\.$' '' models licence "$ollama/blobs/sha256-$digest"
expect licence-of-none 3 '' 'says nothing of its licence' models licence owner/repo
printf 'The licence.\n' >"$repository/snapshots/$commit/LICENSE"
expect licence-file 0 '^The licence\.$' '' models licence owner/repo
rm "$repository/snapshots/$commit/LICENSE"
expect licence-missing 3 '' 'is not on this machine' models licence toy:9b

# verify
expect verify 0 'are what their digests say' '' models verify toy:1b
expect verify-hub 0 'are what their digests say' '' models verify owner/repo:Q4_K_M
expect verify-elsewhere 1 '' 'yours alone' models verify "$model"
printf x >>"$repository/blobs/$digest"
expect verify-wrong 3 '' "found the digest .*, expected ${digest:0:12}" models verify owner/repo:Q4_K_M

# rm: what two names share stays
put toy:latest license 'Do as you like.'
"$sotto" models rm toy:1b >"$work/out" 2>"$work/err" && grep -q '2 files were deleted' "$work/err" &&
	grep -q 'of it stay, since toy:latest needs them' "$work/err"
result $? remove "stderr: $(cat "$work/err")"
[ -e "$ollama/blobs/sha256-$digest" ]
result $? remove 'the file of another model is gone'
expect remove-again 3 '' 'is not on this machine' models rm toy:1b
expect remove-last 0 '' '3 files were deleted' models rm toy
[ -z "$(ls "$ollama/blobs")" ] && [ ! -e "$ollama/manifests/registry.ollama.ai" ]
result $? remove-last "left: $(find "$ollama")"
expect remove-of-the-hub 0 '' '2 files were deleted' models rm owner/repo:Q4_K_M
[ ! -e "$repository" ]
result $? remove-of-the-hub "left: $(find "$repository" 2>&1)"
expect remove-elsewhere 1 '' 'yours alone' models rm "$model"
[ -s "$model" ]
result $? remove-elsewhere 'it is gone'
mkdir -p "$ollama/sotto-fetched"
echo x >"$ollama/sotto-fetched/sha256-1.sotto-part"
expect parts 0 '' '1 part file was deleted' models rm --parts
expect parts-none 0 '' 'no stopped fetch' models rm --parts
touch -d '9 days ago' "$ollama/sotto-fetched/sha256-1.sotto-part"
"$sotto" models 2>&1 | grep -q '1 fetch stopped more than a week ago'
result $? parts-old 'not said'

# what is asked wrongly
expect what 2 '' "found 'remove', expected rm, verify or licence" models remove toy
expect guide-info 0 'general.architecture' '' info guide
expect guide-licence 0 '^GPL-3.0-or-later$' '' models licence guide
expect guide 1 '' 'is a part of sotto' models rm guide
expect no-name 2 '' 'takes the name of one model, or --parts' models rm
expect two-names 2 '' 'takes the name of one model' models verify a b
expect parts-of-list 2 '' 'go with' models --parts
expect json-of-one 2 '' 'are for the list' models --json rm toy
echo "$passed checks passed, $failed failed"
[ $failed = 0 ]
