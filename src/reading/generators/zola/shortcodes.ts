import { escapeLabel } from "@docent/kernel/text/write-markdown";
import { type DocsTree, nameOf, stemOf } from "../docs-tree.ts";
import { calloutKind, eachOutsideCode, writeCallout } from "../writing/writing.ts";
import type { ZolaSettings } from "./settings.ts";

/** What shortcodes are written as, by their names. */
export type Shortcodes = ReadonlyMap<string, string>;

const TEMPLATES_MAX = 500;
/** A shortcode may be used often, and what it writes may be long. */
const WRITTEN_CHARACTERS_MAX = 2_000_000;
const OPEN_MAX = 20;

/** The templates of shortcodes; a site's own go before those of its theme. */
export async function readShortcodes(tree: DocsTree, { shortcodes }: ZolaSettings): Promise<Shortcodes> {
  const templates = new Map<string, string>();
  const files = shortcodes
    .flatMap((folder) => tree.below(folder))
    .filter((file) => /\.(?:md|html)$/.test(file));
  for (const file of files.slice(0, TEMPLATES_MAX)) {
    const name = stemOf(nameOf(file));
    const text = templates.has(name) ? undefined : await tree.text(file);
    if (text !== undefined) templates.set(name, text);
  }
  return templates;
}

interface Call {
  name: string;
  given: ReadonlyMap<string, string>;
}

/** A call that stands by itself, what begins and ends a body, and what begins and ends text that is left as it is. */
interface Mark {
  kind: "call" | "opening" | "end" | "raw" | "endraw";
  call: Call;
  source: string;
}

const STRING = /"(?:[^"\\]|\\.){0,2000}"|'(?:[^'\\]|\\.){0,2000}'/.source;
/** `name(key="value")`; strings may hold what ends a call elsewhere. */
const CALL = `(?<name>[A-Za-z_]\\w*)\\s*\\((?<given>(?:[^()"'{}]|${STRING}){0,5000})\\)`;
/** `<name key="value" other={2}`, as Zola has it since it reads Tera 2. */
const TAG = `<(?<name>[A-Za-z_][\\w.-]*)(?<given>(?:[^<>"'{}/]|\\{[^{}]{0,500}\\}|${STRING}){0,5000})`;
const MARKS: readonly [Mark["kind"], RegExp][] = [
  ["call", new RegExp(`^\\{\\{-?\\s*(?:${CALL}|${TAG}/>)\\s*-?\\}\\}$`, "s")],
  ["opening", new RegExp(`^\\{%-?\\s*(?:${CALL}|${TAG}>)\\s*-?%\\}$`, "s")],
  ["end", /^\{%-?\s*(?:end|<\/[\w.-]{1,100}>)\s*-?%\}$/],
  ["raw", /^\{%-?\s*raw\s*-?%\}$/],
  ["endraw", /^\{%-?\s*endraw\s*-?%\}$/],
];
/** What may be a mark: up to the first end of one that stands in no string. */
const BRACES = new RegExp(
  `\\{\\{(?!/\\*)(?:[^{}"']|\\{[^{}]{0,500}\\}|${STRING}){1,5000}\\}\\}|\\{%(?!/\\*)(?:[^%"']|${STRING}){1,5000}%\\}`,
  "gs",
);
const ARGUMENT = new RegExp(
  `([A-Za-z_][\\w-]*)\\s*=\\s*(${STRING}|\\{[^{}]{0,500}\\}|[^,\\s"'{}\uE000]{1,200})`,
  "gs",
);

/** A page's body with what its shortcodes stand for, as Markdown. */
export function expandShortcodes(templates: Shortcodes, body: string): string {
  const text = body.replace(/\r\n?/g, "\n").replace(/^[ \t]*<!-- more -->[ \t]*$/m, "");
  if (!/\{[{%]/.test(text)) return text;
  const marks: Mark[] = [];
  const marked = eachOutsideCode(text.replace(/[\uE010\uE011]/g, ""), (part) =>
    part.replace(BRACES, (source) => {
      const mark = markOf(source);
      return mark === undefined ? source : `\uE010${marks.push(mark) - 1}\uE011`;
    }),
  );
  return withoutEscapes(assembled(templates, marked, marks));
}

function markOf(source: string): Mark | undefined {
  for (const [kind, pattern] of MARKS) {
    const found = pattern.exec(source);
    if (found === null) continue;
    const { name = "", given = "" } = found.groups ?? {};
    const values = new Map<string, string>();
    for (const [, key = "", value = ""] of given.matchAll(ARGUMENT)) values.set(key, unquoted(value));
    return { kind, call: { name, given: values }, source };
  }
  return undefined;
}

const unquoted = (value: string) =>
  /^["'{]/.test(value) ? value.slice(1, -1).replace(/\\(["'\\])/g, "$1") : value;

/** What is written as a shortcode and is none, in code too. */
const withoutEscapes = (text: string) =>
  text.replace(/\{([{%])\/\*([^\n`]{0,2000}?)\*\/([}%])\}/g, "{$1$2$3}");

/** Puts what marks stand for in their places. Bodies may have shortcodes, and code, in them. */
function assembled(templates: Shortcodes, marked: string, marks: readonly Mark[]): string {
  const above: Open[] = [];
  let current: Open = { source: "", call: undefined, text: "" };
  let charactersLeft = WRITTEN_CHARACTERS_MAX;
  let isRaw = false;
  const write = (call: Call, body: string | undefined) => {
    const written = charactersLeft > 0 ? writtenAs(templates.get(call.name), call, body) : (body ?? "");
    charactersLeft -= written.length;
    current.text += written;
  };
  for (const [at, piece] of marked.split(/\uE010(\d+)\uE011/).entries()) {
    const mark = at % 2 === 1 ? marks[Number(piece)] : undefined;
    if (mark === undefined) current.text += piece;
    else if (mark.kind === "endraw") isRaw = false;
    else if (isRaw) current.text += mark.source;
    else if (mark.kind === "raw") isRaw = true;
    else if (mark.kind === "call") write(mark.call, undefined);
    else if (mark.kind === "opening" && above.length < OPEN_MAX) {
      above.push(current);
      current = { source: mark.source, call: mark.call, text: "" };
    } else if (mark.kind === "end" && current.call !== undefined) {
      const { call, text } = current;
      current = above.pop() ?? current;
      write(call, text);
    }
  }
  // What is not closed is text.
  return [...above, current].map(({ source, text }) => source + text).join("");
}

/** A body that is not at its end. */
interface Open {
  source: string;
  /** Undefined for the page's own. */
  call: Call | undefined;
  text: string;
}

const PLACE = /\{\{-?\s*(\w+)\s*(?:\|[^{}]{0,200})?-?\}\}/g;

function writtenAs(template: string | undefined, call: Call, body: string | undefined): string {
  const words = template?.replace(/\{#[\s\S]{0,2000}?#\}/g, "");
  // What a template computes is not known, and neither is one that is not there.
  if (words === undefined || /\{[{%]/.test(words.replace(PLACE, ""))) return wordsOf(call, body);
  const around = body?.includes("\n") === true ? "\n\n" : "";
  return words
    .replace(PLACE, (_, name: string) =>
      name === "body" ? around + (body ?? "").trim() + around : (call.given.get(name) ?? ""),
    )
    .trim();
}

const TEXTS = ["text", "content", "body", "message", "caption"];
const ADDRESSES = ["src", "path", "url", "link", "href"];

/** What a shortcode says to readers, by how such are called everywhere. */
function wordsOf({ name, given }: Call, body: string | undefined): string {
  const first = (keys: readonly string[]) =>
    keys.map((key) => given.get(key)).find((each) => each !== undefined);
  const words = body?.trim() ?? first(TEXTS)?.trim();
  const kind = IS_CALLOUT.test(name) ? (calloutOf(given) ?? calloutKind(name) ?? "note") : calloutKind(name);
  if (kind !== undefined && words !== undefined) {
    const callout = writeCallout({ kind, title: given.get("title"), body: words }, { isNested: false });
    return `\n\n${callout}\n\n`;
  }
  const address = first(ADDRESSES);
  if (address !== undefined && IS_IMAGE.test(address))
    return `![${escapeLabel(given.get("alt") ?? words ?? "")}](<${address}>)${words === undefined ? "" : `\n\n${words}`}`;
  if (address !== undefined && words !== undefined && body === undefined)
    return `[${escapeLabel(words)}](<${address}>)`;
  return body === undefined ? (words ?? "") : body;
}

const IS_CALLOUT = /^(?:alert|admonition|callout|hint|box|notice|message|quote)s?$/i;
const IS_IMAGE = /\.(?:png|jpe?g|gif|svg|webp|avif)$/i;

/** `type="tip"`, or `tip=true`. */
const calloutOf = (given: Call["given"]): string | undefined =>
  [...given]
    .map(([key, value]) => calloutKind(value === "true" ? key : value))
    .find((kind) => kind !== undefined);
