# Completion of sotto's command line in bash. The program itself says what fits (sotto --complete),
# so that this always knows its options, models, themes, templates and chats.
_sotto() {
	local line name word colon= program=${1/#\~/$HOME}
	local -a words=()

	COMPREPLY=()
	# bash makes words of server:NAME/MODEL and OWNER/REPO:QUANT at each colon, and replaces what follows the last one only.
	for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
		name=${#words[@]}
		if [[ $name -gt 0 && ${words[name - 1]} != -* && $word != -* &&
			( $word == : || ${words[name - 1]} == *: ) ]]; then
			words[name - 1]+=$word
		else
			words+=("$word")
		fi
	done
	word=${words[${#words[@]} - 1]-}
	[[ $word == *:* ]] && colon=${word%"${word##*:}"}
	while IFS= read -r line; do
		case $line in
		:files | :dirs)
			[[ $colon ]] && continue # a model, whatever files there are
			compopt -o filenames 2>/dev/null
			word=${COMP_WORDS[COMP_CWORD]}
			[[ $word == = ]] && word=
			while IFS= read -r name; do
				COMPREPLY+=("$name")
			done < <(if [[ $line == :dirs ]]; then compgen -d -- "$word"; else compgen -f -- "$word"; fi)
			;;
		:names) # they may have blanks, which readline then quotes
			compopt -o filenames 2>/dev/null
			;;
		*)
			line=${line%%$'\t'*}
			COMPREPLY+=("${line#"$colon"}")
			;;
		esac
	done < <("$program" --complete "${words[@]}" 2>/dev/null)
}
complete -F _sotto sotto
