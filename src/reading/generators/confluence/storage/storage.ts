import { createSlugger } from "../../../markdown/anchors.ts";
import {
  attribute,
  classesOf,
  elementsIn,
  type HtmlElement,
  type HtmlNode,
  isElement,
  newElement,
  newText,
  textOf,
  textValue,
} from "../../../markdown/html/html.ts";
import { calloutOf, markTask, writeBody } from "../../wiki-pages/wiki-pages.ts";
import { signOf } from "../emoticons.ts";
import { imageOf, type LinkTarget, linkOf, personOf, plainLink, type StorageNames } from "./links.ts";
import { type MacroWriting, readMacro, writeMacro } from "./storage-macros.ts";
import { childOf, childrenOf, namedValue, parseStorage } from "./tree.ts";

export type { LinkTarget, NamedFile } from "./links.ts";

/** What a page's body is read with: nothing else of its wiki is known here. */
export interface StorageSurroundings extends StorageNames {
  /** What the page is known by: it does not stand in itself. */
  id: string;
  /** A page that stands in this one, with what its own body is read with; undefined where readers do not have it. */
  bodyOf(target: LinkTarget): { storage: string; surroundings: StorageSurroundings } | undefined;
}

interface StorageBody {
  markdown: string;
  faults: string[];
}

const INCLUDED_DEPTH_MAX = 4;
const INCLUDED_CHARACTERS_MAX = 2_000_000;

/** Reads the body of a page in the storage format of Confluence: XHTML with elements of its own for macros and links. */
export function readStorage(storage: string, surroundings: StorageSurroundings): StorageBody {
  const faults = new Set<string>();
  const room = { characters: INCLUDED_CHARACTERS_MAX };
  const written = newElement(
    "div",
    writeAll(storage, { surroundings, faults, room, around: [surroundings.id] }),
  );
  return { markdown: writeBody(written), faults: [...faults] };
}

interface State {
  surroundings: StorageSurroundings;
  faults: Set<string>;
  /** What may still be taken in from other pages. */
  room: { characters: number };
  /** The pages that this one stands in. */
  around: readonly string[];
}

function writeAll(storage: string, state: State, part: "all" | "excerpt" = "all"): HtmlNode[] {
  const { root, fault } = parseStorage(storage);
  if (fault !== undefined) state.faults.add(`Its markup is damaged: ${fault}`);
  const writing: MacroWriting = {
    names: state.surroundings,
    faults: state.faults,
    write: (element) => writeNodes(element.childNodes, writing),
    included: (target, wanted) => includedNodes(state, target, wanted),
  };
  if (part === "all") return writing.write(root);
  return elementsIn(root, isExcerpt).flatMap((excerpt) => {
    const body = childOf(excerpt, "ac:rich-text-body");
    return body === undefined ? [] : writing.write(body);
  });
}

const isMacro = ({ tagName }: HtmlElement) => tagName === "ac:structured-macro" || tagName === "ac:macro";
const isExcerpt = (element: HtmlElement) => isMacro(element) && namedValue(element, "name") === "excerpt";

function includedNodes(state: State, target: LinkTarget, part: "all" | "excerpt"): HtmlNode[] | undefined {
  const { surroundings, faults, room, around } = state;
  const body = surroundings.bodyOf(target);
  const isInItself = body !== undefined && around.includes(body.surroundings.id);
  const isTooDeep = around.length > INCLUDED_DEPTH_MAX;
  if (body === undefined || isInItself || isTooDeep || body.storage.length > room.characters) {
    faults.add(`What it includes is left out: the page "${target.title ?? target.id ?? ""}".`);
    return undefined;
  }
  room.characters -= body.storage.length;
  const own = { ...state, surroundings: body.surroundings, around: [...around, body.surroundings.id] };
  return writeAll(body.storage, own, part);
}

const writeNodes = (nodes: readonly HtmlNode[], writing: MacroWriting): HtmlNode[] =>
  nodes.flatMap((node) => (isElement(node) ? writeElement(node, writing) : [newText(textValue(node) ?? "")]));

type ElementWriter = (element: HtmlElement, writing: MacroWriting) => HtmlNode[];

const inside: ElementWriter = (element, { write }) => write(element);
const nothing: ElementWriter = () => [];

const WRITERS: ReadonlyMap<string, ElementWriter> = new Map<string, ElementWriter>([
  ["ac:structured-macro", (element, writing) => writeMacro(readMacro(element), writing)],
  ["ac:macro", (element, writing) => writeMacro(readMacro(element), writing)],
  ["ac:link", (element, { names, write }) => linkOf(names, element, write)],
  ["ac:image", (element, { names, write }) => imageOf(names, element, write)],
  ["ac:emoticon", emoticon],
  ["ac:task-list", taskList],
  ["ac:layout", inside],
  ["ac:layout-section", inside],
  ["ac:layout-cell", inside],
  ["ac:inline-comment-marker", inside],
  ["ac:adf-extension", otherEditor],
  ["ac:placeholder", nothing],
  ["ac:parameter", nothing],
  ["ri:user", (element, { names }) => [newText(personOf(names, element))]],
  [
    "time",
    (element, { write }) => {
      const said = write(element);
      return said.length > 0 ? said : [newText(attribute(element, "datetime") ?? "")];
    },
  ],
  ["a", (element, { names, write }) => plainLink(names, element, write(element))],
  ["p", paragraph],
  ["script", nothing],
  ["style", nothing],
]);

function writeElement(element: HtmlElement, writing: MacroWriting): HtmlNode[] {
  const { tagName } = element;
  const writer = WRITERS.get(tagName);
  if (writer !== undefined) return writer(element, writing);
  // Numbers of rows, which the wiki writes.
  if (classesOf(element).includes("numberingColumn")) return [];
  const children = writing.write(element);
  // What is not known of the wiki's own elements keeps its words.
  return tagName.includes(":") ? children : [newElement(tagName, children, attributesOf(element))];
}

/** Ids stay where links lead to them; classes say only how a thing looks. */
function attributesOf(element: HtmlElement): Record<string, string> {
  const kept = element.attrs.filter(({ name }) =>
    /^(?:colspan|rowspan|src|alt|width|start|id|value)$/.test(name),
  );
  return Object.fromEntries(kept.map(({ name, value }) => [name, value]));
}

function emoticon(element: HtmlElement): HtmlNode[] {
  const sign = signOf({
    sign: namedValue(element, "emoji-fallback"),
    name: namedValue(element, "name"),
    id: namedValue(element, "emoji-id"),
  });
  return sign === "" ? [] : [newText(sign)];
}

function taskList(list: HtmlElement, { write }: MacroWriting): HtmlNode[] {
  const items = childrenOf(list, "ac:task").map((task) => {
    const body = childOf(task, "ac:task-body");
    const item = newElement("li", body === undefined ? [] : write(body));
    const status = childOf(task, "ac:task-status");
    markTask(item, status !== undefined && textOf(status).trim() === "complete");
    return item;
  });
  return [newElement("ul", items)];
}

/** The Cloud's newer editor has blocks of its own, and says beside them what they come to in HTML. */
function otherEditor(element: HtmlElement, { write }: MacroWriting): HtmlNode[] {
  const node = childOf(element, "ac:adf-node");
  const content = node === undefined ? undefined : childOf(node, "ac:adf-content");
  if (node !== undefined && content !== undefined && namedValue(node, "type") === "panel") {
    const kind = childrenOf(node, "ac:adf-attribute").find(
      (each) => namedValue(each, "key") === "panel-type",
    );
    return calloutOf(element, { mark: PANELS[textOf(kind ?? node)] ?? "NOTE", body: write(content) });
  }
  const fallback = childOf(element, "ac:adf-fallback");
  return fallback === undefined ? [] : write(fallback);
}

const PANELS: Readonly<Record<string, "NOTE" | "TIP" | "WARNING" | "CAUTION">> = {
  info: "NOTE",
  note: "NOTE",
  tip: "TIP",
  success: "TIP",
  warning: "WARNING",
  error: "CAUTION",
};

const BLOCKS = new Set("blockquote pre ul ol dl table div p h1 h2 h3 h4 h5 h6 hr".split(" "));

/** Macros stand in paragraphs, in which HTML has no blocks. */
function paragraph(element: HtmlElement, { write }: MacroWriting): HtmlNode[] {
  const written: HtmlNode[] = [];
  let line: HtmlNode[] = [];
  const end = () => {
    if (line.length > 0) written.push(newElement("p", line));
    line = [];
  };
  for (const node of write(element)) {
    if (isElement(node) && BLOCKS.has(node.tagName)) {
      end();
      written.push(node);
    } else line.push(node);
  }
  end();
  return written;
}

/** The places in a page that anchors lead to, by what people and editors write for them. */
export type StoragePlaces = ReadonlyMap<string, string>;

/** Reads which places a page has: its headings, by the ids that they are given here, and its anchors. */
export function placesIn(storage: string): StoragePlaces {
  const places = new Map<string, string>();
  const slugger = createSlugger();
  const { root } = parseStorage(storage);
  for (const element of elementsIn(root, () => true)) {
    const id =
      isMacro(element) && namedValue(element, "name") === "anchor" ? readMacro(element).param("") : "";
    const words = /^h[1-6]$/.test(element.tagName) ? textOf(element, isMacro).trim() : "";
    if (id !== "" && !places.has(bare(id))) places.set(bare(id), id);
    if (words === "") continue;
    const anchor = slugger.unique(words);
    if (!places.has(bare(words))) places.set(bare(words), anchor);
  }
  return places;
}

/** The place that an anchor means in a page of this title; undefined where there is none. */
export const placeOf = (places: StoragePlaces, anchor: string, title: string): string | undefined => {
  const words = bare(anchor);
  const own = bare(title);
  return places.get(words) ?? (words.startsWith(own) ? places.get(words.slice(own.length)) : undefined);
};

/** Anchors are written without spaces, or with dashes for them. */
const bare = (words: string) => words.replace(/[\s-]+/g, "").toLowerCase();
