import { type MarkdownElement, toElement } from "./tree.ts";

/** A kind of note set apart from a page's text, named as on GitHub. */
export type Callout = "note" | "tip" | "important" | "warning" | "caution";

/** The names of callouts in GitHub, Docusaurus, VitePress, Starlight, Mintlify and Obsidian. */
const CALLOUTS = new Map<string, Callout>([
  ...["note", "info"].map((name) => [name, "note"] as const),
  ...["tip", "hint", "success", "check"].map((name) => [name, "tip"] as const),
  ["important", "important"],
  ...["warning", "attention"].map((name) => [name, "warning"] as const),
  ...["caution", "danger", "error"].map((name) => [name, "caution"] as const),
]);

/** `[!NOTE]` at the start of a quote; in Obsidian a title may follow. */
const MARK = /^\[!(\w{1,20})\][+-]?[ \t]*/;
const QUOTED_MARK = /^([ \t]*>[ \t]*)\[!(\w{1,20})\][+-]?[ \t]*(\n|$)?/;
/** Whether a container or component of this name is a callout, in any case. */
export const isCalloutName = (name: string) => CALLOUTS.has(name.toLowerCase());

/** A quote that begins with a mark such as `[!NOTE]`. */
interface MarkedQuote {
  /** The mark's name in lower case. */
  name: string;
  /** What stands behind the mark in its line. */
  title: unknown[];
  body: unknown[];
}

/** Reads a quote that begins with a mark; undefined for any other element. */
export function readMarkedQuote(quote: MarkdownElement): MarkedQuote | undefined {
  const [first, ...rest] = quote.type === "blockquote" ? quote.children : [];
  const paragraph = toElement(first);
  if (paragraph?.type !== "p") return undefined;
  const { children } = paragraph;
  const end = children.findIndex((child) => child === "\n" || toElement(child)?.type === "br");
  const line = end < 0 ? children : children.slice(0, end);
  const words = line.findIndex((child) => typeof child !== "string");
  const begin = line.slice(0, words < 0 ? line.length : words).join("");
  const mark = MARK.exec(begin);
  if (mark === null) return undefined;
  const own = [begin.slice(mark[0].length), ...(words < 0 ? [] : line.slice(words))];
  const below = end < 0 ? [] : children.slice(end + 1);
  return {
    name: mark[1]?.toLowerCase() ?? "",
    title: own.filter((child) => child !== ""),
    body: [...(below.length === 0 ? [] : [{ type: "p", props: { children: below } }]), ...rest],
  };
}

/** Turns a quote that begins with `[!NOTE]` into a `callout` element; returns any other element unchanged. */
export function asCallout(
  quote: MarkdownElement,
  titles: Readonly<Record<Callout, string>>,
): MarkdownElement {
  const marked = readMarkedQuote(quote);
  const callout = CALLOUTS.get(marked?.name ?? "");
  if (marked === undefined || callout === undefined) return quote;
  const title = marked.title.length > 0 ? marked.title : [titles[callout]];
  return {
    type: "callout",
    props: { callout },
    children: [{ type: "callout-title", props: { children: title } }, ...marked.body],
  };
}

/** The source of a quote without its callout mark. */
export function withoutCalloutMark(quote: string): string {
  return quote.replace(QUOTED_MARK, (whole, quoted: string, name: string, end: string | undefined) => {
    if (!CALLOUTS.has(name.toLowerCase())) return whole;
    return end === undefined ? quoted : "";
  });
}

/** The content of a `:::` line. */
interface Directive {
  colons: number;
  /** In lower case; undefined for a closing line. */
  name: string | undefined;
  /** The title, as Markdown. */
  title: string | undefined;
  /** Whether it begins and ends on the same line. */
  isWhole: boolean;
}

/** Reads a `:::` line: `:::tip[Good to know]` begins a tip with that title, `:::` ends it. */
export function readDirective(line: string): Directive {
  const colons = /^:*/.exec(line.trim())?.[0].length ?? 0;
  const written = line.trim().slice(colons).trim();
  const rest = written.replace(/(?<!:):+$/, "").trim();
  const bracket = /^[\w-]{1,60}\[([^\]]{1,500})\]/.exec(rest)?.[1];
  const title = bracket ?? /^[\w-]{1,60}[ \t]+([^={}"<>]{1,500})$/.exec(rest)?.[1];
  return {
    colons,
    name: /^[\w-]{1,60}/.exec(rest)?.[0].toLowerCase(),
    title: title?.trim(),
    isWhole: written.endsWith(":::"),
  };
}

/** The title of a `:::` line as Markdown: "Good to know" for `:::tip[Good to know]`, none for `:::`. */
export function directiveTitle(line: string): string[] {
  const { title } = readDirective(line);
  return title === undefined ? [] : [`**${title}**`];
}

/** Which of the five kinds of a quoted callout. */
function quotedKind(kind: string): string {
  if (/^(?:danger|error|caution)$/.test(kind)) return "CAUTION";
  if (/^(?:tip|hint|success|check)$/.test(kind)) return "TIP";
  if (/^(?:warning|attention)$/.test(kind)) return "WARNING";
  return kind === "important" ? "IMPORTANT" : "NOTE";
}

const TAB = "tab";

/** Whether a container or component of this name keeps what is in it together: a callout or a tab. */
export const isContainerName = (name: string) => name === TAB || isCalloutName(name);

/** HTML in a label, which containers have none of. */
const LABEL_TAG = /<\/?(?:b|br|code|em|i|img|kbd|small|span|strong|sub|sup|svg)\b[^<>]*>/gi;

/** The line that begins a tab at the margin; `TAB_END` ends it. */
export function tabOpening(label: string): string {
  const words = label.replace(LABEL_TAG, "").replace(/[[\]]/g, "").replace(/\s+/g, " ").trim();
  return `:::${TAB}[${words || "…"}]`;
}

export const TAB_END = ":::";

/** A tab as blocks. Inside of a list or another block it is its label and its content. */
export function writeTab(
  label: string,
  blocks: readonly string[],
  { isNested }: { isNested: boolean },
): string[] {
  if (label.trim() === "") return [...blocks];
  return isNested ? [`**${label}**`, ...blocks] : [tabOpening(label), ...blocks, TAB_END];
}

/** A callout as Markdown. Inside of a list or another block it is a quote, as containers stand at the margin alone. */
export function writeCallout(
  { kind, title = "", body }: { kind: string; title?: string | undefined; body: string },
  { isNested }: { isNested: boolean },
): string {
  const words = title.replace(/[[\]\n]+/g, " ").trim();
  const text = body.replace(/^(?:[ \t]*\n)+/, "").trimEnd();
  if (!isNested) return `:::${kind}${words === "" ? "" : `[${words}]`}\n\n${text}\n\n:::`;
  const lines = [`[!${quotedKind(kind)}]${words === "" ? "" : ` ${words}`}`, ...text.split("\n")];
  return lines.map((line) => (line === "" ? ">" : `> ${line}`)).join("\n");
}
