import { asList, asNumber, asRecord, asText } from "@docent/kernel/text/json";
import { type FenceOpening, fenceBehind } from "@docent/kernel/text/markdown-lines";
import { placeMark } from "../../../markdown/anchors.ts";
import {
  type FoundObject,
  type PythonObject,
  type PythonSources,
  plainDocstring,
  readSignature,
} from "../../python-api/python-api.ts";
import type { MkDocsSettings } from "../settings.ts";

/** A heading's signs may stand in front. */
const DIRECTIVE = /^([ \t]*)(#{1,6} +)?::: +([\w.:-]{1,300})[ \t]*$/;
const OBJECTS_MAX = 3_000;
const DEEP_MAX = 5;
const LEVEL_MAX = 6;

/** A page with what programs say of themselves in it. */
interface DescribedPage {
  markdown: string;
  /** The names that it describes, each of which is an id on it. */
  names: string[];
  /** The names under which objects are described, by the names under which modules define the same objects. */
  aliases: ReadonlyMap<string, string>;
}

type Options = Readonly<Record<string, unknown>>;

interface Description {
  sources: PythonSources;
  slugify: (words: string) => string;
  names: string[];
  aliases: Map<string, string>;
  faults: Set<string>;
}

/**
 * Puts what a program says of itself into the place of `::: package.name`. What is indented below are options. Of one
 * that is not in this source its name is all that is known.
 */
export async function describePrograms(
  markdown: string,
  { plugins, programs }: MkDocsSettings,
  { slugify, faults }: Pick<Description, "slugify" | "faults">,
): Promise<DescribedPage> {
  if (programs === undefined || !markdown.includes(":::")) return { markdown, names: [], aliases: new Map() };
  const usual = asRecord(asRecord(asRecord(plugins.get("mkdocstrings")?.["handlers"])["python"])["options"]);
  const description: Description = { sources: programs, slugify, names: [], aliases: new Map(), faults };
  const lines = markdown.split("\n");
  const out: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const [whole, indent = "", signs, name = ""] = DIRECTIVE.exec(line) ?? [];
    if (whole === undefined) {
      out.push(line);
      continue;
    }
    const own: string[] = [];
    for (const inside = new RegExp(`^${indent}[ \\t]{2,}\\S`); inside.test(lines[at + 1] ?? ""); at++)
      own.push(lines[at + 1] ?? "");
    const asHeading =
      signs === undefined ? {} : { show_root_heading: true, heading_level: signs.trim().length };
    const options = { ...usual, ...optionsIn(own), ...asHeading };
    const written = await describeNamed(name, options, description);
    out.push("", ...written.map((each) => (each === "" ? "" : indent + each)), "");
  }
  const { names, aliases } = description;
  return { markdown: out.join("\n"), names, aliases };
}

function optionsIn(lines: readonly string[]): Options {
  // The extension `mkautodoc` has fields, and shows the members that are listed.
  if (/^\s*:\w+:/.test(lines[0] ?? "")) {
    const members = /^\s*:members:(.*)$/m.exec(lines.join("\n"))?.[1];
    return { members: members?.trim().split(/\s+/).filter(Boolean) ?? false };
  }
  try {
    const value = asRecord(Bun.YAML.parse(lines.join("\n")));
    return asRecord(value["options"]);
  } catch {
    return {};
  }
}

async function describeNamed(name: string, options: Options, description: Description): Promise<string[]> {
  const { sources, names, faults } = description;
  const level = asNumber(options["heading_level"]) ?? 2;
  const showsRoot = options["show_root_heading"] === true;
  const module = await sources.module(name);
  const found =
    module === undefined
      ? await sources.find(name)
      : moduleAsObject(name, {
          ...module,
          members: await withImported(name, module.members, options, sources),
        });
  if (found === undefined) {
    names.push(name);
    faults.add(`${name}, which it describes, is no program of this source`);
    return [showsRoot ? heading(level, name, name) : `${placeMark(name)}\`${name}\``];
  }
  const shown = options["show_root_full_path"] === false ? found.object.name : name;
  const defined = module === undefined ? `${found.module}.${found.object.name}` : name;
  const place = { name, defined, shown, level, depth: 0, hasHeading: showsRoot };
  return describe(found, place, options, description);
}

/** What a module imports is described where it is listed. */
async function withImported(
  name: string,
  members: readonly PythonObject[],
  { members: listed }: Options,
  sources: PythonSources,
): Promise<PythonObject[]> {
  const names = Array.isArray(listed) ? listed.flatMap((each) => asText(each) ?? []) : [];
  const missing = names.filter((each) => !members.some((member) => member.name === each));
  const found = await Promise.all(missing.map((each) => sources.find(`${name}.${each}`)));
  return [...members, ...found.flatMap((each) => each?.object ?? [])];
}

/** A module is described like a class that is not called. */
const moduleAsObject = (
  name: string,
  { doc, members }: { doc: string; members: PythonObject[] },
): FoundObject => ({
  module: name,
  object: { kind: "class", name, signature: "", binding: undefined, isAsync: false, doc, bases: [], members },
});

interface Place {
  /** Its whole name, which is its id. */
  name: string;
  /** The name by which its module defines it. */
  defined: string;
  /** What it is called in its heading. */
  shown: string;
  level: number;
  depth: number;
  hasHeading: boolean;
}

const heading = (level: number, words: string, id: string) =>
  `${"#".repeat(Math.min(level, LEVEL_MAX))} \`${words}\` {#${id}}`;

async function describe(
  found: FoundObject,
  { name, defined, shown, level, depth, hasHeading }: Place,
  options: Options,
  description: Description,
): Promise<string[]> {
  const { object } = found;
  const { names, aliases, sources } = description;
  if (names.length > OBJECTS_MAX) return [];
  names.push(name);
  if (defined !== name) aliases.set(defined, name);
  const all = object.kind === "class" ? await sources.membersOf(found) : [];
  const init = all.find((each) => each.name === "__init__");
  const merges = options["merge_init_into_class"] === true;
  const call = object.kind === "class" ? (merges ? init?.signature : undefined) : object.signature;
  const { shown: signature, parameters } = readSignature(call ?? "");
  const isCalled = object.kind === "function" || (object.kind === "class" && signature !== "");
  const words = [object.doc, merges && object.kind === "class" ? (init?.doc ?? "") : ""].filter(Boolean);
  const said = parameters.filter(({ doc }) => doc !== "");
  const style = asText(options["docstring_style"]);
  const out = [
    ...(hasHeading ? [heading(level, shown, name), ""] : [placeMark(name), ""]),
    ...(isCalled
      ? ["```python", `${object.isAsync ? "async " : ""}${object.name}${signature}`, "```", ""]
      : []),
    ...withHeadings(docstring(words.join("\n\n"), style), { name, level }, description).split("\n"),
    ...(said.length === 0 ? [] : ["", "**Parameters**", ""]),
    ...said.flatMap((each) => listItem(`\`${each.name}\` – ${each.doc}`)),
    "",
  ];
  if (depth >= DEEP_MAX) return out;
  const own = new Map(object.members.map((each) => [each.name, each]));
  const inherits = options["inherited_members"] === true;
  // One that says nothing of itself is not described with the words of the one that it replaces.
  const candidates = all
    .filter((each) => inherits || own.has(each.name))
    .map((each) => own.get(each.name) ?? each);
  const isMerged = ({ name: each }: PythonObject) => merges && each === "__init__";
  for (const member of chosen(candidates, depth === 0 ? options : { ...options, members: undefined }))
    if (!isMerged(member)) {
      const place = {
        name: `${name}.${member.name}`,
        defined: `${defined}.${member.name}`,
        shown: member.name,
        level: level + (hasHeading ? 1 : 0),
        depth: depth + 1,
        hasHeading: true,
      };
      out.push(...(await describe({ ...found, object: member }, place, options, description)));
    }
  return out;
}

const listItem = (text: string) =>
  text.split("\n").map((line, index) => (index === 0 ? `- ${line}` : line === "" ? "" : `  ${line}`));

/** The members that are shown: those that are listed, or else those that no filter takes out and that are documented. */
function chosen(members: readonly PythonObject[], options: Options): PythonObject[] {
  const { members: wanted } = options;
  if (wanted === false) return [];
  const listed = Array.isArray(wanted) ? new Set(wanted) : undefined;
  const filters = wanted === true ? [] : filtersOf(options["filters"]);
  const isShown = ({ name, doc, members: inner }: PythonObject) => {
    if (listed !== undefined) return listed.has(name);
    if (!passes(name, filters)) return false;
    return doc !== "" || inner.some((each) => each.doc !== "") || options["show_if_no_docstring"] === true;
  };
  const groups = ["data property", "class", "function"];
  const groupOf = ({ kind }: PythonObject) =>
    options["group_by_category"] === false ? 0 : groups.findIndex((kinds) => kinds.includes(kind));
  const isSorted = options["members_order"] !== "source";
  return members
    .filter(isShown)
    .sort((a, b) => groupOf(a) - groupOf(b) || (isSorted ? (a.name < b.name ? -1 : 1) : 0));
}

/** The last filter that knows a name decides. One that none knows is shown, unless all filters say what to show. */
function passes(name: string, filters: readonly Filter[]): boolean {
  const last = filters.findLast(({ pattern }) => pattern(name));
  if (last !== undefined) return !last.takesOut;
  return filters.length === 0 || filters.some(({ takesOut }) => takesOut);
}

interface Filter {
  pattern(name: string): boolean;
  takesOut: boolean;
}

/** How names are taken out that begin with one low line, as is usual. Other patterns are read where they are plain. */
function filtersOf(given: unknown): Filter[] {
  const written = given === undefined ? ["!^_[^_]"] : asList(given).flatMap((each) => asText(each) ?? []);
  return written.map((each) => {
    const takesOut = each.startsWith("!");
    const rule = takesOut ? each.slice(1) : each;
    if (rule === "^_[^_]") return { takesOut, pattern: (name) => /^_[^_]/.test(name) };
    const plain = /^(\^?)(\w+)(\$?)$/.exec(rule);
    if (plain === null) return { takesOut, pattern: () => false };
    const [, start, words = "", end] = plain;
    return {
      takesOut,
      pattern: (name) =>
        start && end
          ? name === words
          : start
            ? name.startsWith(words)
            : end
              ? name.endsWith(words)
              : name.includes(words),
    };
  });
}

/** A docstring is Markdown with Google's sections, unless the site says otherwise. */
function docstring(doc: string, style: string | undefined): string {
  if (style !== "sphinx") return plainDocstring(doc, "`");
  return doc.replace(
    /^:(?:param|arg|raises?|returns?|keyword|ivar|var)(?:[ \t]+([^:\n]{1,200}))?:[ \t]*/gm,
    (_, name?: string) => (name === undefined ? "- " : `- \`${name.trim().split(/\s+/).at(-1)}\` – `),
  );
}

/** Headings inside of a docstring are below that of what it documents, and have its name in front of their ids. */
function withHeadings(
  text: string,
  { name, level }: { name: string; level: number },
  { slugify, names }: Description,
): string {
  let fence: FenceOpening | undefined;
  return text
    .split("\n")
    .map((line) => {
      fence = fenceBehind(line, fence);
      const [, signs, words = ""] =
        fence === undefined
          ? (/^(#{1,6})[ \t]+(.|.+?(?<![ \t]))(?:[ \t]+#*|(?<!#)#+)?$/.exec(line) ?? [])
          : [];
      if (signs === undefined) return line;
      const id = `${name}--${slugify(words.replace(/[`*_]/g, ""))}`;
      names.push(id);
      return `${"#".repeat(Math.min(signs.length + level, LEVEL_MAX))} ${words} {#${id}}`;
    })
    .join("\n");
}
