#!/bin/bash
# What `sotto --complete` says, and what bash, zsh and fish make of it. A shell that is missing is
# named, and its part left out; bash runs this.
set -u
. "$(dirname "$0")/setup.sh"
source=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)

# has NAME LINE WORD...: a candidate is that line, its description aside
has() {
	local name=$1 line=$2 out
	shift 2
	out=$("$sotto" --complete "$@" | cut -f1)
	grep -qxF -e "$line" <<<"$out"
	result $? "$name" "no '$line' in: $out"
}

lacks() {
	local name=$1 line=$2 out
	shift 2
	out=$("$sotto" --complete "$@" | cut -f1)
	! grep -qxF -e "$line" <<<"$out"
	result $? "$name" "'$line' in: $out"
}

# A chat, a theme, a template, a preset and a model of the user's
mkdir -p "$work/data/sotto/chats" "$work/config/sotto/themes" "$work/config/sotto/prompts" \
	"$work/config/sotto/presets" "$work/data/sotto/models" "$work/files"
chat=20261124-191636-ff39
save_chat() { # ID TEXT-IN-YAML
	# As if changed by hand: its sums are wrong
	cat >"$work/data/sotto/chats/$1.yaml" <<EOF
--- # r seq=1 len=29 crc32c=00000000
type: "meta"
format: "1"
...
--- # r seq=2 len=1 crc32c=00000000
type: "message"
id: "1"
parent: "0"
role: "user"
time: "2026-11-24T19:16:36Z"
text: "$2"
...
EOF
}
save_chat "$chat" "My café: a list"
echo 'roles: {user: red}' >"$work/config/sotto/themes/dusk.yaml"
printf 'name: pirate\nsystem: Be a pirate.\n' >"$work/config/sotto/prompts/pirate.yaml"
echo 'temp: 0.3' >"$work/config/sotto/presets/mild.yaml"
cd "$work/files" || exit 1
touch a.txt 'b c.txt'

# Every option that --help has, of every command, and every command
for command in '' run chats replay doctor logits trace compare perplexity tokenize render models pull servers info convert quantize bench; do
	"$sotto" $command --help | sed -n '/^Options/,$s/^  -/-/p' |
		sed 's/   .*//; s/, /\n/g' | sed 's/ .*//' | grep -x -e '-[-a-z0-9]*' >"$work/flags"
	[ -s "$work/flags" ]
	result $? "options of '$command'" "none"
	{
		"$sotto" --complete $command -
		"$sotto" --complete $command --
		sed -n 's/^--\(no-\)\{0,1\}\(..\).*/--\1\2/p' "$work/flags" | while read -r start; do
			"$sotto" --complete $command "$start"
		done
		sed -n 's/^-\([a-z]\{2,3\}\)$/-\1/p' "$work/flags" | while read -r flag; do
			"$sotto" --complete $command "$flag"
		done
	} | cut -f1 | sort -u >"$work/candidates"
	missing=$(grep -vxFf "$work/candidates" "$work/flags")
	[ -z "$missing" ]
	result $? "options of '$command'" "missing: $missing"
	[ -z "$command" ] || has "command $command" "$command" ''
done
lacks options-of-others --theme run --
has type-of-a-conversion Q4_K_M convert folder out.gguf ''
has type-begun BF16 convert --threads 2 folder out.gguf B
lacks type-too-early Q4_K_M convert folder ''
has option-of-command --export chats --ex
lacks option-of-command --export --ex
has option-after-option --export --no-save chats --ex
has alias --temperature --tempe
has negated --no-save --no-s
has short -m -

# Values
has theme dusk --theme ''
has theme-begun dusk --theme du
lacks theme-begun dark --theme du
has theme-equals dusk --theme=du
has theme-in-bash dusk --theme = du
has theme-in-bash dusk --theme =
has template pirate -T ''
has preset mild --preset mi
has chat "$chat" --resume ''
has chat-title "My café: a list" --resume My
has chat-of-chats "$chat" chats 2026
has chat-of-compare "$chat" compare 2026
has chat-of-perplexity "$chat" perplexity -m guide 2026
has format md chats --export ''
has model guide -m ''
has enum q8_0 --cache-type-k ''
has chat-template chatml render --chat-template ''
has file-value :files run -f ''
has folder-value :dirs --prompt-dir ''
has word :files tokenize ''
has published ggml-org/SmolLM3-3B-GGUF pull ggml
lacks value-is-no-option --theme --theme --th
lacks after-dashes --theme -- --th
has nothing-typed run ''
[ -z "$("$sotto" --complete --temp 0 2>&1)" ]
result $? number "$("$sotto" --complete --temp 0 2>&1)"

# Servers, as far as servers.yaml names their models: nobody is asked
printf 'box: {url: "http://127.0.0.1:1", models: {"qwen3:8b": {context: 4096}}}\n' >"$work/config/sotto/servers.yaml"
has server server:box -m ''
has server-model server:box/qwen3:8b -m server:box/
has server-to-compare box compare --server b
lacks server-begun guide -m serv

# Models that were fetched, by their names
hub=$XDG_CACHE_HOME/huggingface/hub/models--owner--repo/snapshots/1111111111111111111111111111111111111111
mkdir -p "$hub"
"$OLDPWD/tests/support/make_tiny" "$hub/x-Q4_K_M.gguf" && "$OLDPWD/tests/support/make_tiny" "$work/files/plain.gguf"
result $? make_tiny "failed"
has model-name owner/repo:Q4_K_M -m ''
lacks model-name "$hub/x-Q4_K_M.gguf" -m ''
has model-path "$hub/x-Q4_K_M.gguf" -m /
has models-word rm models ''
lacks models-word owner/repo:Q4_K_M models ''
has models-rm owner/repo:Q4_K_M models rm ''
has models-rm-begun owner/repo:Q4_K_M models rm owner/repo:
lacks models-rm guide models rm ''
lacks models-rm-verb verify models rm ''

# What may be in titles is no candidate, or a blank in its description
save_chat 20261124-191637-ff40 'two\e[31m\u0007red'
has title-of-controls 20261124-191637-ff40 --resume ''
! "$sotto" --complete --resume '' | grep -q $'\x1b'
result $? title "an escape sequence"
[ -z "$("$sotto" --complete --resume two | grep -v ^:)" ]
result $? title "a title with controls is a candidate"

save_chat 20261124-191638-ff41 'three\x9b31mred'
[ -z "$("$sotto" --complete --resume three | grep -v ^:)" ]
result $? title "a title with a C1 control is a candidate"
! "$sotto" --complete --resume '' | grep -q $'\xc2\x9b'
result $? title "a C1 control"

# bash
bash -n "$source/completions/sotto.bash"
result $? bash "does not parse"
bash_offers() { # WORD...
	bash --norc -c 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
		_sotto "$1" "${!#}"; printf "%s\n" "${COMPREPLY[@]}"' - \
		"$source/completions/sotto.bash" "$sotto" "$@" 2>&1
}
bash_has() { # NAME LINE WORD...
	local name=$1 line=$2 out
	shift 2
	out=$(bash_offers "$@")
	grep -qxF -e "$line" <<<"$out"
	result $? "bash-$name" "no '$line' in: $out"
}
bash_has option --theme --the
bash_has theme dusk --theme d
bash_has theme-equals dusk --theme = d
bash_has title "My café: a list" --resume My
bash_has server server:box -m serv
bash_has server-colon box -m server :
bash_has server-name box -m server : bo
touch bo.txt
! bash_offers -m server : bo | grep -F bo.txt
result $? bash-server-file "a file is no model of a server"
rm bo.txt
bash_has server-model box/qwen3:8b -m server : box/q
bash_has server-tag 8b -m server : box/qwen3 :
bash_has server-option --theme -m server : box --the
bash_has model-tag Q4_K_M models rm owner/repo :
bash_has model-tag-begun Q4_K_M -m owner/repo : Q
bash_has file a.txt tokenize -f ''
bash_has file 'b c.txt' tokenize -f b

# zsh: its functions that put candidates on the screen print them instead
if command -v zsh >/dev/null; then
	zsh -n "$source/completions/_sotto"
	result $? zsh "does not parse"
	zsh_has() { # NAME LINE WORD...
		local name=$1 line=$2 out
		shift 2
		out=$(zsh -f -c '_describe() { print -rl -- ${(P)@[-1]} }
			_files() { print -r -- "files $*" }
			compset() { print -r -- "compset $*" }
			file=$1; shift; words=("$@"); CURRENT=$#; complete() { source $file }; complete' - \
			"$source/completions/_sotto" "$sotto" "$@" 2>&1)
		grep -qF -e "$line" <<<"$out"
		result $? "zsh-$name" "no '$line' in: $out"
	}
	zsh_has option '--theme:colours of the chat' --the
	zsh_has command 'chats:list the saved chats' ''
	zsh_has theme dusk --theme ''
	zsh_has theme-equals 'compset -P *=' --theme=du
	zsh_has theme-equals dusk --theme=du
	zsh_has title 'My café\: a list:'"$chat" --resume My
	zsh_has server 'server\:box/qwen3\:8b' -m serv
	zsh_has file 'files ' tokenize -f ''
	zsh_has folder 'files -/' --prompt-dir ''
else
	echo "zsh is not installed: its completion was not tried"
fi

if command -v fish >/dev/null; then
	fish --no-config -n "$source/completions/sotto.fish"
	result $? fish "does not parse"
	mkdir -p "$work/bin"
	ln -sf "$sotto" "$work/bin/sotto"
	fish_has() { # NAME LINE COMMAND-LINE
		local out
		out=$(PATH=$work/bin:$PATH fish --no-config -c \
			'source $argv[1]; complete -C $argv[2]' "$source/completions/sotto.fish" "$3" 2>&1)
		grep -qF -e "$2" <<<"$out"
		result $? "fish-$1" "no '$2' in: $out"
	}
	fish_has option $'--theme\tcolours of the chat' 'sotto --the'
	fish_has command $'chats\tlist the saved chats' 'sotto '
	fish_has theme dusk 'sotto --theme '
	fish_has theme-equals '--theme=dusk' 'sotto --theme=du'
	fish_has title "$chat" 'sotto --resume My'
	fish_has server server:box/qwen3:8b 'sotto -m server:b'
	fish_has file a.txt 'sotto tokenize -f '
else
	echo "fish is not installed: its completion was not tried"
fi

echo "$passed checks passed, $failed failed"
[ $failed = 0 ]
