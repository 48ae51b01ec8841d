import {
  type CommandTable,
  type Position,
  positionsOf,
  positionsOfFiles,
  type TableOption,
  valuedFlags,
} from "../table.ts";

/** Completion for fish 3 and later. */
export function fishCompletion(table: CommandTable): string {
  const positions = positionsOf(table);
  const shared = [...table.common, ...table.settings];
  return [
    "# Completion of docent for fish: put it in ~/.config/fish/completions/docent.fish.",
    wordsFunction(positions),
    optionsFunction(positions, shared),
    valuedFunction(positions, shared),
    valuesFunction(shared),
    complete(positionsOfFiles(positions)),
  ].join("\n\n");
}

/** Where the cursor stands is told by the words before it, without options and their values. */
const complete = (withFiles: readonly string[]) => `function __docent_complete
    set -l tokens (commandline -opc)
    set -l name
    set -l at 2
    while test $at -le (count $tokens)
        set -l token $tokens[$at]
        if string match -q -- '-*' $token
            if __docent_takes_value "$name" $token
                if test $at -eq (count $tokens)
                    __docent_values $token
                    return
                end
                set at (math $at + 1)
            end
        else if test (count (__docent_words "$name")) -gt 0
            set -a name $token
        end
        set at (math $at + 1)
    end
    set -l words (__docent_words "$name")
    if string match -q -- '-*' (commandline -ct)
        __docent_options "$name"
    else if test (count $words) -gt 0
        printf '%s\\n' $words
        contains -- "$name" ${withFiles.map((at) => `'${at}'`).join(" ")}
        and __fish_complete_path (commandline -ct)
    else
        __fish_complete_path (commandline -ct)
    end
end

complete -c docent -f -a '(__docent_complete)'
`;

function wordsFunction(positions: readonly Position[]): string {
  const cases = positions
    .filter(({ words }) => words.length > 0)
    .map(({ at, words }) =>
      branch(
        at,
        words.map(({ word, help }) => line(word, help)),
      ),
    );
  return `# The words that may follow those of a command's name so far.
function __docent_words
    switch "$argv[1]"
${cases.join("\n")}
    end
end`;
}

function optionsFunction(positions: readonly Position[], shared: readonly TableOption[]): string {
  const cases = positions
    .filter(({ options }) => options.length > 0)
    .map(({ at, options }) =>
      branch(
        at,
        options.map(({ flag, help }) => line(flag, help)),
      ),
    );
  return `# The options that may follow a command's name.
function __docent_options
    switch "$argv[1]"
${cases.join("\n")}
    end
${shared.map(({ flag, help }) => `    ${line(flag, help)}`).join("\n")}
end`;
}

function valuedFunction(positions: readonly Position[], shared: readonly TableOption[]): string {
  const cases = positions
    .map(({ at, options }) => ({ at, valued: valuedFlags(options) }))
    .filter(({ valued }) => valued.length > 0)
    .map(({ at, valued }) => branch(at, [`set -a valued ${valued.join(" ")}`]));
  return `# Whether a value follows an option of a command.
function __docent_takes_value
    set -l valued ${valuedFlags(shared).join(" ")}
    switch "$argv[1]"
${cases.join("\n")}
    end
    contains -- $argv[2] $valued
end`;
}

function valuesFunction(shared: readonly TableOption[]): string {
  const cases = shared
    .filter(({ values }) => values.length > 0)
    .map(({ flag, values }) => branch(flag, [`printf '%s\\n' ${values.join(" ")}`]));
  return `# The only values that an option may have.
function __docent_values
    switch "$argv[1]"
${cases.join("\n")}
        case '*'
            __fish_complete_path (commandline -ct)
    end
end`;
}

const branch = (at: string, lines: readonly string[]) =>
  [`        case '${at}'`, ...lines.map((each) => `            ${each}`)].join("\n");

const line = (word: string, help: string) => `printf '%s\\t%s\\n' '${word}' '${quoted(help)}'`;

/** In fish's single quotes, a backslash and a quote have a backslash before them. */
const quoted = (text: string) => text.replace(/[\\']/g, "\\$&");
