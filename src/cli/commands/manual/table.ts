import type { Setting } from "@docent/kernel/config/setting";
import { flagOf, SETTINGS } from "@docent/kernel/config/settings";
import type { NamedCommand } from "../../command.ts";
import type { COMMON_OPTIONS } from "../../command-line.ts";

/** An option as shells and the manual show it. */
export interface TableOption {
  /** `--name`. */
  flag: string;
  help: string;
  takesValue: boolean;
  /** The only values it may have; empty where it takes any. */
  values: readonly string[];
}

/** A command with its options. */
export interface TableCommand {
  name: string;
  usage: string;
  summary: string;
  options: readonly TableOption[];
}

/** All that a line may say. */
export interface CommandTable {
  commands: readonly TableCommand[];
  /** Options of every command that are not settings. */
  common: readonly TableOption[];
  /** Settings, which are options of every command. */
  settings: readonly TableOption[];
}

const COMMON_HELP: Record<keyof typeof COMMON_OPTIONS, string> = {
  json: "print JSON",
  debug: "print the stack of an error too",
  help: "show the help",
};

/** The commands, options and settings that `--help` shows, for programs that write them in another way. */
export function commandTable(
  commands: readonly Pick<NamedCommand, "name" | "usage" | "summary" | "options" | "optionHelp">[],
): CommandTable {
  return {
    commands: commands.map(({ name, usage, summary, options = {}, optionHelp = {} }) => ({
      name,
      usage,
      summary,
      options: Object.entries(options).map(([option, { type }]) => ({
        flag: `--${option}`,
        help: optionHelp[option] ?? "",
        takesValue: type === "string",
        values: [],
      })),
    })),
    common: [
      ...Object.entries(COMMON_HELP).map(([name, help]) => ({ ...ANY_FLAG, flag: `--${name}`, help })),
      { ...ANY_FLAG, flag: "--version", help: "show the version" },
    ],
    settings: Object.entries<Setting>(SETTINGS).map(([name, setting]) => ({
      flag: flagOf(name),
      help: setting.help,
      takesValue: true,
      values: setting.kind === "choice" ? setting.choices : [],
    })),
  };
}

const ANY_FLAG = { takesValue: false, values: [] };

/** What may follow the words of a command's name so far: more words of a name, or the options of the command. */
export interface Position {
  /** The words so far with spaces between them; none at the beginning. */
  at: string;
  words: readonly { word: string; help: string }[];
  /** A file may stand there too: it is the name of a command, and the beginning of others. */
  takesFile?: true;
  options: readonly TableOption[];
}

/** Every position of a line, the beginning first. */
export function positionsOf({ commands }: CommandTable): Position[] {
  const groups = Map.groupBy(commands, ({ name }) => name.split(" ")[0] ?? "");
  const top = [...groups].map(([word, inside]) => ({ word, help: helpOfWord(word, inside) }));
  const start: Position = { at: "", words: [...top, { word: "help", help: "Show the help." }], options: [] };
  const inGroups = [...groups]
    .filter(([word, inside]) => inside.some(({ name }) => name !== word))
    .map(([word, inside]): Position => {
      const own = inside.find(({ name }) => name === word);
      const words = inside
        .filter((each) => each !== own)
        .map(({ name, summary }) => ({ word: name.slice(word.length + 1), help: summary }));
      return { at: word, words, options: own?.options ?? [], ...(own && { takesFile: true }) };
    });
  const atCommands = commands
    .filter(({ name }) => inGroups.every(({ at }) => at !== name))
    .map(({ name, options }): Position => ({ at: name, words: [], options }));
  return [start, ...inGroups, ...atCommands];
}

function helpOfWord(word: string, inside: readonly TableCommand[]): string {
  const own = inside.find(({ name }) => name === word);
  return own?.summary ?? inside.map(({ name }) => name.slice(word.length + 1)).join(", ");
}

/** The positions at which a word of a name or a file may stand. */
export const positionsOfFiles = (positions: readonly Position[]): string[] =>
  positions.filter(({ takesFile }) => takesFile).map(({ at }) => at);

/** The flags after which a value follows. */
export const valuedFlags = (options: readonly TableOption[]): string[] =>
  options.filter(({ takesValue }) => takesValue).map(({ flag }) => flag);
