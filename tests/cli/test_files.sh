#!/bin/bash
# Files that the command line names: what editors put into them, and what is wrong in them.
set -u
. "$(dirname "$0")/setup.sh"
mark=$'\xef\xbb\xbf'
config=$XDG_CONFIG_HOME/sotto
mkdir -p "$config/presets" "$config/prompts" "$config/themes"

# Every kind of YAML file, as editors write them: each says the same.
for mark_or_not in '' "$mark"; do
	for end in '\n' '\r\n'; do
		name="mark ${#mark_or_not}, end $end"
		write() { printf "$mark_or_not$1" | sed "s/\$/${end%\\n}/" >"$2"; }
		write 'temp: 0.5\ntop-k: 3\n' "$config/config.yaml"
		expect "config: $name" 0 $'\ntemp: 0.5\n.*\ntop-k: 3\n' '' run --print-config
		rm "$config/config.yaml"
		write 'temp: 0.5\ntop-k: 3\n' "$config/presets/mine.yaml"
		expect "preset: $name" 0 . '' run -m synthetic: --preset mine -p x
		write 'system: bommed\nstop: [x]\n' "$config/prompts/mine.yaml"
		expect "template: $name" 0 . '' run -m synthetic:mode=echo -T mine -p hi
		write 'messages:\n  - role: user\n    content: hi\nadd_generation_prompt: true\n' "$work/context.yaml"
		expect "context: $name" 0 '^<.im_start.>user.hi<.im_end.>.<.im_start.>assistant$' '' \
			render --chat-template chatml --context "$work/context.yaml"
	done
done

# Nothing of a file is passed over: what follows the mapping of variables is named.
context() { # NAME ERROR TEXT
	printf "$3" >"$work/context.yaml"
	expect "context: $1" 2 '' "context.yaml:$2" render --chat-template chatml --context "$work/context.yaml"
}
context 'second document' '3: a second document' 'messages:\n  - {role: user, content: hi}\n---\nx: true\n'
context 'second after an end' '3: a second document' 'x: 1\n...\n---\ny: 1\n'
context 'indented first key' '3: this line is indented less' ' messages:\n  - {role: user, content: hi}\nx: true\n'
context 'nothing, then a document' '2: a second document' '~\n---\nx: 1\n'
context 'text after it' '2: ' '{x: 1}\ny: 1\n'

echo "$passed passed, $failed failed"
[ $failed = 0 ]
