#!/bin/bash
# sotto chats --import on files made after public bug reports: what is said of each, and what of it is shown.
set -u
data=${SOTTO_TESTDATA:-$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)/../shared/testdata}/reports/chat
if [ ! -d "$data" ]; then
	echo "skipped: looked for $data"
	exit 77
fi
. "$(dirname "$0")/setup.sh"

# The chat's messages as "role: text|".
shown() {
	local id
	id=$("$sotto" chats | head -1 | cut -d' ' -f1)
	"$sotto" chats --export json "$id" |
		sed -n 's/^  {"role": "\([a-z]*\)", "content": "\(.*\)"},\{0,1\}$/\1: \2|/p' |
		sed 's/", "reasoning_content": "\(.*\)|$/ (\1)|/' | tr -d '\n'
}

# check FILE TAKEN SHOWN: all of it is taken; "... Left out: ...": it says so.
check() {
	local said out
	out=$("$sotto" chats --import "$data/$1" 2>&1)
	said="Imported. You may delete the file. Taken: $2."
	case $2 in *Left\ out*) said="Imported, but not all of it: keep the file. Taken: $2." ;; esac
	[ "$out" = "$data/$1: $said" ]
	result $? "$1" "$out"
	[ "$(shown)" = "$3" ]
	result $? "$1" "shows $(shown)"
}

# refuse FILE ERROR: no chat is added.
refuse() {
	local before
	before=$("$sotto" chats | wc -l)
	expect "$1" 2 '' "$2" chats --import "$data/$1"
	[ "$("$sotto" chats | wc -l)" = "$before" ]
	result $? "$1" 'a chat was added'
}

check anthropic-api-history.json '5 messages' \
	'system: be brief|user: question one|assistant: answer one|user: question two|assistant: answer two|'
check bom.json '1 message' \
	'user: bom|'
check chatgpt-conversations.json '3 messages. Empty: 1 message' \
	'user: How many bones has a hand?|assistant: Twenty-seven.|'
check claude-export.json '2 messages' \
	'user: How many bones has a hand?|assistant: Twenty-seven.|'
check content-and-empty-text.json '2 messages' \
	'user: keep|assistant: keep2|'
check content-object.json '2 messages' \
	'user: obj|assistant: a|'
check content-parts.json '2 messages' \
	'user: str1str2|assistant: a (hm)|'
check content-text-null.json '2 messages. Left out: 1 second text of a message' \
	'user: q|assistant: a|'
refuse deep.json '1: not JSON: too many levels'
check dup-keys.json '2 messages' \
	'user: first|user: second|'
check llamacpp-child-before-parent.json '3 messages' \
	'user: question one|assistant: answer one|user: question two|'
check llamacpp-old-webui-numeric-ids.json '3 messages' \
	'user: question one|assistant: answer take B|'
check llamacpp-system-tie.json '3 messages' \
	'system: Be brief.|user: question one|assistant: answer one|'
check llamaui-dump.json '2 messages' \
	'user: How many bones has a hand?|assistant: Twenty-seven.|'
check llm-logs.json '3 messages' \
	'system: be brief|user: How many bones has a hand?|assistant: Twenty-seven.|'
check lmstudio-conversation.json '3 messages' \
	'system: be brief|user: How many bones has a hand?|assistant: Twenty-seven.|'
check long-title.json '1 message' \
	'user: q|'
check messages-with-ids-no-parent.json '4 messages' \
	'user: question one|assistant: answer one|user: question two|assistant: answer two|'
check oobabooga-log.json '3 messages' \
	'assistant: How can I help you today?|user: How many bones has a hand?|assistant: Twenty-seven.|'
check open-webui-export.json '3 messages' \
	'user: How many bones has a hand?|assistant: Twenty-seven.|'
check open-webui-messages-only.json '3 messages' \
	'user: How many bones has a hand?|assistant: Twenty-seven.|'
check openai-responses-items.json '4 messages' \
	'user: question one|assistant: answer one|user: question two|assistant: answer two|'
check reasoning-object.json '2 messages. Left out: 1 part of an unknown kind' \
	'user: q|assistant: a (hm)|'
check roles-capitalised.json '2 messages' \
	'user: hi|assistant: yo|'
check sharegpt-ids.json '3 messages' \
	'user: question one|assistant: answer one|user: question two|'
check sharegpt-system-twice.json '3 messages. Empty: 1 message. Left out: 1 tool result' \
	'system: be brief|user: hi|assistant: hello|'
check think-tags.json '2 messages' \
	'user: q|assistant: answer (hm)|'
check timestamp-seconds.json '2 messages' \
	'user: q|assistant: a|'
refuse trailing-comma.json '1: not JSON: a key in quotes was expected'
refuse utf16.json ' the text is UTF-16; iconv -f UTF-16 -t UTF-8 converts it'
check jan-thread-messages.jsonl '2 messages' \
	'user: question one|assistant: answer one|'
refuse jsonl-truncated.jsonl '3: not JSON: a string without an end'
check llamacpp-empty-currnode.jsonl '4 messages' \
	'user: question one|assistant: take A|user: follow-up of A|'
check llamacpp-pasted-text.jsonl '4 messages, 2 attached files' \
	'user: File: Pasted\n```\nTHE LONG PASTED QUESTION\n```\n|assistant: answer one|user: and this file?\n\nFile: hello.c\n```\nint main(){}\n```\n|assistant: answer two|'
check sillytavern-chat.jsonl '3 messages' \
	'assistant: Hello, traveller.|user: Where am I?|'

check timestamp-seconds.json '2 messages' 'user: q|assistant: a|'
[ "$(grep -c '^time: "2024-03-09' "$XDG_DATA_HOME/sotto/chats/$("$sotto" chats | head -1 | cut -d' ' -f1).yaml")" = 2 ]
result $? timestamp-seconds.json 'the date of its messages'

echo "$passed passed, $failed failed"
[ $failed = 0 ]
