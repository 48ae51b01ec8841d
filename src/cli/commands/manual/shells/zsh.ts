import {
  type CommandTable,
  type Position,
  positionsOf,
  positionsOfFiles,
  type TableOption,
  valuedFlags,
} from "../table.ts";

/** Completion for zsh: a file `_docent` of a folder in its `fpath`, or sourced after `compinit`. */
export function zshCompletion(table: CommandTable): string {
  const shared = [...table.common, ...table.settings];
  return `#compdef docent
# Completion of docent for zsh: put it in a file "_docent" of a folder in $fpath, or source it after compinit.

# What may follow the words of a command's name so far.
__docent_look() {
  names=() options=() valued=()
  case "$1" in
${positionsOf(table).map(branch).join("\n")}
  esac
  options+=(
${shared.map((option) => `    ${described(option.flag, option.help)}`).join("\n")}
  )
  valued+=(${valuedFlags(shared).join(" ")})
}

# The only values that an option may have.
__docent_values() {
  case "$1" in
${shared
  .filter(({ values }) => values.length > 0)
  .map(({ flag, values }) => `    ${flag}) compadd -- ${values.join(" ")} ;;`)
  .join("\n")}
    *) _files ;;
  esac
}

_docent() {
  local -a names options valued
  local name='' of='' at word
  __docent_look ''
  for ((at = 2; at < CURRENT; at++)); do
    word=\${words[at]}
    of=''
    if [[ $word == -* ]]; then
      if (( \${valued[(Ie)$word]} )); then
        of=$word
        ((at++))
      fi
    elif (( \${#names} )); then
      name="\${name:+$name }$word"
      __docent_look "$name"
    fi
  done
  if [[ -n $of ]] && ((at > CURRENT)); then
    __docent_values "$of"
  elif [[ $PREFIX == -* ]]; then
    _describe -o option options
  elif (( \${#names} )); then
    _describe command names
    case "$name" in
      ${positionsOfFiles(positionsOf(table)).join("|")}) _files ;;
    esac
  else
    _files
  fi
}

if [[ $funcstack[1] == _docent ]]; then
  _docent "$@"
else
  compdef _docent docent
fi
`;
}

function branch({ at, words, options }: Position): string {
  const lines = [
    ...words.map(({ word, help }) => `      names+=(${described(word, help)})`),
    ...options.map(({ flag, help }) => `      options+=(${described(flag, help)})`),
    ...flagsThatTakeValues(options),
  ];
  return `    '${at}')\n${[...lines, "      ;;"].join("\n")}`;
}

function flagsThatTakeValues(options: readonly TableOption[]): string[] {
  const flags = valuedFlags(options);
  return flags.length > 0 ? [`      valued+=(${flags.join(" ")})`] : [];
}

const described = (word: string, help: string) =>
  `'${word.replaceAll(":", "\\:")}:${help.replaceAll("'", "'\\''")}'`;
