import { replaceEnclosed } from "@docent/kernel/text/code-spans";
import type { DumpPage } from "./dump.ts";
import { callFunction, magicWord, parameterWords } from "./functions.ts";
import { type Braces, type Node, nodesOf, type Part, parseBraces } from "./nodes.ts";
import { type ExtensionTag, holdTags } from "./tags.ts";
import { TEMPLATE, type Title, type Titles } from "./titles.ts";

/** What the wiki has that a text can name. */
export interface WikiPages {
  titles: Titles;
  siteName: string;
  byKey: ReadonlyMap<string, DumpPage>;
}

/** A page while its templates are written out. */
export interface Expansion {
  wiki: WikiPages;
  title: Title;
  /** The title that the page is shown with, where it says one. */
  shownTitle: string | undefined;
  /** Templates and functions that were called, and characters that were written. */
  calls: number;
  characters: number;
  faults: Set<string>;
  /** Takes what is no wikitext, and gives what stands for it. */
  hold(tag: ExtensionTag, expandContent: (text: string) => string): string;
}

/** What a template was called with. */
interface Frame {
  values: ReadonlyMap<string, string>;
  /** The templates around it, this one included. */
  around: readonly string[];
}

const CALLS_MAX = 20_000;
const CHARACTERS_MAX = 2_000_000;
const DEPTH_MAX = 25;

const TOP: Frame = { values: new Map(), around: [] };

/** A page's text with its templates written out. */
export function expandPage(state: Expansion, text: string): string {
  const own = replaceEnclosed(
    text,
    /<includeonly>/i,
    () => "</includeonly>",
    () => "",
  ).replace(/<\/?(?:noinclude|onlyinclude)\s*\/?>/gi, "");
  return expandText(state, TOP, own);
}

function expandText(state: Expansion, frame: Frame, text: string): string {
  const held = holdTags(text, (tag) => state.hold(tag, (content) => expandText(state, frame, content)));
  return held.includes("{{") ? expandNodes(state, frame, parseBraces(held)) : held;
}

/** What begins a line by its sign, as MediaWiki sees to it. */
const BEGINS_LINE = /^(?:\{\||[*#:;])/;

function expandNodes(state: Expansion, frame: Frame, nodes: readonly Node[]): string {
  const out: string[] = [];
  let last = "";
  for (const node of nodes) {
    const text = typeof node === "string" ? node : expandBraces(state, frame, node);
    if (text === "") continue;
    const needsLine = typeof node !== "string" && BEGINS_LINE.test(text) && last !== "" && last !== "\n";
    if (needsLine) out.push("\n");
    out.push(text);
    last = text.slice(-1);
  }
  return out.join("");
}

function expandBraces(state: Expansion, frame: Frame, node: Braces): string {
  if (isOver(state)) return "";
  const text =
    node.kind === "parameter" ? parameterValue(state, frame, node) : callTemplate(state, frame, node);
  state.characters += text.length;
  return isOver(state) ? "" : text;
}

function isOver(state: Expansion): boolean {
  const isOver = state.calls > CALLS_MAX || state.characters > CHARACTERS_MAX;
  if (isOver) state.faults.add("its templates make more of it than is read: some of them are left out");
  return isOver;
}

function parameterValue(state: Expansion, frame: Frame, { parts: [first, second] }: Braces): string {
  state.calls += 1;
  const name = expandNodes(state, frame, first?.value ?? []).trim();
  const given = frame.values.get(name);
  if (given !== undefined) return given;
  return second === undefined ? "" : expandNodes(state, frame, nodesOf(second));
}

function callTemplate(state: Expansion, frame: Frame, { parts }: Braces): string {
  state.calls += 1;
  const [first, ...rest] = parts;
  const called = expandNodes(state, frame, first?.value ?? [])
    .trim()
    .replace(/^(?:(?:safe)?subst|msg|msgnw|raw):\s*/i, "");
  const expand = (part: Part) => expandNodes(state, frame, nodesOf(part));
  const magic = magicWord(state, called, rest.length);
  if (magic !== undefined) return magic;
  const value = (nodes: readonly Node[]) => expandNodes(state, frame, nodes);
  const made = callFunction(state, called, rest, { expand, value });
  if (made !== undefined) return made;
  const template = findTemplate(state, called);
  const values = valuesOf(state, frame, rest);
  if (template === undefined) return parameterWords(values, rest.some(isLong));
  const { key } = state.wiki.titles.read(template.title);
  if (frame.around.includes(key)) {
    state.faults.add(`the template ${template.title} includes itself`);
    return "";
  }
  if (frame.around.length >= DEPTH_MAX) {
    state.faults.add("its templates are nested too deep");
    return "";
  }
  return expandText(state, { values, around: [...frame.around, key] }, textToInclude(template.text));
}

const isLong = ({ name, value }: Part) => [...(name ?? []), ...value].some((node) => /\n/.test(String(node)));

/** The values of a call by their names; those without one are numbered. Names without spaces around them. */
function valuesOf(state: Expansion, frame: Frame, parts: readonly Part[]): Map<string, string> {
  const values = new Map<string, string>();
  let number = 0;
  for (const { name, value } of parts) {
    const text = expandNodes(state, frame, value);
    if (name === undefined) values.set(String(++number), text);
    else values.set(expandNodes(state, frame, name).trim(), text.trim());
  }
  return values;
}

const REDIRECTS_MAX = 3;

function findTemplate({ wiki }: Expansion, called: string): DumpPage | undefined {
  if (called === "" || /[[\]{}<>\n#|]/.test(called)) return undefined;
  let page = wiki.byKey.get(wiki.titles.read(called, TEMPLATE).key);
  for (let at = 0; page?.redirect !== undefined && at < REDIRECTS_MAX; at++)
    page = wiki.byKey.get(wiki.titles.read(page.redirect).key);
  return page?.redirect === undefined && page?.model === "wikitext" ? page : undefined;
}

/** What of a template stands on the pages that call it. */
function textToInclude(text: string): string {
  const only: string[] = [];
  replaceEnclosed(
    text,
    /<onlyinclude>/i,
    () => "</onlyinclude>",
    ({ inside }) => {
      only.push(inside);
      return "";
    },
  );
  return (only.length > 0 ? only.join("") : text)
    .replace(/<noinclude>[\s\S]*?(?:<\/noinclude>|$)/gi, "")
    .replace(/<\/?(?:includeonly|noinclude)\s*\/?>/gi, "");
}
