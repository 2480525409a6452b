# Completion of rooftune's commands and flags in bash. The program itself is asked, so that nothing here can be out
# of date. On a wide page its tables and lists have whole lines.
_rooftune() {
    local current=${COMP_WORDS[COMP_CWORD]} program=${COMP_WORDS[0]} words
    if ((COMP_CWORD == 1)) && [[ $current != -* ]]; then
        words=$(COLUMNS=10000 "$program" --help 2>/dev/null | sed -n '/^Subcommands:/,$ s/^  \([a-z][a-z-]*\) .*/\1/p')
    elif [[ $current == -* ]]; then
        local command=
        ((COMP_CWORD > 1)) && command=${COMP_WORDS[1]}
        words=$(COLUMNS=10000 "$program" ${command:+"$command"} --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]*' | sort -u)
    elif [[ ${COMP_WORDS[1]} =~ ^(tune|bound|inspect)$ && $current != */* ]]; then
        words=$(COLUMNS=10000 "$program" list families 2>/dev/null | sed -n '1d; s/^| \([a-z]\{1,\}\) .*/\1/p')
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o default -F _rooftune rooftune
