import { type CommandTable, positionsOf, type TableOption, valuedFlags } from "../table.ts";

/** Completion for PowerShell 5 and later. */
export function powershellCompletion(table: CommandTable): string {
  const shared = [...table.common, ...table.settings];
  const positions = positionsOf(table);
  return `# Completion of docent for PowerShell: docent completions powershell | Out-String | Invoke-Expression

Register-ArgumentCompleter -Native -CommandName 'docent' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    # The words that may follow those of a command's name so far.
    $words = @{
${positions
  .filter(({ words }) => words.length > 0)
  .map(({ at, words }) => entry(at, words))
  .join("\n")}
    }
    # The options of each command, and those of all.
    $options = @{
${positions
  .filter(({ options }) => options.length > 0)
  .map(({ at, options }) => entry(at, options.map(asWord)))
  .join("\n")}
    }
    $shared = @(
${shared.map((option) => `        ${pair(asWord(option))}`).join("\n")}
    )
    # The options of each command after which a value follows, and those of all.
    $valued = @{
${positions
  .filter(({ options }) => valuedFlags(options).length > 0)
  .map(({ at, options }) => `        '${at}' = @(${list(valuedFlags(options))})`)
  .join("\n")}
    }
    $sharedValued = @(${list(valuedFlags(shared))})
    # The only values that an option may have.
    $values = @{
${shared
  .filter(({ values }) => values.length > 0)
  .map(({ flag, values }) => `        '${flag}' = @(${list(values)})`)
  .join("\n")}
    }

    $name = ''
    $of = ''
    $before = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
    foreach ($word in $before) {
        if ($of -ne '') { $of = ''; continue }
        if ($word.StartsWith('-')) {
            if (($sharedValued -contains $word) -or ($valued[$name] -contains $word)) { $of = $word }
        } elseif ($words.ContainsKey($name)) {
            $name = ($name + ' ' + $word).Trim()
        }
    }
    if ($of -ne '') { $found = @($values[$of] | ForEach-Object { , @($_, $_) }) }
    elseif ($wordToComplete.StartsWith('-')) { $found = @($options[$name]) + $shared }
    else { $found = @($words[$name]) }
    $found | Where-Object { $_ -and $_[0] -and $_[0].StartsWith($wordToComplete) } | ForEach-Object {
        [System.Management.Automation.CompletionResult]::new($_[0], $_[0], 'ParameterValue', $_[1])
    }
}
`;
}

interface Word {
  word: string;
  help: string;
}

const asWord = ({ flag, help }: TableOption): Word => ({ word: flag, help });

/** A comma before a pair keeps it one element where it is the only one. */
const pair = ({ word, help }: Word) => `, @('${quoted(word)}', '${quoted(help || word)}')`;

function entry(at: string, words: readonly Word[]): string {
  return [`        '${at}' = @(`, ...words.map((word) => `            ${pair(word)}`), "        )"].join(
    "\n",
  );
}

const list = (words: readonly string[]) => words.map((word) => `'${quoted(word)}'`).join(", ");

/** PowerShell takes curly quotes for straight ones: each is doubled. */
const quoted = (text: string) => text.replace(/['‘’‚‛]/g, "$&$&");
