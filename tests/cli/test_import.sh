#!/bin/bash
# sotto chats --import: the chats of other programs' files.
set -u
. "$(dirname "$0")/setup.sh"
cd "$work" || exit 1

all='^a.json: Imported. You may delete the file. Taken: 3 messages, 1 attached file.$'
part='Imported, but not all of it: keep the file. Taken: 1 message. Left out: 1 image.$'
printf '%s' '{"name":"First","messages":[{"id":1,"role":"user","content":"question","parent":-1,
	"extra":[{"type":"TEXT","name":"x.c","content":"int x;"}]},{"id":3,"role":"assistant","content":"take B","parent":1},
	{"id":2,"role":"assistant","content":"<think>hm</think>take A","parent":1}],"currNode":2}' >a.json
printf '%s' '[{"role":"user","content":["words",{"type":"image_url"}]}]' >b.json
printf '[{"role":' >cut.json
printf '\xff\xfe[\0]\0' >wide.json
chats() { "$sotto" chats 2>/dev/null | wc -l; }

expect import 0 "$all" '' chats --import a.json
expect import-shows 0 $'## Assistant\n\n> hm\n\ntake A$' '' chats --export md First
expect import-part 0 "^b.json: $part" '' chats --import b.json
expect import-stdin 0 "^-: $part" '' chats --import - <b.json
expect import-fifo 0 "$part" '' chats --import <(cat b.json)
expect import-two 0 $'^a.json: [^\n]*\nb.json: ' '' chats --import a.json b.json
[ "$(chats)" = 6 ]
result $? import-lists "$("$sotto" chats)"
expect import-cut 2 '' "cut.json:1: not JSON: a string without an end|cut.json:1: not JSON: " chats --import cut.json
expect import-wide 2 '' 'wide.json: the text is UTF-16; iconv' chats --import wide.json
expect import-nowhere 2 '' 'nowhere.json: cannot open' chats --import nowhere.json
expect import-folder 1 '' 'is a folder' chats --import .
expect import-goes-on 2 '^b.json: ' 'cut.json' chats --import cut.json b.json
expect import-none 2 '' 'needs the files' chats --import
expect import-one-act 2 '' 'only one of' chats --import --trash a.json
[ "$(chats)" = 7 ]
result $? import-all-or-none "$("$sotto" chats)"

# What is exported comes back as it was.
"$sotto" chats --export json First >again.json
expect import-again 0 'You may delete the file' '' chats --import again.json
"$sotto" chats --export json "$("$sotto" chats --json | head -1 | sed 's/.*"id": "\([^"]*\)".*/\1/')" >third.json
cmp -s again.json third.json
result $? import-same "$(cat again.json third.json)"

# Ctrl+C: nothing is added while a pipe is waited for, and of a file all or nothing, as the message says.
n=$(chats)
mkfifo pipe
for signal in INT TERM; do
	"$sotto" chats --import pipe >out 2>err &
	pid=$!
	exec 3>pipe # once somebody reads it
	printf '[{"role":' >&3
	kill -$signal $pid
	wait $pid # the pipe is open still
	code=$?
	exec 3>&-
	[ $code = $((128 + $(kill -l $signal))) ] && [ ! -s out ] && [ "$(chats)" = "$n" ] &&
		grep -q 'the import was stopped; no chat was added' err
	result $? "import-stopped-$signal" "exit $code, $(chats) chats of $n: $(cat out err)"
done
{
	printf '['
	for i in $(seq 400); do
		printf '{"title":"T%d","messages":[{"role":"user","content":"%0999d"}]},' "$i" "$i"
	done
	printf '{"messages":[{"role":"user","content":"last"}]}]'
} >many.json
for after in 0 1 200; do
	n=$(chats)
	"$sotto" chats --import pipe many.json >out 2>err &
	pid=$!
	printf '[{"role":"user","content":"first"}]' >pipe # so it runs
	until [ $(($(chats) - n)) -ge $after ] || ! kill -0 $pid 2>/dev/null; do :; done
	kill -INT $pid 2>/dev/null
	wait $pid
	code=$? said=0
	grep -q '^pipe: Imported' out && said=1
	grep -q '^many.json: .*Taken: 401 chats' out && said=$((said + 401))
	[ "$(chats)" = $((n + said)) ] && { [ $code = 130 ] || [ $code$said = 0402 ]; }
	result $? "import-stopped-after-$after" "exit $code, $(chats) chats, $n before: $(cat out err)"
done

echo "$passed passed, $failed failed"
[ $failed = 0 ]
