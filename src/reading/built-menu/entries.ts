import {
  attribute,
  classesOf,
  type HtmlElement,
  type HtmlNode,
  isElement,
  parentOf,
  textOf,
  textValue,
} from "../markdown/html/html.ts";

/** Where a link of a menu leads: to a page of the site, or elsewhere. */
export type Target = { path: string; anchor: string } | { href: string };

/** An entry as one page shows it. */
export interface ShownEntry {
  label: string;
  target?: Target | undefined;
  /** Whether the page marks it as the one that it is on. */
  isMarked: boolean;
  children: ShownEntry[];
}

/** How the entries of a page are read. */
export interface EntryReading {
  /** The path of the page. */
  path: string;
  resolve(href: string): Target | undefined;
  /** Elements that links or lists are in. */
  holds(element: HtmlElement): boolean;
  /** Elements that are read by themselves. */
  isApart(element: HtmlElement): boolean;
}

/** What an element is in a menu: words, an entry, or entries that belong together. */
type Piece =
  | { kind: "words"; words: string; isCurrent: boolean }
  | { kind: "entry"; entry: ShownEntry }
  | { kind: "list"; entries: ShownEntry[] };

/** What one of the things inside of an element is, and what marks its kind. */
interface Part {
  pieces: Piece[];
  mark: readonly string[];
}

/** Nobody writes menus that nest deeper, and the stack is finite. */
const DEEP_MAX = 150;
const LISTS = new Set(["ul", "ol", "menu", "dl"]);
const ITEMS = new Set(["li", "details", "dd"]);
const UNSHOWN = new Set("script style template svg input select form iframe noscript dialog".split(" "));
/** What is only read aloud, and marks beside a name. */
const NO_NAME = /^(?:visually-hidden|visuallyhidden|sr-only|screen-reader-only|headerlink)$|badge/i;
const CURRENT = /^(?:is-)?(?:.*[-_])?(?:active|current|selected)(?:[-_](?:page|item|link))?$/i;
const LABEL_CHARACTERS_MAX = 200;

/** What a list of links has, and what stands above all of it. */
export interface ShownEntries {
  title: string | undefined;
  entries: ShownEntry[];
}

/** The entries of a list of links, as HTML nests them: in lists, in what unfolds, or in boxes with a title. */
export function entriesIn(block: HtmlElement, reading: EntryReading): ShownEntries {
  const isList = LISTS.has(block.tagName);
  const pieces = isList ? piecesOf(block, reading, 0) : piecesInside(block, reading, 0);
  const hasLists = pieces.some(
    (piece) => piece.kind === "list" || (piece.kind === "entry" && piece.entry.children.length > 0),
  );
  const entries = pieces.flatMap((piece) =>
    // Beside lists, what leads to the first page or elsewhere is the site's name, or a button.
    hasLists && piece.kind === "entry" && isName(piece.entry) ? [] : entriesOf(piece),
  );
  const [only] = entries;
  const isTitle = entries.length === 1 && only !== undefined && only.children.length > 1;
  return isTitle && (only.target === undefined || !isList)
    ? { title: only.label, entries: only.children }
    : { title: undefined, entries };
}

const isName = ({ target, children }: ShownEntry) =>
  children.length === 0 && target !== undefined && ("href" in target || target.path === "");

const entriesOf = (piece: Piece): ShownEntry[] =>
  piece.kind === "words" ? [] : piece.kind === "entry" ? [piece.entry] : piece.entries;

function piecesOf(node: HtmlNode, reading: EntryReading, depth: number): Piece[] {
  if (!isElement(node)) return wordsPiece(textValue(node) ?? "", false);
  if (depth > DEEP_MAX || isUnshown(node) || reading.isApart(node)) return [];
  if (node.tagName === "a") return linkPiece(node, reading);
  if (!reading.holds(node)) return wordsPiece(wordsOf(node), attribute(node, "aria-current") === "page");
  if (LISTS.has(node.tagName)) return [{ kind: "list", entries: itemsOf(node, reading, depth) }];
  if (ITEMS.has(node.tagName)) return itemPieces(node, reading, depth);
  return piecesInside(node, reading, depth);
}

const isUnshown = (element: HtmlElement) =>
  UNSHOWN.has(element.tagName) ||
  attribute(element, "aria-hidden") === "true" ||
  classesOf(element).some((name) => NO_NAME.test(name));

const wordsOf = (element: HtmlElement) =>
  textOf(element, isUnshown).replace(/¶$/, "").trim().slice(0, LABEL_CHARACTERS_MAX);

const HAS_WORDS = /[\p{L}\p{N}]/u;

const wordsPiece = (words: string, isCurrent: boolean): Piece[] =>
  HAS_WORDS.test(words) ? [{ kind: "words", words: words.replace(/\s+/g, " ").trim(), isCurrent }] : [];

function linkPiece(link: HtmlElement, reading: EntryReading): Piece[] {
  const label = wordsOf(link);
  // A link to the same page in another language is no entry.
  if (!HAS_WORDS.test(label) || attribute(link, "hreflang") !== undefined) return [];
  const item = parentOf(link);
  const isMarked = isCurrent(link) || (item?.tagName === "li" && isCurrent(item));
  return [
    { kind: "entry", entry: { label, target: targetOf(link, isMarked, reading), isMarked, children: [] } },
  ];
}

/** Whether a page marks a link as the one that it is on, or as the way to it. */
const isCurrent = (link: HtmlElement) =>
  !["", "false"].includes(attribute(link, "aria-current") ?? "") ||
  classesOf(link).some((name) => CURRENT.test(name));

/** Where a link leads. One that only unfolds something leads nowhere; the page's own may be empty. */
function targetOf(link: HtmlElement, isMarked: boolean, { path, resolve }: EntryReading): Target | undefined {
  const href = attribute(link, "href")?.trim();
  if (href === undefined) return undefined;
  if (href !== "#" && href !== "") return resolve(href);
  const unfolds =
    attribute(link, "role") === "button" ||
    ["aria-expanded", "aria-haspopup", "data-toggle", "data-bs-toggle"].some(
      (name) => attribute(link, name) !== undefined,
    );
  return unfolds || !isMarked ? undefined : { path, anchor: "" };
}

function piecesInside(element: HtmlElement, reading: EntryReading, depth: number): Piece[] {
  return combined(
    element.childNodes.flatMap((child): Part[] => {
      const pieces = piecesOf(child, reading, depth + 1);
      return pieces.length === 0 ? [] : [{ pieces, mark: isElement(child) ? markOf(child) : [] }];
    }),
  );
}

const markOf = (element: HtmlElement) => [`<${element.tagName}>`, ...classesOf(element)];

/** Whether two things inside of an element are of different kinds, by their names and classes. */
function areUnlike([tagA, ...a]: readonly string[], [tagB, ...b]: readonly string[]): boolean {
  if (a.length === 0 && b.length === 0) return tagA !== tagB;
  return !a.some((name) => b.includes(name));
}

/** The pieces of parts that follow each other, each list below what stands above it. */
function combined(parts: readonly Part[]): Piece[] {
  const [head, body] = parts;
  const isBox =
    parts.length === 2 &&
    head?.pieces.length === 1 &&
    isHead(head.pieces[0]) &&
    body?.pieces.every(({ kind }) => kind === "entry") &&
    areUnlike(head.mark, body.mark);
  const pieces =
    isBox && body !== undefined
      ? [...head.pieces, { kind: "list" as const, entries: body.pieces.flatMap(entriesOf) }]
      : parts.flatMap((part) => part.pieces);
  if (pieces.every(({ kind }) => kind === "words")) return joinedWords(pieces);
  return belowTitles(pieces);
}

/** Whether a piece can stand above others. */
const isHead = (piece: Piece | undefined) =>
  piece?.kind === "words" || (piece?.kind === "entry" && piece.entry.children.length === 0);

function joinedWords(pieces: readonly Piece[]): Piece[] {
  const words = pieces.flatMap((piece) => (piece.kind === "words" ? [piece.words] : [])).join(" ");
  const isCurrent = pieces.some((piece) => piece.kind === "words" && piece.isCurrent);
  return wordsPiece(words.slice(0, LABEL_CHARACTERS_MAX), isCurrent);
}

function belowTitles(pieces: readonly Piece[]): Piece[] {
  const placed: Piece[] = [];
  let title: ShownEntry | undefined;
  for (const piece of pieces) {
    const last = placed.at(-1);
    if (piece.kind === "words") {
      title = { label: piece.words, isMarked: false, children: [] };
      continue;
    }
    if (title !== undefined) {
      // Words above a list, or above links that follow each other, are the title of those.
      if (title.children.length === 0) placed.push({ kind: "entry", entry: title });
      title.children.push(...entriesOf(piece));
      if (piece.kind === "list") title = undefined;
    } else if (piece.kind === "list" && last?.kind === "entry" && last.entry.children.length === 0)
      last.entry.children.push(...piece.entries);
    else placed.push(piece);
  }
  return placed;
}

/** An item of a list with what it is. */
interface Item {
  entry: ShownEntry;
  classes: readonly string[];
}

function itemsOf(list: HtmlElement, reading: EntryReading, depth: number): ShownEntry[] {
  // An item without anything in it is a line between others.
  const items: (Item | undefined)[] = [];
  for (const child of list.childNodes) {
    if (!isElement(child)) continue;
    const pieces =
      ITEMS.has(child.tagName) && !isUnshown(child)
        ? itemPieces(child, reading, depth + 1)
        : piecesOf(child, reading, depth + 1);
    if (pieces.length === 0) items.push(undefined);
    const last = items.at(-1)?.entry;
    for (const piece of pieces) {
      // Some write the list of what is below an item as the next item.
      if (piece.kind === "list" && last !== undefined) last.children.push(...piece.entries);
      else
        for (const entry of entriesOf(withoutWords(piece))) items.push({ entry, classes: classesOf(child) });
    }
  }
  return belowParts(items);
}

const withoutWords = (piece: Piece): Piece =>
  piece.kind === "words"
    ? { kind: "entry", entry: { label: piece.words, isMarked: false, children: [] } }
    : piece;

/** Entries with those that follow the title of a part in it: such a title is no link, and no item of the others' kind. */
function belowParts(items: readonly (Item | undefined)[]): ShownEntry[] {
  const linked = new Set(items.flatMap((item) => (item?.entry.target === undefined ? [] : item.classes)));
  const entries: ShownEntry[] = [];
  let part: ShownEntry | undefined;
  for (const item of items) {
    if (item === undefined) {
      part = undefined;
      continue;
    }
    const { entry, classes } = item;
    const isTitle =
      entry.target === undefined &&
      entry.children.length === 0 &&
      !classes.some((name) => linked.has(name)) &&
      (classes.length > 0 || linked.size > 0);
    if (isTitle || part === undefined) entries.push(entry);
    else part.children.push(entry);
    if (isTitle) part = entry;
  }
  return entries;
}

/** What an item is: an entry, words alone, or a list without anything above it. */
function itemPieces(item: HtmlElement, reading: EntryReading, depth: number): Piece[] {
  const parts = item.childNodes.flatMap((child) => piecesOf(child, reading, depth + 1));
  const first = parts.findIndex(({ kind }) => kind === "entry");
  const list = parts.findIndex(({ kind }) => kind === "list");
  const lists = parts.flatMap((piece) => (piece.kind === "list" ? piece.entries : []));
  const isLed = first >= 0 && (list < 0 || first < list);
  const led = isLed ? parts[first] : undefined;
  if (led?.kind === "entry") {
    const others = parts.slice(first + 1).flatMap((piece) => (piece.kind === "entry" ? [piece.entry] : []));
    return [{ kind: "entry", entry: withOthers(led.entry, others, lists) }];
  }
  const words = parts.find((piece) => piece.kind === "words");
  if (words?.kind !== "words") return lists.length === 0 ? [] : [{ kind: "list", entries: lists }];
  const target = words.isCurrent ? { path: reading.path, anchor: "" } : undefined;
  if (target === undefined && lists.length === 0) return [words];
  const entry = { label: words.words, target, isMarked: words.isCurrent, children: lists };
  return [{ kind: "entry", entry }];
}

/** An entry with the others of its item: what is called the same, and leads nowhere, only repeats its name above its list. */
function withOthers(entry: ShownEntry, others: readonly ShownEntry[], lists: ShownEntry[]): ShownEntry {
  const children = [...entry.children, ...lists];
  for (const other of others)
    if (other.target === undefined) children.push(...other.children);
    else if (!isSame(other.target, entry.target)) children.push(other);
    else children.push(...other.children);
  return { ...entry, children };
}

const isSame = (a: Target, b: Target | undefined) => Bun.deepEquals(a, b);
