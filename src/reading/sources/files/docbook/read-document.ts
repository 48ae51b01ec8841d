import { letOthersRun } from "@docent/kernel/lib/event-loop";
import { decodePercent } from "@docent/kernel/text/decode-percent";
import { folderOf, readXml, resolveLocation } from "../../../generators/generators.ts";
import {
  type DocbookElement,
  type DocbookNode,
  elementsOf,
  isElement,
  UNKNOWN_ENTITY,
} from "../../../markdown/docbook/docbook.ts";
import { docbookRoot } from "./docbook-root.ts";
import { type Declarations, type Entity, noDeclarations, readDeclarations, readProlog } from "./dtd.ts";
import { type EntityLookup, expandEntities, FILE_MARK, TooMuchExpanded } from "./expand.ts";
import { knownCharacters } from "./known-entities.ts";
import { selectNodes } from "./xpointer.ts";

/** The files of a source, and the entities that its loose files declare. */
export interface DocbookSource {
  has(location: string): boolean;
  text(location: string): Promise<string | undefined>;
  /** What an entity stands for that no DTD of a document declares: the nearest file of entities says so. */
  looseEntity(name: string, from: string): Promise<Entity | undefined>;
}

// How much one document may come to.
const CHARACTERS_MAX = 30_000_000;
const ELEMENTS_MAX = 800_000;
const EXPANSIONS_MAX = 500_000;

/** A document with all that it takes in. */
interface ReadDocument {
  root: DocbookElement | undefined;
  faults: string[];
}

/** Elements below this depth stand beside each other: readers call themselves for what is inside. */
const DEPTH_MAX = 150;
const INCLUDES_DEEP_MAX = 20;
const INCLUDES_MAX = 20_000;
const FAULTS_MAX = 20;

interface Reading {
  source: DocbookSource;
  faults: string[];
  characters: number;
  elements: number;
  includes: number;
  /** Files that are included again and again are read once. */
  kept: Map<string, DocbookElement | undefined>;
}

/** Where a target lies that is written beside a file; undefined outside of the source, and for what lies elsewhere. */
export function placeBeside(target: string, from: string): string | undefined {
  const plain = target.replace(/[?#].*$/s, "");
  if (plain === "" || /^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(plain)) return undefined;
  return resolveLocation(
    from.slice(0, Math.max(0, from.lastIndexOf("/"))),
    decodePercent(plain.replaceAll("\\", "/")),
  );
}

/** A file that another one names. */
export async function readBeside(
  source: DocbookSource,
  target: string,
  from: string,
): Promise<{ location: string; text: string } | undefined> {
  const location = placeBeside(target, from);
  const text = location === undefined || !source.has(location) ? undefined : await source.text(location);
  return location === undefined || text === undefined ? undefined : { location, text };
}

/** What a document's DTD declares, in it and in the files that it takes in. */
export async function declarationsOf(
  text: string,
  location: string,
  source: DocbookSource,
): Promise<Declarations> {
  const prolog = readProlog(text);
  const into = noDeclarations();
  const files = { read: (target: string, from: string) => readBeside(source, target, from) };
  await readDeclarations(prolog.subset, location, into, files);
  const external = prolog.systemId === "" ? undefined : await readBeside(source, prolog.systemId, location);
  if (external !== undefined && external.location !== location)
    await readDeclarations(external.text, external.location, into, files);
  return into;
}

/** Reads a document with its entities and its inclusions. Never throws for what is wrong with it. */
export async function readDocument(location: string, source: DocbookSource): Promise<ReadDocument> {
  const reading: Reading = {
    source,
    faults: [],
    characters: 0,
    elements: 0,
    includes: 0,
    kept: new Map(),
  };
  try {
    const root = await readFile(location, reading);
    if (root !== undefined) await include(root, [location], reading);
    return { root, faults: reading.faults };
  } catch (error) {
    if (!(error instanceof TooMuchExpanded)) throw error;
    return { root: undefined, faults: [error.message] };
  }
}

const say = ({ faults }: Reading, fault: string) => {
  if (faults.length < FAULTS_MAX && !faults.includes(fault)) faults.push(fault);
};

/** One file with its entities, as a tree. */
async function readFile(location: string, reading: Reading): Promise<DocbookElement | undefined> {
  const { source } = reading;
  const text = await source.text(location);
  if (text === undefined) return undefined;
  const declarations = await declarationsOf(text, location, source);
  const lookup: EntityLookup = {
    read: async (target, from) => {
      const file = await readBeside(source, target, from);
      if (file === undefined) say(reading, `takes in ${target}, which is not in this source`);
      return file;
    },
    async find(name) {
      const declared = declarations.general.get(name);
      if (declared !== undefined) return declared;
      const characters = knownCharacters(name);
      if (characters !== undefined) return { kind: "characters", text: characters };
      return (await source.looseEntity(name, location)) ?? (await fragmentNamed(name, location, source));
    },
  };
  const whole = await expandEntities(text.slice(readProlog(text).end), lookup, {
    charactersMax: CHARACTERS_MAX - reading.characters,
    expansionsMax: EXPANSIONS_MAX,
  });
  reading.characters += whole.length;
  return treeOf(whole, location, reading);
}

/**
 * The PHP manual's entities of files are made when it is built, of their names: `&language.types.boolean;` is
 * language/types/boolean.xml. Those that are documents by themselves are pages of their own.
 */
async function fragmentNamed(name: string, from: string, source: DocbookSource): Promise<Entity | undefined> {
  const below = `${name.replaceAll(".", "/")}.xml`;
  for (let folder = folderOf(from); ; folder = folderOf(folder)) {
    const location = folder === "" ? below : `${folder}/${below}`;
    const text = location !== from && source.has(location) ? await source.text(location) : undefined;
    if (text !== undefined)
      return docbookRoot(text) === undefined ? { kind: "file", target: location, from: "" } : undefined;
    if (folder === "") return undefined;
  }
}

/** The names and attributes of DocBook, without prefixes. */
const localName = (name: string) => name.slice(name.indexOf(":") + 1);

const NO_ATTRIBUTES: Record<string, string> = Object.create(null);

function attributesOf(given: Readonly<Record<string, string>>): Record<string, string> {
  const attributes: Record<string, string> = Object.create(null);
  let isEmpty = true;
  for (const [name, value] of Object.entries(given)) {
    if (name === "xmlns" || name.startsWith("xmlns:")) continue;
    const local = localName(name);
    // A link's own type is none of its element.
    if (name.startsWith("xlink:") && local !== "href") continue;
    attributes[local] = value;
    isEmpty = false;
  }
  // Most elements have none.
  return isEmpty ? NO_ATTRIBUTES : attributes;
}

const INCLUDE = "xi:include";

/** Reads XML as far as it can be read. */
async function treeOf(text: string, location: string, reading: Reading): Promise<DocbookElement | undefined> {
  const tree: Tree = { files: [location], open: [], depth: 0, root: undefined };
  const fault = await readXml(text, {
    open(name, given) {
      reading.elements += 1;
      if (reading.elements > ELEMENTS_MAX)
        throw new TooMuchExpanded(`has more than ${ELEMENTS_MAX} elements`);
      openElement(tree, name, given);
    },
    close() {
      if (tree.depth <= DEPTH_MAX) tree.open.pop();
      tree.depth -= 1;
    },
    words: (words) => addNode(tree, words),
    instruction(target, body) {
      if (target === FILE_MARK) {
        if (body === "") tree.files.pop();
        else tree.files.push(body.trim());
      } else if (target === UNKNOWN_ENTITY || target === "dbhtml")
        addNode(tree, { instruction: target, words: body.trim() });
    },
  });
  if (fault !== undefined) say(reading, `${location} is no sound XML: ${fault}`);
  return tree.root;
}

/** A tree that is being read. */
interface Tree {
  /** The files that are being read within each other. */
  files: string[];
  open: DocbookElement[];
  depth: number;
  root: DocbookElement | undefined;
}

function addNode({ open }: Tree, node: DocbookNode): void {
  const children = open.at(-1)?.children;
  const last = children?.at(-1);
  if (typeof node === "string" && typeof last === "string") children?.splice(-1, 1, last + node);
  else children?.push(node);
}

function openElement(tree: Tree, name: string, given: Readonly<Record<string, string>>): void {
  tree.depth += 1;
  const local = localName(name);
  const isInclude = local === "include" && (name !== "include" || given["xmlns"]?.includes("XInclude"));
  const element: DocbookElement = {
    name: isInclude ? INCLUDE : local,
    attributes: attributesOf(given),
    children: [],
    parent: tree.open.at(-1),
    file: tree.files.at(-1) ?? "",
  };
  if (tree.root === undefined) tree.root = element;
  else addNode(tree, element);
  if (tree.depth <= DEPTH_MAX) tree.open.push(element);
}

/** Puts in the place of each inclusion what it includes. */
async function include(element: DocbookElement, open: readonly string[], reading: Reading): Promise<void> {
  if (!elementsOf(element).some(() => true)) return;
  if (!elementsOf(element).some(({ name }) => name === INCLUDE)) {
    for (const child of elementsOf(element)) await include(child, open, reading);
    return;
  }
  const children: DocbookNode[] = [];
  for (const node of element.children) {
    if (!isElement(node)) children.push(node);
    else if (node.name !== INCLUDE) {
      await include(node, open, reading);
      children.push(node);
    } else children.push(...(await included(node, open, reading)));
  }
  element.children = children;
  for (const child of children) if (isElement(child)) child.parent = element;
}

async function included(
  element: DocbookElement,
  open: readonly string[],
  reading: Reading,
): Promise<readonly DocbookNode[]> {
  const { attributes, file } = element;
  const href = attributes["href"] ?? "";
  const location = href === "" ? file : placeBeside(href, file);
  reading.includes += 1;
  if (reading.includes > INCLUDES_MAX || open.length > INCLUDES_DEEP_MAX) {
    say(reading, "includes files too often, or too deeply within each other");
    return [];
  }
  if (reading.includes % 100 === 0) await letOthersRun();
  const isOpen = location !== undefined && open.includes(location) && attributes["xpointer"] === undefined;
  if (location !== undefined && !isOpen && reading.source.has(location)) {
    if (attributes["parse"] === "text") {
      const text = await reading.source.text(location);
      if (text !== undefined) {
        reading.characters += text.length;
        if (reading.characters > CHARACTERS_MAX)
          throw new TooMuchExpanded(`comes to more than ${CHARACTERS_MAX} characters with what it includes`);
        return [text];
      }
    } else {
      const nodes = await includedNodes(location, attributes["xpointer"], open, reading);
      if (nodes.length > 0) return nodes;
    }
  }
  const fallback = elementsOf(element).find(({ name }) => name === "fallback");
  if (fallback === undefined && (href !== "" || isOpen)) {
    say(reading, `includes ${href}${isOpen ? ", which includes it" : ", which is not in this source"}`);
    return [];
  }
  if (fallback === undefined) return [];
  await include(fallback, open, reading);
  return fallback.children;
}

/** The file's element, or those in it that a pointer chooses. Each inclusion has elements of its own. */
async function includedNodes(
  location: string,
  pointer: string | undefined,
  open: readonly string[],
  reading: Reading,
): Promise<readonly DocbookNode[]> {
  if (pointer === undefined) {
    const root = await readFile(location, reading);
    if (root === undefined) return [];
    await include(root, [...open, location], reading);
    return [root];
  }
  if (!reading.kept.has(location)) reading.kept.set(location, await readFile(location, reading));
  const root = reading.kept.get(location);
  if (root === undefined) return [];
  const found = selectNodes(root, pointer);
  if (found === undefined)
    say(
      reading,
      `includes a part of ${location} by a pointer that is not understood: ${pointer.slice(0, 200)}`,
    );
  const copies = (found ?? []).map((node) => copyOf(node, reading));
  const next = [...open, location];
  for (const node of copies) if (isElement(node)) await includeBelow(node, next, reading);
  return copies;
}

async function includeBelow(
  element: DocbookElement,
  open: readonly string[],
  reading: Reading,
): Promise<void> {
  if (open.length <= INCLUDES_DEEP_MAX) await include(element, open, reading);
}

function copyOf(node: DocbookNode, reading: Reading): DocbookNode {
  if (!isElement(node)) return node;
  reading.elements += 1;
  if (reading.elements > ELEMENTS_MAX) throw new TooMuchExpanded(`has more than ${ELEMENTS_MAX} elements`);
  const copy: DocbookElement = { ...node, children: [] };
  copy.children = node.children.map((child) => {
    const own = copyOf(child, reading);
    if (isElement(own)) own.parent = copy;
    return own;
  });
  return copy;
}
