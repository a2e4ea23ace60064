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
		expect "preset printed: $name" 0 $'\ntemp: 0.5\n.*\ntop-k: 3\n' '' run --preset mine --print-config
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

# A line that is no YAML, a tab before a key, a second document: refused with the line, wherever it is.
write_with() { # FILE AT BAD GOOD-LINE...
	local file=$1 at=$2 bad=$3 n=1
	shift 3
	for line; do
		[ $n != "$at" ] || printf '%s\n' "$bad"
		printf '%s\n' "$line"
		n=$((n + 1))
	done >"$file"
	[ $n != "$at" ] || printf '%s\n' "$bad" >>"$file"
}
for bad in '@x: 1' 'x: "open' ']' $'\tx: 1' '---' 'x: &a 1'; do
	for at in 1 2 3; do
		[ "$at$bad" != 1--- ] || continue # begins the document
		name="line $at is $bad"
		write_with "$config/presets/bad.yaml" $at "$bad" 'temp: 0.5' 'top-k: 3'
		expect "preset, $name" 2 '' "bad.yaml:$at: " run -m synthetic: --preset bad -p x
		write_with "$config/prompts/bad.yaml" $at "$bad" 'system: x' 'stop: [x]'
		expect "template, $name" 2 '' "bad.yaml:$at: " run -m synthetic: -T bad -p x
		write_with "$work/bad.yaml" $at "$bad" 'temp: 0.5' 'top-k: 3'
		expect "config, $name" 2 '' "bad.yaml:$at: " run -m synthetic: --config "$work/bad.yaml" -p x
		write_with "$work/bad.yaml" $at "$bad" 'a: 1' 'b: 2'
		expect "context, $name" 2 '' "bad.yaml:$at: " render --chat-template chatml --context "$work/bad.yaml"
	done
done

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
expect 'prompt, folder' 2 '' ': is a folder$' run -m $echo -f "$work"
expect 'prompt, missing' 2 '' 'none: cannot open: No such file' run -m $echo -f "$work/none"
chmod 000 "$work/prompt.txt"
if [ -r "$work/prompt.txt" ]; then
	echo "this user may read everything: a file without permissions was not tried"
else
	expect 'prompt, unreadable' 2 '' 'prompt.txt: cannot open: Permission denied' run -m $echo -f "$work/prompt.txt"
fi
chmod 600 "$work/prompt.txt"
expect 'prompt, binary' 2 '' 'is a binary file, not text$' run -m $echo -f <(head -c 999 "$sotto")
expect 'prompt, UTF-16' 2 '' 'is UTF-16; iconv' run -m $echo -f <(printf '\377\376h\0i\0')
expect 'prompt, Latin-1' 2 '' 'is not UTF-8; if it is Latin-1' run -m $echo -f <(printf 'gr\374n')
expect 'prompt, mark alone' 2 '' 'there is no prompt' run -m $echo -f <(printf '\357\273\277')
expect 'context, pipe' 0 '^<.im_start.>user.hi<.im_end.>$' '' render --chat-template chatml \
	--context <(printf '\357\273\277messages:\n  - {role: user, content: hi}\n')
printf '\357\273\277{{ x }}' >"$work/mark.jinja"
printf 'x: y\n' >"$work/context.yaml"
expect 'template, mark' 0 '^y$' '' render --chat-template "$work/mark.jinja" --context "$work/context.yaml"
expect 'config, pipe' 0 $'\ntemp: 0.5\n' '' run --print-config --config <(printf '\357\273\277temp: 0.5\n')

# A value that cannot be right is a wrong command line, whichever option has it: status 2, nothing printed.
while read -r option value error; do
	expect "wrong value: $option" 2 '' "$error" run -m $echo "$option" "$value" <<<x
	! grep -qE "[ (]/[a-z]+ " "$work/err"
	result $? "wrong value: $option" "a command of the chat is named: $(cat "$work/err")"
done <<'END'
--preset nosuch there is no preset 'nosuch'; there are bad, creative, greedy, mine, precise
--template nosuch there is no prompt template 'nosuch'
-T nosuch there is no prompt template 'nosuch'
--config /nosuch/config.yaml /nosuch/config.yaml: cannot open
--config /tmp is a folder
--file /nosuch /nosuch: cannot open
--logit-bias foo 'foo' is not TEXT.N, TEXT-N, ID.N or ID-N
--samplers top_q unknown sampler 'top_q'
--isa nosuch nosuch
--temp hot 'hot'
--temperature 9 '9'
--top_k many 'many'
--reasoning maybe 'maybe'
--variable novalue .
END
# What is only missing in a configuration that this command does not use is no matter to it.
printf 'model: ~/none.gguf\nchat-template-file: ~/none.jinja\n' >"$config/config.yaml"
expect 'paths in a file' 0 "model: \"$HOME/none.gguf\".*chat-template: \"$HOME/none.jinja\"" '' run --print-config
expect 'no such model' 3 '' "$HOME/none.gguf: cannot open" run -p x
rm "$config/config.yaml"
# Every option that names a file knows ~ in all its spellings, where the shell leaves it alone.
printf 'hi' >"$HOME/hi.txt"
printf 'x: 1\n' >"$HOME/x.yaml"
printf '{{ x }}' >"$HOME/x.jinja"
printf 'temp: 0.25\n' >"$HOME/c.yaml"
mkdir -p "$HOME/prompts"
printf 'system: from home\n' >"$HOME/prompts/homely.yaml"
expect 'home: file' 0 '^hi$' '' run -m $echo '--file=~/hi.txt'
expect 'home: -f' 0 '^hi$' '' run -m $echo -f '~/hi.txt'
expect 'home: context' 0 '^1$' '' render '--chat-template-file=~/x.jinja' '--context=~/x.yaml'
expect 'home: chat_template' 0 '^1$' '' render '--chat_template=~/x.jinja' '--context=~/x.yaml'
expect 'home: config' 0 $'\ntemp: 0.25\n' '' run --print-config '--config=~/c.yaml'
SOTTO_CONFIG='~/c.yaml' expect 'home: SOTTO_CONFIG' 0 $'\ntemp: 0.25\n' '' run --print-config
SOTTO_PROMPT_DIR='~/prompts' expect 'home: prompt-dir' 0 . '' run -m $echo -T homely -p x
expect 'home: model' 3 '' "$HOME/none.gguf: cannot open" run '--model=~/none.gguf' -p x
expect 'home: resume' 2 '' "$HOME/none.yaml" run -m $echo '--resume=~/none.yaml' -p x
for command in "info '~/none.gguf'" "quantize '~/none.gguf' '~/q.gguf' Q8_0" "chats --import '~/none.json'" \
	"chats --export md '~/none.yaml'" "replay '~/none.yaml'"; do
	eval "set -- $command"
	output=$("$sotto" "$@" 2>&1)
	[[ $output == *"$HOME/none."* ]]
	result $? "home: $command" "$output"
done
# Each spelling of an option's name is as good in the environment, in presets and in templates.
SOTTO_TEMPERATURE=0.5 expect 'names: environment' 0 $'\ntemp: 0.5\n' '' run --print-config
SOTTO_N_PREDICT=7 expect 'names: environment' 0 $'\npredict: 7\n' '' run --print-config
SOTTO_CHAT_TEMPLATE_FILE='~/x.jinja' expect 'names: environment' 0 "chat-template: \"$HOME/x.jinja\"" '' run --print-config
printf 'temperature: 0.5\ntop_k: 3\ntypical_p: 0.5\n' >"$config/presets/mine.yaml"
expect 'names: preset' 0 . '' run -m synthetic: --preset mine -p x
printf 'system: x\noptions: {temperature: 0.5, top_k: 3, typical_p: 0.5}\n' >"$config/prompts/mine.yaml"
expect 'names: template' 0 . '' run -m $echo -T mine -p x
printf 'temperature: 0.5\nn_predict: 9\n' >"$config/config.yaml"
expect 'names: file' 0 $'\ntemp: 0.5\n' '' run --print-config
rm "$config/config.yaml"

echo "$passed passed, $failed failed"
[ $failed = 0 ]
