import { type CommandTable, type Position, positionsOf, type TableOption, valuedFlags } from "../table.ts";

/** Completion for bash 4 and later, with or without the package bash-completion. */
export function bashCompletion(table: CommandTable): string {
  const shared = [...table.common, ...table.settings];
  return `# Completion of docent for bash: source it, or put it in a file "docent" of bash-completion's folder.

# What may follow the words of a command's name so far.
__docent_look() {
  words='' options='' valued=''
  case "$1" in
${positionsOf(table).map(branch).join("\n")}
  esac
  options="$options ${flags(shared)}"
  valued="$valued ${valuedFlags(shared).join(" ")}"
}

# The only values that an option may have.
__docent_values() {
  case "$1" in
${shared
  .filter(({ values }) => values.length > 0)
  .map(({ flag, values }) => `    ${flag}) echo '${values.join(" ")}' ;;`)
  .join("\n")}
  esac
}

_docent() {
  local current=\${COMP_WORDS[COMP_CWORD]} name='' of='' at word words options valued
  COMPREPLY=()
  __docent_look ''
  for ((at = 1; at < COMP_CWORD; at++)); do
    word=\${COMP_WORDS[at]}
    of=''
    if [[ $word == -* ]]; then
      [[ " $valued " == *" $word "* ]] || continue
      # Bash takes the equals sign of --flag=value for a word of its own.
      [[ \${COMP_WORDS[at + 1]} == '=' ]] && ((at++))
      ((at++))
      of=$word
    elif [[ -n $words ]]; then
      name="\${name:+$name }$word"
      __docent_look "$name"
    fi
  done
  [[ $current == '=' ]] && current=''
  # The word that is being written is the value of an option.
  if [[ -n $of ]] && ((at > COMP_CWORD)); then
    mapfile -t COMPREPLY < <(compgen -W "$(__docent_values "$of")" -- "$current")
    return
  fi
  [[ $current == -* ]] && words=$options
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}

# Where nothing is known to follow, names of files do.
complete -o default -F _docent docent
`;
}

function branch({ at, words, options }: Position): string {
  const set = [
    words.length > 0 ? `words='${words.map(({ word }) => word).join(" ")}'` : "",
    options.length > 0 ? `options='${flags(options)}' valued='${valuedFlags(options).join(" ")}'` : "",
  ].filter(Boolean);
  return `    '${at}') ${set.join(" ") || ":"} ;;`;
}

const flags = (options: readonly TableOption[]) => options.map(({ flag }) => flag).join(" ");
