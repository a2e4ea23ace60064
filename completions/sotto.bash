# Completion of sotto's command line in bash. The program itself says what fits (sotto --complete),
# so that this always knows its options, models, themes, templates and chats.
_sotto() {
	local line name word program=${1/#\~/$HOME}

	COMPREPLY=()
	while IFS= read -r line; do
		case $line in
		:files | :dirs)
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
		*) COMPREPLY+=("${line%%$'\t'*}") ;;
		esac
	done < <("$program" --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _sotto sotto
