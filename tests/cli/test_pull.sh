#!/bin/bash
# `sotto pull`: the list, fetching from the hub and from ollama's registry, what is kept when it is stopped, exit codes.
# Both are played by tests/support/hub_server/hub_server_main.
set -u
. "$(dirname "$0")/setup.sh"
hub=$PWD/tests/support/hub_server/hub_server_main
for variable in HF_ENDPOINT MODEL_ENDPOINT HF_TOKEN HUGGING_FACE_HUB_TOKEN HF_TOKEN_PATH HF_HOME HF_HUB_OFFLINE TRANSFORMERS_OFFLINE \
	HUGGINGFACE_HUB_CACHE LLAMA_CACHE http_proxy all_proxy; do unset "$variable"; done
export HF_HUB_CACHE=$work/hub OLLAMA_MODELS=$work/ollama SOTTO_TEST_PULL_SECOND=1 SOTTO_TEST_WEIGHT_RATE=20000000000
trap '' PIPE # where the server is gone, that is said
token=hf_CANARYCANARYCANARYCANARYCANARY0123

if "$sotto" pull a/b 2>&1 | grep -qE 'built without (libcurl|libcrypto)'; then
	"$sotto" models --advice | grep -q '^This sotto was built without lib' || { echo "FAIL: the advice is of no use here"; exit 1; }
	echo "this build cannot fetch: nothing was asked"
	exit 77
fi

# serve ARGUMENT...: sets $url; the one before ends
serve() {
	[ -z "${feed-}" ] || { exec {feed}>&-; wait "$server"; }
	rm -f "$work/feed" "$work/url" "$work/log"
	mkfifo "$work/feed"
	"$hub" --log "$work/log" "$@" <"$work/feed" >"$work/url" 2>"$work/hub-errors" &
	server=$!
	exec {feed}>"$work/feed"
	await "$work/url"
	[ -s "$work/url" ] || { echo "FAIL: no server: $(cat "$work/hub-errors")"; exit 1; }
	url=$(cat "$work/url")
	export HF_ENDPOINT=$url
}

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

# tell LINE: to the server
tell() {
	echo "$1" >&"$feed"
	result $? server "it is gone: $(cat "$work/hub-errors")"
}
# requests PLACE: how many there were
requests() { grep -c "^$1 " "$work/log"; }
# whole FILE: its content is what the name of the blob behind it says
whole() { [ "$(sha256sum <"$1" | cut -d' ' -f1)" = "$(basename "$(readlink -f "$1")" | sed 's/^sha256-//')" ]; }
# until_says PATTERN FILE: until the file has it; the limit is for what hangs
until_says() {
	local tries=0
	until grep -q "$1" "$2" || [ $tries = 2400 ]; do sleep 0.05; tries=$((tries + 1)); done
}
parts() { find "$work/hub" "$work/ollama" "$work/data" \( -name '*.sotto-part' -o -name '*.sotto-state' \) 2>/dev/null | wc -l; }

# Words of the command line
expect no-name 2 '' 'the name of a model is needed' pull
expect two-names 2 '' 'the name of a model is needed' pull a/b c/d
expect path 2 '' "'./x.gguf'" pull ./x.gguf
expect bad-name 2 '' 'blanks' pull 'a/b c'
expect guide 2 '' 'comes with sotto: there is nothing to fetch' pull guide
expect server 2 '' 'nothing is fetched' pull server:box/a
expect bad-file 2 '' "'../c'" pull 'a/b/../c'
HF_HUB_OFFLINE=1 expect offline 1 '' 'HF_HUB_OFFLINE is set' pull tiny/toy-GGUF
HF_ENDPOINT=http://127.0.0.1:1 lines nobody 1 '' 'nothing listens at 127.0.0.1:1' pull tiny/toy-GGUF

# What there is
serve --page 3
lines list 0 'Q2_K +800 kB.*Q4_K_M +1.3 MB.*Q8_0 +2.4 MB' '' pull --list tiny/toy-GGUF
[ "$(grep -c '^\*' "$work/out")" = 1 ] && grep -q 'BF16 .*3 files' "$work/out" && ! grep -qi mmproj "$work/out"
result $? list "one default, a split model as a row, no vision file: $(cat "$work/out")"
lines list-json 0 '"name": "tiny/toy-GGUF:Q4_K_M".*"bytes": 1300000' '' pull --list --json tiny/toy-GGUF
[ "$(grep -c '"chosen": true' "$work/out")" = 1 ]
result $? list-json "one chosen: $(cat "$work/out")"
[ ! -e "$work/hub" ]
result $? list "something was written"

# One of them, and once more: nothing is fetched then
lines pull 0 "^$work/hub/models--tiny--toy-GGUF/snapshots/[0-9a-f]{40}/toy-Q4_K_M.gguf\$" '' pull tiny/toy-GGUF:Q4_K_M
path=$(cat "$work/out")
whole "$path"
result $? pull "not whole: $path"
[ -L "$path" ] && [ "$(parts)" = 0 ]
result $? pull "no link, or part files are left"
lines loads 0 '"architecture": "llama"|general.architecture' '' info "$path"
before=$(requests bytes)
lines again 0 "^$path\$" '' pull hf.co/tiny/toy-GGUF:q4_k_m
[ "$(requests bytes)" = "$before" ]
result $? again "it was fetched again"
lines listed 0 "$path" '' models --json
lines list-here 0 'Q4_K_M .*here already' '' pull --list tiny/toy-GGUF
lines split 0 'BF16/toy-BF16-00001-of-00003.gguf$' '' pull tiny/toy-GGUF:BF16
for part in 1 2 3; do whole "$(dirname "$(cat "$work/out")")/toy-BF16-0000$part-of-00003.gguf"; result $? split "part $part"; done
lines file 0 'toy-Q2_K.gguf$' '' pull "$url/tiny/toy-GGUF/resolve/main/toy-Q2_K.gguf"
lines json 0 '"status": "success", "name": "tiny/toy-GGUF:Q8_0", "path": "'"$work"'/hub' '' pull --json tiny/toy-GGUF:Q8_0
lines no-tag 3 '' 'Q4_K_M' pull tiny/toy-GGUF:Q9_Z
lines none 3 '' 'no/such' pull no/such

# Who may have it
lines gated 1 '' 'HF_TOKEN' pull tiny/gated-GGUF
HF_TOKEN=$token lines gated-token 0 'gated-Q4_K_M.gguf' '' pull tiny/gated-GGUF
lines private 3 '' 'HF_TOKEN' pull tiny/private-GGUF
HF_TOKEN=$token lines private-token 0 'private-Q4_K_M.gguf' '' pull tiny/private-GGUF
! sed -n '/^bytes /,/^->/p' "$work/log" | grep -qi authorization
result $? token "the token came to the storage"

# What cannot run, and safetensors
lines pickles 3 '' 'pickle' pull tiny/pickles
lines published 3 '' 'safetensors' pull tiny/toy
lines safetensors 0 "$work/hub/models--tiny--toy/snapshots/[0-9a-f]{40}\$" 'sotto convert' pull --safetensors tiny/toy
folder=$(cat "$work/out")
[ -s "$(cat "$work/out")/model.safetensors" ] && [ -s "$(cat "$work/out")/config.json" ]
result $? safetensors "files are missing"

lines safetensors-by-name 3 '' 'model.safetensors' convert tiny/toy:safetensors "$work/toy.gguf" # that one is damaged
lines safetensors-as-model 3 '' "converted once: sotto convert $folder " run -m tiny/toy:safetensors -p x
lines safetensors-verified 0 'are what their digests say' '' models verify tiny/toy:safetensors
lines safetensors-removed 0 '' 'files were deleted' models rm tiny/toy:safetensors
[ ! -e "$(dirname "$(dirname "$folder")")" ]
result $? safetensors-removed "left: $(find "$(dirname "$(dirname "$folder")")")"
lines safetensors-gone 3 '' 'sotto pull tiny/toy:safetensors' convert tiny/toy:safetensors "$work/toy.gguf"

# Ollama's
mkdir -p "$work/ollama"
lines ollama 0 "/blobs/sha256-[0-9a-f]{64}\$" '' pull "ollama:$url/library/toy:1b"
whole "$(cat "$work/out")" && [ -n "$(find "$work/ollama/manifests" -path '*/library/toy/1b')" ]
result $? ollama "no blob, or no manifest"
lines ollama-none 3 '' 'none' pull "ollama:$url/library/none:1b"
lines ollama-mlx 3 '' 'GGUF' pull "ollama:$url/library/mlx"

# Stopped in the middle: kept, not under its name, and gone on with
rm -rf "$work/hub"
serve --fault 'bytes stands-still 1 1 800000'
"$sotto" pull tiny/toy-GGUF:Q4_K_M >"$work/out" 2>"$work/err" &
pull=$!
until_says ' 6[01] % of 1.3 MB' "$work/err"
kill -INT $pull
wait $pull
[ $? = 130 ]
result $? stopped "exit status"
grep -q 'what has come is kept, and the same command goes on' "$work/err"
result $? stopped "stderr: $(cat "$work/err")"
[ "$(parts)" = 2 ] && ! find "$work/hub" -name '*.gguf' | grep -q . && [ ! -s "$work/out" ]
result $? stopped "files: $(find "$work/hub")"
lines stopped-list 0 'Q4_K_M .*61 % here' '' pull --list tiny/toy-GGUF
lines goes-on 0 'toy-Q4_K_M.gguf' '' pull tiny/toy-GGUF:Q4_K_M
whole "$(cat "$work/out")" && [ "$(parts)" = 0 ] && grep -q '^range: bytes=800000-' "$work/log"
result $? goes-on "not whole, parts are left, or it began anew"

# Two at once: one fetches, the other waits for it
rm -rf "$work/hub"
serve --fault 'bytes stands-still 1 1 800000'
"$sotto" pull tiny/toy-GGUF:Q4_K_M >"$work/out" 2>"$work/err" &
pull=$!
until_says ' 6[01] % of 1.3 MB' "$work/err"
"$sotto" pull tiny/toy-GGUF:Q4_K_M >"$work/out2" 2>"$work/err2" &
pull2=$!
until_says 'another sotto fetches it' "$work/err2"
tell release
wait $pull && wait $pull2
result $? two "exit status: $(cat "$work/err" "$work/err2")"
[ -s "$work/out" ] && cmp -s "$work/out" "$work/out2" && whole "$(cat "$work/out")" && [ "$(parts)" = 0 ] && [ "$(requests bytes)" = 1 ]
result $? two "$(requests bytes) requests; $(cat "$work/out" "$work/out2")"

# Wrong bytes
rm -rf "$work/hub"
serve --fault 'bytes wrong-byte 1 0 5000'
lines wrong 3 '' 'SHA-256' pull tiny/toy-GGUF:Q4_K_M
[ "$(parts)" = 0 ] && ! find "$work/hub" -name '*.gguf' | grep -q .
result $? wrong "files: $(find "$work/hub")"
tell heal
tries=0
until lines_out=$("$sotto" pull tiny/toy-GGUF:Q4_K_M 2>/dev/null) || [ $tries = 100 ]; do tries=$((tries + 1)); done
whole "$lines_out"
result $? healed "not whole: $lines_out"
exec {feed}>&-
wait "$server"

echo "$passed checks passed, $failed failed"
[ $failed = 0 ]
