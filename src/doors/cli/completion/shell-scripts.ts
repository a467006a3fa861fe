export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

/** The word that asks for completions instead of running a command. */
export const COMPLETE = "__complete";

/**
 * A script for the start file of the shell. `command` is the absolute command line of this program,
 * so that suggestions also come where it is not on PATH.
 */
export function shellScript(shell: Shell, command: readonly string[]): string {
  const program = command.map(quoted).join(" ");
  switch (shell) {
    case "bash":
      return `# kuromajutsu completion for bash
_kuromajutsu() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(${program} ${COMPLETE} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _kuromajutsu kuromajutsu
`;
    case "zsh":
      return `#compdef kuromajutsu
# kuromajutsu completion for zsh
_kuromajutsu() {
  local -a found
  local line value text
  while IFS= read -r line; do
    value=\${line%%$'\\t'*}
    text=\${line#*$'\\t'}
    found+=("\${value//:/\\\\:}:\${text}")
  done < <(${program} ${COMPLETE} "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then
    _describe kuromajutsu found
  else
    _files
  fi
}
if [[ \${funcstack[1]} == _kuromajutsu ]]; then
  _kuromajutsu "$@"
else
  if (( ! \${+functions[compdef]} )); then
    autoload -Uz compinit
    compinit
  fi
  compdef _kuromajutsu kuromajutsu
fi
`;
    case "fish":
      return `# kuromajutsu completion for fish
function __kuromajutsu_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l found (${program} ${COMPLETE} $words[2..] "$current" 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path "$current"
  end
end
complete -c kuromajutsu -f -a '(__kuromajutsu_complete)'
`;
  }
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
