#!/bin/bash
# sotto compare and perplexity: what they take, print and refuse. Their figures: tests/unit/compare, test_compare_testdata.sh.
set -u
. "$(dirname "$0")/setup.sh"

./tests/cli/make_models "$work" || exit 1
good=$work/good.gguf wide=$work/wide.gguf q8=$work/small.gguf text=$work/text
"$sotto" quantize "$wide" "$q8" Q8_0 2>/dev/null >"$work/out" || exit 1
for i in 1 2 3 4 5 6 7 8 9; do echo "The cat number $i sat on the mat and looked at the moon."; done >"$text"

# field NAME: of the JSON that came last
field() { sed -n "s/.*\"$1\": \([^,}]*\).*/\1/p" "$work/out" | head -1; }

# Two models of one shape, over windows and over a short text
expect two 0 'compared +small.gguf, Q8_0.*reference +wide.gguf, F32.*windows of 64 tokens.*divergence +0\.0.*first choice.*worst' '' \
	compare -m "$q8" -m "$wide" -f "$text" -c 64
narrow two
expect short 0 'over +[0-9]+ tokens: [0-9]+ places' '' compare -m "$q8" -m "$wide" -p 'The cat sat'
expect one 0 'over +1 token: 1 place.*in short' '' compare -m "$q8" -m "$wide" --ids 1
expect ids 0 'over +3 tokens: 3 places' '' compare -m "$q8" -m "$wide" --ids '1 40 41'
expect same 0 'divergence +0\.000000 nats.*the same at 100\.000 % of the places.*1\.0000 times|1\.0000 . 0\.0000 times' '' \
	compare -m "$wide" -m "$wide" -f "$text" -c 64
! grep -q 'another word\|worst' "$work/out"
result $? same-places "$(cat "$work/out")"
expect json 0 '^\{"compared".*"divergence": \{"mean".*"worst": \[' '' compare -m "$q8" -m "$wide" -f "$text" -c 64 --json
places=$(field places)
expect csv 0 '^window,position,id,next,divergence,' '' compare -m "$q8" -m "$wide" -f "$text" -c 64 --csv
[ "$(wc -l <"$work/out")" = $((places + 1)) ]
result $? csv-lines "$(wc -l <"$work/out") lines for $places places"
expect layers 0 'layer0 .*final ' '' compare -m "$q8" -m "$wide" -f "$text" -c 64 --layers
narrow layers
expect layers-csv 0 '^layer,rms,reference_rms,difference,cosine.layer0,.*final,' '' \
	compare -m "$q8" -m "$wide" -f "$text" -c 64 --layers --csv
expect layers-json 0 '"layers": \[' '' compare -m "$q8" -m "$wide" -f "$text" -c 64 --layers --json
# The same bits with other batches and threads
cp "$work/out" "$work/before"
expect batches 0 . '' compare -m "$q8" -m "$wide" -f "$text" -c 64 --layers --json -b 3 -t 2
cmp -s "$work/out" "$work/before"
result $? batches-same "$(diff "$work/out" "$work/before")"

# Logits of a file
ids='1 40 41 42 50 60 70 80'
"$sotto" logits -m "$wide" --ids "$ids" -o "$work/wide.f32"
expect rows 0 'reference +wide.f32.*divergence +0\.0' '' compare -m "$q8" --reference "$work/wide.f32" --ids "$ids"
expect rows-json 0 . '' compare -m "$q8" --reference "$work/wide.f32" --ids "$ids" --json
mean=$(field mean)
expect models-json 0 . '' compare -m "$q8" -m "$wide" --ids "$ids" --json
[ -n "$mean" ] && [ "$(field mean)" = "$mean" ]
result $? rows-same "$mean of a file, $(field mean) of the model"
expect rows-length 2 '' 'found [0-9]+ bytes, expected [0-9]+: a row of [0-9]+ float32 for each of 3 tokens' \
	compare -m "$q8" --reference "$work/wide.f32" --ids '1 2 3'
expect rows-missing 2 '' 'nothing.f32: cannot open' compare -m "$q8" --reference "$work/nothing.f32" --ids '1 2 3'
expect rows-folder 2 '' 'is a folder, expected a file of logits' compare -m "$q8" --reference "$work" --ids '1 2 3'
mkfifo "$work/pipe"
expect rows-pipe 2 '' 'pipe: is not a regular file' compare -m "$q8" --reference "$work/pipe" --ids '1 2 3'
expect rows-layers 2 '' '--layers needs two models' compare -m "$q8" --reference "$work/wide.f32" --ids "$ids" --layers
expect rows-models 2 '' 'one reference only' compare -m "$q8" -m "$wide" --reference "$work/wide.f32" --ids "$ids"
printf '_logits_\100\0\0\0' >"$work/cut.kld"
expect llama-cut 2 '' 'cut.kld: the file ends in its head' compare -m "$q8" --reference "$work/cut.kld"
expect llama-text 2 '' 'says itself which text' compare -m "$q8" --reference "$work/cut.kld" -p x
printf '_logits_\100\0\0\0\1\0\0\0\1\0\0\0' >"$work/vocab.kld"
expect llama-vocab 2 '' 'it is about 1 tokens of a vocabulary' compare -m "$q8" --reference "$work/vocab.kld"

expect no-chats 2 '' 'no saved chat has a reply' compare -m "$q8" -m "$wide" --chats 3

# Chats: what the replies say counts
chats=$work/data/sotto/chats chat=20261124-191636-ff39
mkdir -p "$chats"
cat >"$chats/$chat.yaml" <<'END'
--- # r seq=1 len=1 crc32c=0
type: "message"
id: "1"
parent: "0"
role: "user"
time: "2026-11-24T19:16:36Z"
text: "hello"
...
--- # r seq=2 len=1 crc32c=0
type: "assistant-end"
id: "2"
parent: "1"
role: "assistant"
time: "2026-11-24T19:16:36Z"
state: "complete"
text: "old times"
...
END
expect chat 0 'what the replies say: [0-9]+ places' '' compare -m "$q8" -m "$wide" $chat
expect chat-json 0 '"first": \{"window": 0, "chat": "20261124-191636-ff39"' '' compare -m "$q8" -m "$wide" $chat --json
# As many places as tokens in "old times", with the blank before it
[ "$(field places)" -le "$("$sotto" tokenize -m "$wide" --no-bos " old times" | wc -w)" ] && [ "$(field places)" -gt 3 ]
result $? chat-places "$(field places) places"
expect chats 0 "what the replies say.*behind token [0-9]+ of $chat, divergence" '' compare -m "$q8" -m "$wide" $chat $chat
expect chat-perplexity 0 '^perplexity +[0-9.]+( . [0-9.]+)?.over +what the replies say: [0-9]+ tokens' '' perplexity -m "$wide" $chat
cat >"$chats/20261125-191636-aaaa.yaml" <<'END'
--- # r seq=1 len=1 crc32c=0
type: "message"
id: "1"
parent: "0"
role: "user"
time: "2026-11-25T19:16:36Z"
text: "nobody answers"
...
END
expect newest 0 'what the replies say: [0-9]+ places' '' compare -m "$q8" -m "$wide" --chats 9
expect newest-json 0 . '' compare -m "$q8" -m "$wide" --chats 9 --json
[ "$(field windows)" = 1 ]
result $? newest-with-reply "$(cat "$work/out")"
tokens=$(field tokens)
expect unanswered 2 '' 'there is no reply in this chat' compare -m "$q8" -m "$wide" 20261125-191636-aaaa
expect chat-cut 0 'what the replies say: [0-9]+ places' 'its first [0-9]+ of [0-9]+ tokens are looked at' \
	compare -m "$q8" -m "$wide" -c $((tokens - 4)) $chat
expect newest-and-named 2 '' 'alone' compare -m "$q8" -m "$wide" --chats 9 $chat
expect no-chat 2 '' 'nothing-like-it' compare -m "$q8" -m "$wide" nothing-like-it

# Perplexity
expect perplexity 0 '^perplexity +[0-9.]+ . [0-9.]+.over +[0-9]+ windows of 64 tokens, the second half of each: [0-9]+ tokens$' '' \
	perplexity -m "$wide" -f "$text" -c 64
narrow perplexity
expect perplexity-short 0 'over +all of the text: [0-9]+ tokens?.*less than two windows' '' perplexity -m "$wide" -p 'The cat'
expect perplexity-json 0 '^\{"model": .*"windows": \[' '' perplexity -m "$wide" -f "$text" -c 64 --json
windows=$(sed 's/.*"windows": \[//' "$work/out" | tr , '\n' | wc -l)
expect perplexity-csv 0 '^window,tokens,perplexity,error' '' perplexity -m "$wide" -f "$text" -c 64 --csv
[ "$(wc -l <"$work/out")" = $((windows + 1)) ]
result $? perplexity-windows "$(wc -l <"$work/out") lines, $windows windows"
expect perplexity-stdin 0 '^perplexity' '' perplexity -m "$wide" -f - -c 64 <"$text"

# What is refused
expect one-model 2 '' 'two models are needed' compare -m "$q8" -p x
expect no-model 2 '' 'two models are needed' compare -p x
expect no-first 2 '' 'no model is given' compare -m '' -m "$wide" -p x
expect no-second 2 '' 'no model is given' compare -m "$wide" -m '' -p x
expect no-name 2 '' 'no model is given' perplexity -m '' -p x
expect three 2 '' 'two models can be compared, not 3' compare -m "$q8" -m "$q8" -m "$q8" -p x
expect no-text 2 '' 'there is nothing to evaluate: give -p TEXT' compare -m "$q8" -m "$wide"
expect two-texts 2 '' 'give one of these alone' compare -m "$q8" -m "$wide" -p x -f "$text"
expect no-file 2 '' 'no-such-file' compare -m "$q8" -m "$wide" -f "$work/no-such-file"
expect both-forms 2 '' 'give --json or --csv' compare -m "$q8" -m "$wide" -p x --json --csv
expect bad-ids 2 '' "found 'x'" compare -m "$q8" -m "$wide" --ids '1 x'
expect beyond 2 '' 'token' compare -m "$q8" -m "$wide" --ids '1 100000'
expect first-missing 3 '' 'nowhere.gguf' compare -m "$work/nowhere.gguf" -m "$wide" -p x
expect second-missing 3 '' 'nowhere.gguf' compare -m "$wide" -m "$work/nowhere.gguf" -p x
expect shapes 2 '' '--layers needs two models of one shape' compare -m "$good" -m "$wide" -p x --layers
expect server 2 '' 'takes the files of models' compare -m server:box/a -m "$wide" -p x
expect window 2 '' 'at least 4 tokens' compare -m "$q8" -m "$wide" -f "$text" -c 3

echo "$passed passed, $failed failed"
[ $failed = 0 ]
