import { asRecord, asText } from "@docent/kernel/text/json";
import type { DocsTree } from "../docs-tree.ts";
import {
  createPythonSources,
  type FoundObject,
  type PythonFile,
  type PythonObject,
  type PythonSources,
  plainDocstring,
  readSignature,
  usualFolders,
} from "../python-api/python-api.ts";
import { endOfBlock, indented, OPTION } from "./directive-lines.ts";

/** How a site has its programs described. */
export interface AutodocSettings {
  sources: PythonSources;
  /** Options that every directive has. */
  defaults: ReadonlyMap<string, string>;
  order: "alphabetical" | "bysource" | "groupwise";
  /** Which words describe a class: its own, those of its constructor, or both. */
  classWords: "class" | "init" | "both";
  /** Whether docstrings have sections as Google and NumPy write them. */
  hasSections: boolean;
}

/** What a configuration says of how programs are described. */
export function autodocSettings(
  tree: DocsTree,
  root: string,
  { config, extensions }: { config: Readonly<Record<string, unknown>>; extensions: ReadonlySet<string> },
): AutodocSettings {
  const order = config["autodoc_member_order"];
  const words = config["autoclass_content"];
  const defaults = Object.entries(asRecord(config["autodoc_default_options"]));
  return {
    sources: createPythonSources(tree, usualFolders(root)),
    defaults: new Map(
      defaults.flatMap(([name, value]): [string, string][] =>
        value === false || value === null ? [] : [[name, asText(value) ?? ""]],
      ),
    ),
    order: order === "bysource" || order === "groupwise" ? order : "alphabetical",
    classWords: words === "init" || words === "both" ? words : "class",
    // Where a program names the extensions, they are not known: docstrings with sections are shown as such.
    hasSections: extensions.size === 0 || extensions.has("sphinx.ext.napoleon") || extensions.has("numpydoc"),
  };
}

const DIRECTIVE =
  /^([ \t]*(?:(?:[*+-]|\d{1,3}[.)])[ \t]+)?)\.\. (?:py:)?auto(module|class|exception|function|method|attribute|data|decorator|property)::[ \t]*(\S.*?)(?<![ \t])[ \t]*$/;
const MODULE = /^[ \t]*\.\. (?:py:)?(?:currentmodule|module)::[ \t]*(\S+)/;
const OBJECTS_MAX = 3_000;
const DEEP_MAX = 5;

interface Expansion {
  settings: AutodocSettings;
  faults: Set<string>;
  module: string;
  count: number;
  /** Modules that are being described: words of one may ask for it again. */
  open: Set<string>;
}

/** Describes programs on one page, part by part: the module that is named in one part holds for those after it. */
interface Autodoc {
  /** Puts what programs say of themselves into the places where reStructuredText asks for it. */
  expand(text: string): Promise<string>;
  enterModule(name: string): void;
}

export function createAutodoc(settings: AutodocSettings, faults: Set<string>): Autodoc {
  const expansion: Expansion = { settings, faults, module: "", count: 0, open: new Set() };
  return {
    expand: (text) => expandLines(text.split("\n"), expansion, ""),
    enterModule(name) {
      expansion.module = name;
    },
  };
}

/** Whether a text may ask for what programs say of themselves. */
export const asksForPrograms = (text: string) => /(?:\.\. |\{)(?:py:)?auto/.test(text);

/** The module that lines name last; undefined where they name none. */
export const lastModuleIn = (lines: readonly string[]) =>
  lines.flatMap((line) => MODULE.exec(line)?.[1] ?? []).at(-1);

async function expandLines(lines: readonly string[], expansion: Expansion, owner: string): Promise<string> {
  const out: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    expansion.module = MODULE.exec(line)?.[1] ?? expansion.module;
    const [, lead = "", kind, argument = ""] = DIRECTIVE.exec(line) ?? [];
    if (kind === undefined) {
      out.push(line);
      continue;
    }
    const end = endOfBlock(lines, at + 1, lead.length);
    const { options, content } = readBlock(lines.slice(at + 1, end), expansion.settings.defaults);
    const described =
      kind === "module"
        ? await describeModule(argument, options, expansion)
        : await describeNamed({ kind, argument, owner, options }, expansion);
    if (described === undefined) {
      expansion.faults.add(`${argument}, which it describes, is no program of this source`);
      out.push(...lines.slice(at, end));
    } else {
      const body = await expandLines(content, expansion, described.name);
      const [first = "", ...rest] = [...described.head, "", ...inside(described, body), ...described.members];
      // The sign of a list may stand in front.
      out.push(lead + first, ...indented(rest, " ".repeat(lead.length)), "");
    }
    at = end - 1;
  }
  return out.join("\n");
}

interface Described {
  name: string;
  head: string[];
  /** Whether what follows stands inside of the description. */
  isNested: boolean;
  members: string[];
}

const inside = ({ isNested }: Described, body: string): string[] =>
  isNested ? indented(body.split("\n"), "   ") : body.split("\n");

async function describeModule(
  name: string,
  options: ReadonlyMap<string, string>,
  expansion: Expansion,
): Promise<Described | undefined> {
  const file = await expansion.settings.sources.module(name);
  if (file === undefined || expansion.open.has(name)) return undefined;
  expansion.module = name;
  expansion.open.add(name);
  const words = await expandLines(docLines(file.doc, expansion), expansion, "");
  expansion.open.delete(name);
  const head = [`.. py:module:: ${name}`, ...unindexed(options), "", ...words.split("\n")];
  const members = asksForMembers(options) ? await membersOf(name, file, options, expansion) : [];
  return { name: "", head, isNested: false, members };
}

async function membersOf(
  module: string,
  { exported, members }: PythonFile,
  options: ReadonlyMap<string, string>,
  expansion: Expansion,
): Promise<string[]> {
  const found = new Map<PythonObject, FoundObject>();
  for (const name of exported ?? members.map((member) => member.name)) {
    const whole = await expansion.settings.sources.find(`${module}.${name}`);
    if (whole !== undefined) found.set(whole.object, whole);
  }
  const lines: string[] = [];
  for (const member of chosenMembers([...found.keys()], options, expansion)) {
    const whole = found.get(member);
    if (whole !== undefined)
      lines.push(...(await describe(whole, `${module}.${member.name}`, options, expansion, 0)), "");
  }
  return lines;
}

async function describeNamed(
  {
    kind,
    argument,
    owner,
    options,
  }: { kind: string; argument: string; owner: string; options: Map<string, string> },
  expansion: Expansion,
): Promise<Described | undefined> {
  const [, written = "", signature = ""] = /^([\w.:]+)\s*(\(.*)?$/.exec(argument) ?? [];
  const plain = written.replace("::", ".");
  const names = [
    ...(owner === "" ? [] : [`${owner}.${plain}`]),
    ...(expansion.module === "" ? [] : [`${expansion.module}.${plain}`]),
    plain,
  ];
  for (const name of names) {
    const found = await expansion.settings.sources.find(name);
    if (found === undefined) continue;
    const given = signature === "" ? found : { ...found, object: { ...found.object, signature } };
    const lines = await describe(given, name, options, expansion, 0, kind);
    return { name, head: lines, isNested: true, members: [] };
  }
  return undefined;
}

/** A description as one of Sphinx's own directives, with those of its members inside. */
async function describe(
  found: FoundObject,
  name: string,
  options: ReadonlyMap<string, string>,
  expansion: Expansion,
  depth: number,
  kind?: string,
): Promise<string[]> {
  const { object } = found;
  const { sources, classWords } = expansion.settings;
  if (++expansion.count > OBJECTS_MAX) return [];
  const isClass = object.kind === "class";
  const all = isClass ? await sources.membersOf(found) : [];
  const init = all.find((each) => each.name === "__init__");
  const words = [
    ...(isClass && classWords === "init" ? [] : [object.doc]),
    ...(isClass && classWords !== "class" ? [init?.doc ?? ""] : []),
  ];
  const { shown, parameters } = readSignature(isClass ? callOf(init) : object.signature);
  const own = object.kind === "property" || object.kind === "data" ? "" : shown;
  const said = parameters
    .filter(({ doc }) => doc !== "")
    .map(({ name: each, doc }) => `:param ${each}: ${doc.replace(/\s+/g, " ")}`);
  const inner = [...docLines(words.filter(Boolean).join("\n\n"), expansion), "", ...said, ""];
  if (isClass && asksForMembers(options) && depth < DEEP_MAX) {
    const names = new Set(object.members.map((each) => each.name));
    const candidates = options.has("inherited-members") ? all : all.filter((each) => names.has(each.name));
    for (const member of chosenMembers(candidates, options, expansion))
      inner.push(
        ...(await describe(
          { object: member, module: found.module },
          `${name}.${member.name}`,
          options,
          expansion,
          depth + 1,
          memberKind(member),
        )),
        "",
      );
  }
  return [
    `.. py:${kind ?? directiveOf(object, false)}:: ${object.isAsync ? "async " : ""}${name}${own}`,
    // Its name is whole, whatever module the page is in.
    "   :module: None",
    ...unindexed(options),
    "",
    ...indented(inner, "   "),
  ];
}

const asksForMembers = (options: ReadonlyMap<string, string>) =>
  options.has("members") || options.has("inherited-members");

const unindexed = (options: ReadonlyMap<string, string>) =>
  options.has("no-index") || options.has("noindex") ? ["   :no-index:"] : [];

const callOf = (init: PythonObject | undefined) => init?.signature.replace(/(?<!\s)\s*->.*$/s, "") ?? "";

function memberKind(member: PythonObject): string {
  const bound = member.kind === "function" ? member.binding : undefined;
  return bound === undefined ? directiveOf(member, true) : `${bound}method`;
}

/** What Sphinx calls it, by itself or as a part of a class. */
export function directiveOf({ kind }: PythonObject, isOfClass: boolean): string {
  if (kind === "function") return isOfClass ? "method" : "function";
  if (kind === "data") return isOfClass ? "attribute" : "data";
  return kind;
}

/** What a docstring says of whether others may use what it describes. */
const META = /^[ \t]*:meta (private|public):/m;

/** The members that a directive asks for: without others, those that are public and say something of themselves. */
function chosenMembers(
  members: readonly PythonObject[],
  options: ReadonlyMap<string, string>,
  { settings }: Expansion,
): PythonObject[] {
  const listed = (name: string) => new Set((options.get(name) ?? "").split(/[\s,]+/).filter(Boolean));
  const [wanted, unwanted, special, hidden] = [
    "members",
    "exclude-members",
    "special-members",
    "private-members",
  ].map(listed);
  const allAreWanted = (name: string) =>
    /^__.*__$/.test(name)
      ? options.has("special-members") && special?.size === 0
      : options.has("private-members") && hidden?.size === 0;
  const isShown = ({ name, doc }: PythonObject) => {
    if (unwanted?.has(name)) return false;
    const isListed = [wanted, special, hidden].some((names) => names?.has(name));
    if (!isListed && wanted !== undefined && wanted.size > 0) return false;
    const said = META.exec(doc)?.[1];
    const isHidden = said === undefined ? name.startsWith("_") : said === "private";
    if (!isListed && isHidden && !allAreWanted(name)) return false;
    return doc !== "" || options.has("undoc-members");
  };
  const shown = members.filter(isShown);
  const order = options.get("member-order") || settings.order;
  if (order === "bysource") return shown;
  const group = ({ kind }: PythonObject) =>
    order === "groupwise" ? ["class", "function", "property", "data"].indexOf(kind) : 0;
  return shown.sort((a, b) => group(a) - group(b) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

const docLines = (doc: string, { settings }: Expansion): string[] =>
  (settings.hasSections ? plainDocstring(doc, "``") : doc).split("\n");

function readBlock(
  lines: readonly string[],
  defaults: ReadonlyMap<string, string>,
): { options: Map<string, string>; content: string[] } {
  const own = new Map<string, string>();
  let at = 0;
  let last: string | undefined;
  for (; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const [, name, value = ""] = OPTION.exec(line) ?? [];
    const isMore = name === undefined && last !== undefined && line.trim() !== "";
    if (name === undefined && !isMore) break;
    last = name ?? last ?? "";
    own.set(last, isMore ? `${own.get(last) ?? ""} ${line.trim()}` : value);
  }
  const options = new Map([...defaults, ...own]);
  for (const name of own.keys()) if (name.startsWith("no-")) options.delete(name.slice(3));
  const rest = lines.slice(at);
  const indents = rest.filter((line) => line.trim() !== "").map((line) => line.search(/\S/));
  const common = indents.reduce((least, each) => Math.min(least, each), 200);
  return { options, content: rest.map((line) => line.slice(common)) };
}
