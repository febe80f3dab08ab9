/*
 * Each script asks the program itself for every word, so that it knows what the program knows: commands, options and
 * the ids of this project's runs and questions. Where the program has nothing to say the shell offers files.
 */

const bash = `_tutti() {
  local IFS=$'\\n'
  COMPREPLY=($(tutti __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _tutti tutti
`;

const zsh = `_tutti() {
  local -a found
  local line
  while IFS= read -r line; do
    found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <(tutti __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then _describe tutti found; else _files; fi
}
compdef _tutti tutti
`;

const fish = `function __tutti_complete
    set -l words (commandline -opc) (commandline -ct)
    set -e words[1]
    tutti __complete $words 2>/dev/null
end
complete -c tutti -a '(__tutti_complete)'
`;

export const completionScripts = { bash, zsh, fish } as const;
