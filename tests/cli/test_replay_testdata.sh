#!/bin/bash
# Replies of a real model, made again with other numbers of threads and batch sizes.
set -u
sotto=$PWD/sotto
data=${SOTTO_TESTDATA:-${srcdir:-$(dirname "$0")/../..}/../shared/testdata}
model=$data/models/stories260K-q8_0.gguf
if [ ! -r "$model" ]; then
	echo "skipped: no $model"
	exit 77
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export HOME=$work XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/data \
	XDG_STATE_HOME=$work/state XDG_CACHE_HOME=$work/cache
for variable in $(env | sed -n 's/^\(SOTTO_[A-Z_]*\)=.*/\1/p'); do unset "$variable"; done
exec </dev/null
chats=$work/data/sotto/chats chat=20261124-191636-ff39
mkdir -p "$chats"
printf -- '--- # r seq=1 len=1 crc32c=0\ntype: "message"\nid: "1"\nparent: "0"\nrole: "system"\ntext: "x"\n...\n' \
	>"$chats/$chat.yaml"
failed=0
# The context of 128 tokens makes later prompts leave out messages
for words in 'Once upon a time' 'Lily had a dog' 'The sun' 'One day' 'They were happy'; do
	"$sotto" run -m "$model" -c 128 --resume $chat -n 40 --temp 1.1 --top-k 0 -t 2 -p "$words" >/dev/null 2>"$work/err" ||
		{ failed=1; cat "$work/err"; }
done
for arguments in '-t 1' '-t 3' '-t 2 -b 1' '-t 1 -b 7'; do
	"$sotto" replay -m "$model" $arguments --verify $chat >"$work/out" 2>&1
	if [ $? != 0 ] || [ "$(grep -c 'the same$' "$work/out")" != 5 ]; then
		echo "FAIL: $arguments: $(cat "$work/out")"
		failed=1
	fi
done
[ $failed = 0 ]
