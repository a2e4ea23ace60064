# Completion of sotto's command line in fish. The program itself says what fits (sotto --complete),
# so that this always knows its options, models, themes, templates and chats.
function __sotto_complete
    set -l words (commandline -opc)
    set -l token (commandline -ct)
    set -l before (string match -r -- '^--[^=]+=' "$token")
    for line in (command $words[1] --complete $words[2..-1] "$token" 2>/dev/null)
        switch $line
            case ':files'
                __fish_complete_path "$token"
            case ':dirs'
                __fish_complete_directories "$token"
            case ':names'
            case '*'
                printf '%s%s\n' "$before" "$line"
        end
    end
end
complete -c sotto -f -a '(__sotto_complete)'
