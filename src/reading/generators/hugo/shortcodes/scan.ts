/** A piece of a page: text, or the use of a shortcode. */
export type Piece = { kind: "text"; text: string } | Shortcode;

export interface Shortcode {
  kind: "shortcode";
  name: string;
  /** Arguments by position; empty where they have names. */
  positional: string[];
  /** Arguments by name, which is in lower case. */
  named: ReadonlyMap<string, string>;
  /** What stands between its opening and its end; undefined where it has none. */
  inner: Piece[] | undefined;
  /** Whether it is written with `%`, so that it is a part of the page's Markdown. */
  isMarkdown: boolean;
}

/** `{{</* name *\/>}}` shows a shortcode instead of using it. */
const SHOWN = /^\{\{([<%])\s*\/\*([\s\S]*?)\*\/\s*([>%])\}\}/;
const NAME = /\s*(?:(\/)\s*)?([\p{L}\w][\p{L}\w./-]{0,100})/uy;
/** An argument: its name, and a value in quotes, in backquotes, or bare. */
const ARGUMENT =
  /\s*(?:([\p{L}\w-]{1,60})\s*=\s*)?(?:"((?:[^"\\]|\\.){0,5000})"|`([^`]{0,20000})`|((?:[^\s"`=/%>]|\/(?![}>%]))[^\s"`=/%>]*(?:[/%>](?![}>])[^\s"`=%>]*)*))/uy;
const END = /\s*(?:(\/)\s*)?([>%])\}\}/y;
const ARGUMENTS_MAX = 100;
const DEPTH_MAX = 30;

interface Tag {
  name: string;
  isEnd: boolean;
  /** Whether it says itself that nothing follows. */
  isClosed: boolean;
  positional: string[];
  named: Map<string, string>;
  isMarkdown: boolean;
  next: number;
}

/** Reads the shortcodes of a text. What is none, though it begins like one, stays text. */
export function scanShortcodes(source: string): Piece[] {
  const top: Piece[] = [];
  const open: { shortcode: Shortcode; inner: Piece[] }[] = [];
  const into = () => open.at(-1)?.inner ?? top;
  let at = 0;
  for (;;) {
    const start = nextStart(source, at);
    addText(into(), source.slice(at, start));
    if (start === source.length) break;
    const shown = SHOWN.exec(source.slice(start, start + 20_000));
    if (shown !== null) {
      const [whole, mark = "", written = "", last = ""] = shown;
      addText(into(), `{{${mark}${written}${last}}}`);
      at = start + whole.length;
      continue;
    }
    const tag = readTag(source, start);
    if (tag === undefined) {
      addText(into(), source.slice(start, start + 3));
      at = start + 3;
      continue;
    }
    at = tag.next;
    if (tag.isEnd) closeTag(tag.name, open, top);
    else {
      const { name, positional, named, isMarkdown } = tag;
      const shortcode: Shortcode = {
        kind: "shortcode",
        name,
        positional,
        named,
        inner: undefined,
        isMarkdown,
      };
      into().push(shortcode);
      if (!tag.isClosed && open.length < DEPTH_MAX) open.push({ shortcode, inner: [] });
    }
  }
  while (open.length > 0) leaveOpen(open, top);
  return top;
}

const START = /\{\{[<%]/g;

function nextStart(source: string, from: number): number {
  START.lastIndex = from;
  return START.exec(source)?.index ?? source.length;
}

function addText(pieces: Piece[], text: string): void {
  const last = pieces.at(-1);
  if (text === "") return;
  if (last?.kind === "text") last.text += text;
  else pieces.push({ kind: "text", text });
}

function readTag(source: string, start: number): Tag | undefined {
  const mark = source[start + 2];
  NAME.lastIndex = start + 3;
  const name = NAME.exec(source);
  if (name === null) return undefined;
  const positional: string[] = [];
  const named = new Map<string, string>();
  let at = NAME.lastIndex;
  for (let count = 0; count <= ARGUMENTS_MAX; count++) {
    END.lastIndex = at;
    const end = END.exec(source);
    if (end !== null) {
      if ((end[2] === "%") !== (mark === "%")) return undefined;
      const [, slash, text = ""] = name;
      return {
        name: text,
        isEnd: slash === "/",
        isClosed: end[1] === "/",
        positional,
        named,
        isMarkdown: mark === "%",
        next: END.lastIndex,
      };
    }
    ARGUMENT.lastIndex = at;
    const argument = ARGUMENT.exec(source);
    if (argument === null) return undefined;
    const [, key, quoted, raw, bare] = argument;
    const value = quoted?.replace(/\\(["\\])/g, "$1") ?? raw ?? bare ?? "";
    if (key === undefined) positional.push(value);
    else named.set(key.toLowerCase(), value);
    at = ARGUMENT.lastIndex;
  }
  return undefined;
}

interface Open {
  shortcode: Shortcode;
  inner: Piece[];
}

/** Ends the latest shortcode of this name; those opened after it have no inner text. */
function closeTag(name: string, open: Open[], top: Piece[]): void {
  if (!open.some(({ shortcode }) => shortcode.name === name)) return;
  while (open.at(-1)?.shortcode.name !== name) leaveOpen(open, top);
  const last = open.pop();
  if (last !== undefined) last.shortcode.inner = last.inner;
}

/** A shortcode without an end: what follows it stands beside it. */
function leaveOpen(open: Open[], top: Piece[]): void {
  const last = open.pop();
  if (last === undefined) return;
  const into = open.at(-1)?.inner ?? top;
  for (const piece of last.inner) {
    if (piece.kind === "text") addText(into, piece.text);
    else into.push(piece);
  }
}
