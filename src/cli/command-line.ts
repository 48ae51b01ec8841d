import { parseArgs } from "node:util";
import type { Setting } from "@docent/kernel/config/setting";
import { SETTINGS, settingNames } from "@docent/kernel/config/settings";
import { AppError } from "@docent/kernel/errors";
import type { Context, Listed, NamedCommand } from "./command.ts";
import { nearNames } from "./near-names.ts";

/** The options that every command takes, besides the settings. */
export const COMMON_OPTIONS = {
  json: { type: "boolean" },
  debug: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

/** What a command line asks for. */
export type CommandLine =
  | { asks: "version" }
  /** About the program. */
  | { asks: "first help" }
  /** About these commands. */
  | { asks: "help"; about: readonly Listed[] }
  | { asks: "run"; command: NamedCommand; options: Context["options"]; words: string[] };

/**
 * Reads a command line. Settings and common options may also stand before the command's name. Only the command that it
 * names is loaded.
 */
export async function readCommandLine(
  line: readonly string[],
  listed: readonly Listed[],
  load: (listed: Listed) => Promise<NamedCommand>,
): Promise<CommandLine> {
  const given = withSwitches(line);
  const { name, before, behind } = findName(
    given,
    listed.map((each) => each.name),
  );
  const found = listed.find((each) => each.name === name.join(" "));
  const asksHelp = before.some((flag) => flag === "--help" || flag === "-h");
  const [first = "", second] = name;
  if (before.some(isVersionFlag)) return { asks: "version" };
  if (first === "") return { asks: "first help" };
  if (first === "help") return aboutNamed(behind, listed);
  if (!found) {
    const group = listed.filter((each) => each.name.startsWith(`${first} `));
    if (group.length > 0 && second === undefined && asksHelp) return { asks: "help", about: group };
    throw unknownCommand(name, behind, { listed, group });
  }
  const command = await load(found);
  const { values, positionals } = parse(command, [...before, ...behind]);
  if (values["help"] === true) return { asks: "help", about: [found] };
  checkWords(command, positionals);
  return { asks: "run", command, options: values, words: positionals };
}

const isVersionFlag = (flag: string) => flag === "--version" || flag === "-v";

export function settingFlags(options: Context["options"]): Record<string, string> {
  const flags: Record<string, string> = {};
  for (const name of settingNames()) {
    const value = options[flagName(name)];
    if (typeof value === "string") flags[name] = value;
  }
  return flags;
}

/** The flags of settings that are on or off. */
function switches(): Set<string> {
  const isSwitch = (setting: Setting) =>
    setting.kind === "choice" && setting.choices.toSorted().join() === "off,on";
  return new Set(
    settingNames()
      .filter((name) => isSwitch(SETTINGS[name]))
      .map((name) => `--${flagName(name)}`),
  );
}

/** The same line with `=on` behind each switch that stands alone: `--sealed serve` is `--sealed=on serve`. */
function withSwitches(line: readonly string[]): string[] {
  const end = line.indexOf("--");
  const flags = switches();
  return line.map((token, at) => {
    const isAlone = flags.has(token) && !["on", "off"].includes(line[at + 1] ?? "");
    return isAlone && (end < 0 || at < end) ? `${token}=on` : token;
  });
}

const flagName = (setting: string) => setting.replaceAll("_", "-");

interface Found {
  /** The words of the command's name that were found. */
  name: string[];
  /** The flags before or inside the name. */
  before: string[];
  behind: string[];
}

function findName(given: readonly string[], commands: readonly string[]): Found {
  const settings = new Set(settingNames().map((name) => `--${flagName(name)}`));
  const name: string[] = [];
  const before: string[] = [];
  for (let at = 0; at < given.length; at++) {
    const token = given[at] ?? "";
    if (token.startsWith("-") && token.length > 1) {
      before.push(token);
      if (settings.has(token)) before.push(...given.slice(++at, at + 1));
      else checkCommon(token, settings);
      continue;
    }
    const [first] = name;
    // As backup is, which verify makes another command of, and any other word is a file of.
    const isWord = first !== undefined && commands.includes(first) && !commands.includes(`${first} ${token}`);
    if (isWord) return { name, before, behind: given.slice(at) };
    name.push(token);
    const isGroup = name.length === 1 && commands.some((each) => each.startsWith(`${token} `));
    if (!isGroup) return { name, before, behind: given.slice(at + 1) };
  }
  return { name, before, behind: [] };
}

/** Refuses a flag that only some commands take: it cannot be parsed before the command is known. */
function checkCommon(token: string, settings: ReadonlySet<string>): void {
  const [flag = ""] = token.split("=");
  if (settings.has(flag) || ["--version", "-v", "-h"].includes(flag) || flag.slice(2) in COMMON_OPTIONS)
    return;
  throw new AppError(
    "invalid_request",
    `${flag} stands before a command's name, and not every command takes it.`,
    { hint: "Put it behind: docent <command> [options]. docent --help lists the commands." },
  );
}

function aboutNamed(words: string[], commands: readonly Listed[]): CommandLine {
  const asked = words.filter((word) => !word.startsWith("-")).join(" ");
  if (asked === "") return { asks: "first help" };
  if (asked === "all") return { asks: "help", about: commands };
  const about = commands.filter(({ name }) => name === asked || name.startsWith(`${asked} `));
  if (about.length === 0) throw unknownCommand([asked], [], { listed: commands, group: [] });
  return { asks: "help", about };
}

function parse(command: NamedCommand, given: string[]) {
  const settings = Object.fromEntries(
    settingNames().map((name) => [flagName(name), { type: "string" } as const]),
  );
  const options = { ...settings, ...command.options, ...COMMON_OPTIONS };
  try {
    return parseArgs({ args: given, allowPositionals: true, strict: true, options });
  } catch (cause) {
    const reason = cause instanceof Error ? (cause.message.split(". ")[0] ?? "") : String(cause);
    const [, unknown] = /^Unknown option '--([^']+)'/.exec(reason) ?? [];
    const near = unknown === undefined ? [] : nearNames(unknown, Object.keys(options));
    throw new AppError(
      "invalid_request",
      unknown === undefined ? `${reason}.` : `${command.name} has no option --${unknown}.`,
      { hint: didYouMean(near.map((name) => `--${name}`)) ?? `docent ${command.name} --help`, cause },
    );
  }
}

function checkWords({ name, usage, words: [least, most] }: NamedCommand, given: string[]): void {
  if (given.length >= least && given.length <= most) return;
  const wanted = usage.match(/<[^>]+>/g) ?? [];
  const missing = wanted.slice(given.length, least).join(" and ");
  const problem =
    given.length < least
      ? `${name} needs ${missing || "another word"}`
      : `There is too much: ${given.slice(most).join(" ")}`;
  throw new AppError("invalid_request", `${problem}.`, { hint: `docent ${name} ${usage}` });
}

interface Known {
  listed: readonly Listed[];
  /** The commands that begin with the same word. */
  group: readonly Listed[];
}

function unknownCommand(
  name: readonly string[],
  behind: readonly string[],
  { listed, group }: Known,
): AppError {
  const all = listed.map((each) => each.name);
  const two = [...name, ...behind.filter((word) => !word.startsWith("-"))].slice(0, 2).join(" ");
  const one = name.join(" ");
  const [typed, near] = [two, one]
    .map((words) => [words, nearNames(words, all)] as const)
    .find(([, names]) => names.length > 0) ?? [one, group.map((command) => command.name)];
  return new AppError("invalid_request", `There is no command ${typed}.`, {
    hint: didYouMean(near) ?? groupNear(name, all),
  });
}

/** What begins with a word that is near to the first one. */
function groupNear([first = ""]: readonly string[], all: readonly string[]): string {
  const [group] = nearNames(
    first,
    all.filter((name) => name.includes(" ")).map((name) => name.split(" ")[0] ?? ""),
  );
  const meant = group === undefined ? [] : all.filter((name) => name.startsWith(`${group} `));
  return didYouMean(meant) ?? "docent --help lists the commands.";
}

const didYouMean = (names: readonly string[]): string | undefined =>
  names.length === 0 ? undefined : `Did you mean ${names.join(", ")}?`;
