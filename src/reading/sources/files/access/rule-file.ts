import { NOBODY, readGroups } from "@docent/kernel/text/groups/groups";
import { isRecord } from "@docent/kernel/text/json";
import { foldersNamed, pathGlob } from "../path-glob.ts";

/** More than this is no rule. */
export const RULE_FILE_BYTES_MAX = 100_000;
const GLOBS_MAX = 1_000;
const GLOB_CHARACTERS_MAX = 300;

/** One line of a rule: whom what matches is for. */
export interface AccessLine {
  /** As it is written. */
  written: string;
  glob: Bun.Glob;
  foldersOnly: boolean;
  /** None: everyone. */
  groups: readonly string[];
}

/** Why a rule cannot be used; completes "<location> …". */
interface Unusable {
  unusable: string;
}

/**
 * Reads a rule: a map of globs to groups, in the order in which it is written. Whatever it does not understand makes all
 * of it unusable: a line that was left out might be the one that keeps a page from somebody.
 */
export function readRuleFile(content: Uint8Array): AccessLine[] | Unusable {
  if (content.length > RULE_FILE_BYTES_MAX) return unusable(`is larger than ${RULE_FILE_BYTES_MAX} bytes`);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    return unusable("is not UTF-8");
  }
  const said = parse(text);
  if (typeof said === "string") return unusable(said);
  const globs = globsInOrder(text);
  if (globs.length > GLOBS_MAX) return unusable(`has more than ${GLOBS_MAX} globs`);
  const twice = globs.find((glob, index) => globs.indexOf(glob) !== index);
  if (twice !== undefined) return unusable(`names ${JSON.stringify(twice)} twice`);
  const names = Object.keys(said);
  if (names.length === 0) return unusable("names no glob");
  if (names.length !== globs.length || !globs.every((glob) => Object.hasOwn(said, glob)))
    return unusable('is not written with each glob on a line of its own, as in "hr/**": [hr]');
  const lines: AccessLine[] = [];
  for (const written of globs) {
    const line = readLine(written, said[written]);
    if (typeof line === "string") return unusable(`${line}: ${JSON.stringify(written).slice(0, 200)}`);
    lines.push(line);
  }
  return lines;
}

const unusable = (why: string): Unusable => ({ unusable: why });

function parse(text: string): Record<string, unknown> | string {
  let value: unknown;
  try {
    value = Bun.YAML.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `is not valid YAML, in which globs stand in quotes: ${why}`;
  }
  if (value === null || value === undefined) return "names no glob";
  return isRecord(value) ? value : "is not a map of globs to groups";
}

/** A line that begins with a key: what is no key of these forms is not counted, and the rule not used. */
const KEY = /^(?:"([^"\\]*)"|'([^']*)'|([^\s"'#?:,[\]{}&*!|>%@`-][^#]*?))[ \t]*:(?:[ \t]|$)/;

/**
 * The globs of a rule in the order in which they are written. What YAML makes of them would tell neither their order,
 * where one is a number, nor that one stands there twice.
 */
const globsInOrder = (text: string): string[] =>
  text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .flatMap((line) => {
      const [, double, single, plain] = KEY.exec(line) ?? [];
      return double ?? single ?? plain ?? [];
    });

function readLine(written: string, value: unknown): AccessLine | string {
  const fault = whyNoGlob(written);
  if (fault !== undefined) return fault;
  const groups = groupsOf(value);
  if (typeof groups === "string") return groups;
  const { name, foldersOnly } = foldersNamed(written.normalize());
  return { written, glob: pathGlob(name), foldersOnly, groups };
}

/** Words that stand in the place of groups. A provider may have a group "Everyone", which is not everyone. */
const WORDS: Readonly<Record<string, readonly string[]>> = { everyone: [], nobody: [NOBODY] };

const isWord = (text: string) => Object.hasOwn(WORDS, text.trim());

function groupsOf(value: unknown): readonly string[] | string {
  if (typeof value === "string" && isWord(value)) return WORDS[value.trim()] ?? [NOBODY];
  const { groups, fault } = readGroups(value);
  if (fault !== undefined) return `has groups of which one ${fault}`;
  if (groups.length === 0) return "has no groups, where everyone or nobody could stand as well";
  if (groups.some(isWord)) return "has everyone or nobody among other groups, and each stands alone";
  return groups;
}

/** `?(…)` and the like, which some shells know. */
const ONE_OF = /[?*+@!]\(/;

/** What cannot match, or could be meant in another way than it is read. */
function whyNoGlob(written: string): string | undefined {
  if (written.length > GLOB_CHARACTERS_MAX)
    return `has a glob of more than ${GLOB_CHARACTERS_MAX} characters`;
  if (written.trim() !== written || /\p{Cc}/u.test(written)) return "has a glob with spaces around it";
  if (written.startsWith("!")) return "has a glob that begins with an exclamation mark";
  if (written.includes("\\")) return "has a glob with a backslash: folders are parted by slashes";
  if (/[{}]/.test(written) || ONE_OF.test(written))
    return "has a glob with braces or brackets that give a choice: write a line for each";
  if (!areClosed(written)) return "has a glob with a square bracket that is not closed";
  const names = written.replace(/^\/|\/$/g, "").split("/");
  if (names.includes("")) return "has a glob without a name, or with two slashes side by side";
  if (names.some((name) => name === "." || name === "..")) return "has a glob with . or .. as a folder";
  return undefined;
}

/** Whether each square bracket begins or ends a set of characters. */
function areClosed(written: string): boolean {
  const rest = written.replace(/\[[!^]?\]?[^\][/]*\]/g, "");
  return !/[[\]]/.test(rest);
}
