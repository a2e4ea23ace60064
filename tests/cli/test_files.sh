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

# Prompts: files, standard input under each of its names, pipes. No mark reaches the model, line ends are
# \n, a few bytes that are no UTF-8 are replaced and counted. --raw takes the bytes, but for the mark.
echo=synthetic:mode=echo
warned='^sotto: warning: [^:]*: 1 byte that is not UTF-8 was replaced$'
prompt() { # NAME OUT ERR BYTES
	printf -- "$4" >"$work/prompt.txt"
	mkfifo "$work/fifo"
	printf -- "$4" >"$work/fifo" &
	expect "prompt, fifo: $1" 0 "$2" "$3" run -m $echo -f "$work/fifo"
	rm "$work/fifo"
	expect "prompt, pipe: $1" 0 "$2" "$3" run -m $echo -f <(cat "$work/prompt.txt")
	expect "prompt, file: $1" 0 "$2" "$3" run -m $echo -f "$work/prompt.txt"
	expect "prompt, -p: $1" 0 "$2" "$3" run -m $echo <"$work/prompt.txt"
	for stdin in - /dev/stdin /dev/fd/0; do
		expect "prompt, $stdin: $1" 0 "$2" "$3" run -m $echo -f $stdin <"$work/prompt.txt"
		expect "prompt, piped $stdin: $1" 0 "$2" "$3" run -m $echo -f $stdin < <(cat "$work/prompt.txt")
	done
}
prompt mark '^hi$' '' '\357\273\277hi'
prompt ends $'^a\nb$' '' '\357\273\277a\r\nb'
prompt mixed $'^-caf\xef\xbf\xbd au lait\n.caf\xc3\xa9$' "$warned" '-caf\351 au lait\n+caf\303\251\n'
expect 'prompt, attached' 0 $'caf\xef\xbf\xbd' "$warned" run -m $echo what is this < <(printf 'diff\n-caf\351\n+caf\303\251\n')
expect 'prompt, folder' 2 '' ': is a directory$' run -m $echo -f "$work"
expect 'prompt, missing' 2 '' 'none: cannot open: No such file' run -m $echo -f "$work/none"
expect 'prompt, binary' 2 '' 'is a binary file, not text$' run -m $echo -f <(head -c 999 "$sotto")
expect 'prompt, UTF-16' 2 '' 'is UTF-16; iconv' run -m $echo -f <(printf '\377\376h\0i\0')
expect 'prompt, Latin-1' 2 '' 'is not UTF-8; if it is Latin-1' run -m $echo -f <(printf 'gr\374n')
expect 'prompt, mark alone' 2 '' 'there is no prompt' run -m $echo -f <(printf '\357\273\277')
expect 'context, pipe' 0 '^<.im_start.>user.hi<.im_end.>$' '' render --chat-template chatml \
	--context <(printf '\357\273\277messages:\n  - {role: user, content: hi}\n')
expect 'config, pipe' 0 $'\ntemp: 0.5\n' '' run --print-config --config <(printf '\357\273\277temp: 0.5\n')

echo "$passed passed, $failed failed"
[ $failed = 0 ]
