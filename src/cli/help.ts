import type { Setting } from "@docent/kernel/config/setting";
import { flagOf, SETTINGS } from "@docent/kernel/config/settings";
import type { Listed, NamedCommand } from "./command.ts";

const COMMON =
  "Every command takes --json, --debug for stack traces, and --help. Settings of the server are flags of every command that reads them, and environment variables: docent config shows them all. Flags of every command may stand before its name. Where a command takes a file, - is the standard input or output.";

/** What one needs on a first day, in its order. */
const FIRST_DAY = [
  "try",
  "sites add",
  "ingest",
  "ask",
  "serve",
  "keys create",
  "sources list",
  "sites fidelity",
  "doctor",
  "backup",
];

/** All commands by their first words, by what one wants to do. */
const TOPICS: Readonly<Record<string, readonly string[]>> = {
  "Sites and people": ["sites", "orgs", "keys", "admin-keys", "members", "reader-secrets"],
  "Reading docs": ["ingest", "sources", "generations", "index", "enrichment"],
  Asking: ["try", "ask", "search", "mcp"],
  "Better answers": ["gaps", "answers", "golden", "eval", "check"],
  Conversations: ["export", "threads"],
  Running: ["serve", "doctor", "health", "config", "notices", "audit", "service"],
  "Copies and moves": ["backup", "restore", "move", "bundle"],
  "This program": ["completions", "man", "licenses"],
};

/** The help for the program: what one needs first, and where the rest is. */
export function helpForFirstDay(commands: readonly Listed[], columns: number): string {
  const first = FIRST_DAY.flatMap((name) => commands.find((command) => command.name === name) ?? []);
  const topics = Object.entries(TOPICS).map(([topic, words]) => [`  ${topic}`, words.join(", ")] as const);
  const rows = first.map(({ name, usage, summary }) => [`  ${name} ${usage}`.trimEnd(), summary] as const);
  return `Docent answers from your docs.

Usage: docent <command> [options]

${inColumns(rows, columns).join("\n")}

${inColumns(topics, columns).join("\n")}

${wrap(`docent help <word> shows the commands that begin with that word, and docent help all shows every one. ${COMMON}`, columns).join("\n")}
`;
}

/** The first words of all commands that a topic has. */
export const WORDS_OF_TOPICS: ReadonlySet<string> = new Set(Object.values(TOPICS).flat());

/** The help for some commands: a line or more for each. */
export function helpOverview(commands: readonly Listed[], columns: number): string {
  const rows = commands.map(
    (command) => [`  ${command.name} ${command.usage}`.trimEnd(), command.summary] as const,
  );
  return `Docent answers from your docs.

Usage: docent <command> [options]

${inColumns(rows, columns).join("\n")}

${wrap(COMMON, columns).join("\n")}
`;
}

/** The help for one command. */
export function helpOf(command: NamedCommand, columns: number): string {
  const options = Object.entries(command.options ?? {}).map(([name, option]) => {
    const value = option.type === "string" ? " <text>" : "";
    return [`  --${name}${value}`, command.optionHelp?.[name] ?? ""] as const;
  });
  const settings = command.name === "serve" ? ["", "Settings:", ...settingLines(columns)] : [];
  return `${[
    ...wrap(command.summary, columns),
    "",
    `Usage: docent ${command.name} ${command.usage}`.trimEnd(),
    ...(options.length > 0 ? ["", "Options:", ...inColumns(options, columns)] : []),
    ...settings,
  ].join("\n")}\n`;
}

/** The left column may be this wide; the text beside a wider entry begins below it. */
const LEFT_SHARE = 0.5;
const TEXT_COLUMNS_MIN = 30;

/** Names with their meanings, in lines that fit. */
function inColumns(rows: (readonly [string, string])[], columns: number): string[] {
  const widths = rows.map(([left]) => left.length).filter((width) => width <= columns * LEFT_SHARE);
  const width = Math.max(...widths, 0);
  return rows.flatMap(([left, right]) => {
    const [first = "", ...more] = wrap(right, Math.max(TEXT_COLUMNS_MIN, columns - width - 2));
    const below = more.map((line) => `${" ".repeat(width + 2)}${line}`);
    if (left.length <= width) return [`${left.padEnd(width)}  ${first}`, ...below];
    return [left, `${" ".repeat(width + 2)}${first}`, ...below];
  });
}

/** The words of a text in lines of at most `columns`; a longer word has a line of its own. */
function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function settingLines(columns: number): string[] {
  const rows = Object.entries<Setting>(SETTINGS).map(([name, setting]) => {
    const fallback =
      Array.isArray(setting.default) || setting.default === "" || setting.default === null
        ? ""
        : ` (${String(setting.default)})`;
    return [`  ${flagOf(name)}`, `${setting.help}${fallback}`] as const;
  });
  return inColumns(rows, columns);
}
