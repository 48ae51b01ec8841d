import { NOBODY } from "@docent/kernel/text/groups/groups";
import { folderOf, nameOf } from "../../../generators/generators.ts";
import type { FolderRule, Skipped } from "../../../source-reader.ts";
import type { RuleNote, TreeFile } from "../tree-file.ts";
import { type AccessLine, RULE_FILE_BYTES_MAX, readRuleFile } from "./rule-file.ts";

export { RULE_FILE_BYTES_MAX } from "./rule-file.ts";

/** The rules of a tree's folders: whom the pages below them are for. */
export interface AccessRules {
  /** Notes a rule. */
  add(location: string, content: Uint8Array): void;
  /** Notes a rule that cannot be read, with why: nobody may read what is below its folder. */
  refuse(location: string, why: string): void;
  /** Notes that a file is another one by a link: it is for whom both are for. */
  link(location: string, target: string): void;
  /** Whom a file is for; undefined where no rule says it. */
  of(location: string): FolderRule | undefined;
  /** The rules that cannot be used, with why. */
  faults(): { location: string; detail: string }[];
  /** The globs by which nothing that was asked for was decided, by the location of their rule. */
  idle(): { location: string; globs: string[] }[];
  /** All that was noted: who notes it again in this order has the same rules. */
  notes(): readonly RuleNote[];
}

/** The rules of which these are the notes. */
export function rulesFrom(notes: readonly RuleNote[]): AccessRules {
  const rules = createAccessRules();
  for (const note of notes)
    if ("content" in note) rules.add(note.location, note.content);
    else if ("why" in note) rules.refuse(note.location, note.why);
    else rules.link(note.location, note.target);
  return rules;
}

/** More than this are no rules that people keep. */
const RULES_MAX = 10_000;
const GLOBS_OF_TREE_MAX = 50_000;

const NAME = /^_access\.ya?ml$/i;

/** Whether a file is the rule of its folder, and never a page. */
export const isRuleFile = (location: string) => NAME.test(nameOf(location));

interface Rule {
  location: string;
  lines: readonly AccessLine[];
  /** The line that decides of a folder and of all in it that no later line names: its number, or -1. */
  byFolder: Map<string, number>;
  used: Set<number>;
}

export function createAccessRules(): AccessRules {
  const rules = new Map<string, Rule>();
  const refused = new Map<string, { location: string; detail: string }>();
  const links = new Map<string, string>();
  const notes: RuleNote[] = [];
  let globs = 0;

  const refuse = (location: string, why: string) => {
    const folder = folderOf(location).normalize();
    if (!refused.has(folder)) refused.set(folder, { location, detail: why });
  };

  /** The rule of the nearest folder that says something, unless one on the way cannot be read. */
  const ruleOf = (location: string): FolderRule | undefined => {
    const file = location.normalize();
    let found: FolderRule | undefined;
    for (let folder = folderOf(file); ; folder = folderOf(folder)) {
      const unread = refused.get(folder);
      if (unread !== undefined) return { location: unread.location, groups: [NOBODY] };
      const rule = rules.get(folder);
      if (found === undefined && rule !== undefined) found = decide(rule, below(folder, file));
      if (folder === "") return found;
    }
  };

  return {
    notes: () => [...notes, ...[...links].map(([location, target]) => ({ location, target }))],
    refuse(location, why) {
      notes.push({ location, why });
      refuse(location, why);
    },
    add(location, content) {
      notes.push({ location, content });
      const folder = folderOf(location).normalize();
      const other = rules.get(folder)?.location ?? refused.get(folder)?.location;
      const lines = readRuleFile(content);
      globs += "unusable" in lines ? 0 : lines.length;
      if (globs > GLOBS_OF_TREE_MAX)
        refuse(location, `is one too many: all rules have more than ${GLOBS_OF_TREE_MAX} globs`);
      else if (other !== undefined) refuse(location, `stands beside ${nameOf(other)}: keep one of them`);
      else if ("unusable" in lines) refuse(location, lines.unusable);
      else rules.set(folder, { location, lines, byFolder: new Map([["", -1]]), used: new Set() });
    },
    link: (location, target) => void links.set(location, target),
    of(location) {
      const own = ruleOf(location);
      const target = links.get(location);
      const ofTarget = target === undefined ? undefined : ruleOf(target);
      return own === undefined || ofTarget === undefined ? (own ?? ofTarget) : both(own, ofTarget);
    },
    faults: () => [...refused.values()],
    idle: () =>
      [...rules.values()].flatMap(({ location, lines, used }) => {
        const globs = lines.filter((_, index) => !used.has(index)).map(({ written }) => written);
        return globs.length === 0 ? [] : [{ location, globs }];
      }),
  };
}

/** What the last line says that matches a file, or a folder that it is in. */
function decide(rule: Rule, path: string): FolderRule | undefined {
  const byFolder = lineOfFolder(rule, folderOf(path));
  let number = rule.lines.length - 1;
  for (; number > byFolder; number--) {
    const line = rule.lines[number];
    if (line !== undefined && !line.foldersOnly && line.glob.match(path)) break;
  }
  const line = rule.lines[number];
  if (line === undefined) return undefined;
  rule.used.add(number);
  return { location: rule.location, groups: line.groups };
}

function lineOfFolder(rule: Rule, folder: string): number {
  const known = rule.byFolder.get(folder);
  if (known !== undefined) return known;
  const own = rule.lines.findLastIndex(({ glob }) => glob.match(folder));
  const number = Math.max(own, lineOfFolder(rule, folderOf(folder)));
  rule.byFolder.set(folder, number);
  return number;
}

function both(one: FolderRule, other: FolderRule): FolderRule {
  if (one.groups.length === 0) return other;
  if (other.groups.length === 0) return one;
  const groups = one.groups.filter((group) => other.groups.includes(group));
  return { location: one.location, groups: groups.length === 0 ? [NOBODY] : groups };
}

/** The ledger's lines of rules that cannot be used. */
export const ruleFaults = (rules: AccessRules, found: string): Skipped[] =>
  rules.faults().map(({ location, detail }) => ({
    location,
    found,
    reason: "parse_fault",
    detail: `${detail}. Nobody may read what is below its folder until it can be read`,
  }));

const GLOBS_NAMED = 10;

/** The ledger's lines of globs that decide of nothing: one that is mistyped keeps nothing from anybody. */
export const idleGlobs = (rules: AccessRules, found: string): Skipped[] =>
  rules.idle().map(({ location, globs }) => {
    const named = globs.slice(0, GLOBS_NAMED).map((glob) => JSON.stringify(glob));
    const more = globs.length > GLOBS_NAMED ? ` and ${globs.length - GLOBS_NAMED} more` : "";
    return {
      location,
      found,
      reason: "assumed",
      detail: `has globs that decide of no page: ${named.join(", ")}${more}`,
    };
  });

/** Reads the rules among a tree's files. A rule of which `read` raises, or gives nothing, cannot be read. */
export async function readAccessRules<File extends TreeFile>(
  files: readonly File[],
  read: (file: File) => Promise<Uint8Array | undefined>,
): Promise<AccessRules> {
  const rules = createAccessRules();
  for (const [index, file] of files.entries())
    if (index < RULES_MAX) await readRule(rules, file, () => read(file));
    else rules.refuse(file.location, `is one too many: there are more than ${RULES_MAX}`);
  return rules;
}

/** Reads one rule. */
export async function readRule(
  rules: AccessRules,
  { location, sizeBytes }: TreeFile,
  read: () => Promise<Uint8Array | undefined>,
): Promise<void> {
  if (sizeBytes > RULE_FILE_BYTES_MAX)
    return rules.refuse(location, `is larger than ${RULE_FILE_BYTES_MAX} bytes`);
  try {
    const content = await read();
    if (content === undefined) rules.refuse(location, "cannot be read");
    else rules.add(location, content);
  } catch (error) {
    rules.refuse(location, `cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

const below = (folder: string, location: string) =>
  folder === "" ? location : location.slice(folder.length + 1);
