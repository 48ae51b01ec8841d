import type { Setting } from "../config/setting.ts";
import { flagOf, SETTINGS } from "../config/settings.ts";
import type { Command } from "./command.ts";

/** What the program can do, a line for each command. */
export function helpOverview(commands: readonly Command[]): string {
  const rows = commands.map(
    (command) => [`  ${command.name} ${command.usage}`.trimEnd(), command.summary] as const,
  );
  return `Docent answers from your docs.

Usage: docent <command> [options]

${inColumns(rows).join("\n")}

Every command takes --json, --debug for stack traces, and --help. Settings are flags of every
command, and environment variables: docent config shows them all. Flags of every command may
stand before its name. Where a command takes a file, - is the standard input or output.
`;
}

/** What one command takes. */
export function helpOf(command: Command): string {
  const options = Object.entries(command.options ?? {}).map(([name, option]) => {
    const value = option.type === "string" ? " <text>" : "";
    return [`  --${name}${value}`, command.optionHelp?.[name] ?? ""] as const;
  });
  const settings = command.name === "serve" ? ["", "Settings:", ...settingLines()] : [];
  return `${[
    command.summary,
    "",
    `Usage: docent ${command.name} ${command.usage}`.trimEnd(),
    ...(options.length > 0 ? ["", "Options:", ...inColumns(options)] : []),
    ...settings,
  ].join("\n")}\n`;
}

function inColumns(rows: (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `${left.padEnd(width)}  ${right}`);
}

function settingLines(): string[] {
  const rows = Object.entries<Setting>(SETTINGS).map(([name, setting]) => {
    const fallback =
      Array.isArray(setting.default) || setting.default === "" ? "" : ` (${String(setting.default)})`;
    return [`  ${flagOf(name)}`, `${setting.help}${fallback}`] as const;
  });
  return inColumns(rows);
}
