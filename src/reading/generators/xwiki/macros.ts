import { attributeOf, codeHtml, htmlOfText, mathsHtml, noteMark } from "../wiki-writing/wiki-writing.ts";
import type { PageNames } from "./markup.ts";
import type { Piece } from "./pieces.ts";

/** What macros are written with. */
export interface MacroWriting {
  names: PageNames;
  faults: Set<string>;
  notes: string[];
  /** A text with its markup as blocks of HTML, and as HTML within a line. */
  blocks(text: string): string;
  words(text: string): string;
  /** HTML in whose words the wiki's markup holds. */
  insideHtml(html: string): string;
}

type Macro = Extract<Piece, { kind: "macro" }>;
type MacroWriter = (macro: Macro, writing: MacroWriting) => string;

const KINDS: Readonly<Record<string, string>> = {
  info: "NOTE",
  box: "NOTE",
  note: "NOTE",
  tip: "TIP",
  success: "TIP",
  warning: "WARNING",
  error: "CAUTION",
};

/** A callout as a quote with a mark. */
export const calloutHtml = (kind: string, title: string, inside: string) =>
  `<blockquote><p>[!${KINDS[kind] ?? "NOTE"}]${title === "" ? "" : ` ${title}`}</p>${inside}</blockquote>`;

const inside: MacroWriter = ({ content = "" }, { blocks, words }) =>
  content.trim().includes("\n") ? blocks(content) : words(content.trim());
const nothing: MacroWriter = () => "";

const callout: MacroWriter = ({ name, params, content = "" }, { blocks, words }) =>
  content.trim() === "" ? "" : calloutHtml(name, words(params.get("title") ?? ""), blocks(content.trim()));

const code: MacroWriter = ({ name, params, content = "" }) => {
  const language = params.get("language") ?? (name === "code" ? "" : name);
  const title = params.get("title") ?? "";
  const shown = codeHtml(content.replace(/^\s*\n|\s+$/g, ""), language === "none" ? "" : language);
  return title === "" ? shown : `<p><b>${htmlOfText(title)}</b></p>${shown}`;
};

/** HTML that its author wrote: in some of it the wiki's markup holds, too. */
const html: MacroWriter = ({ params, content = "" }, { insideHtml }) =>
  `<div>${params.get("wiki") === "true" ? insideHtml(content) : content}</div>`;

/** What is written in another syntax, and shown as it is: only HTML can be. */
const raw: MacroWriter = ({ params, content = "" }) =>
  /^x?html\//.test(params.get("syntax") ?? "") ? content : "";

/** What a program writes is not known without running it. */
const program: MacroWriter = ({ name }, { faults }) => {
  faults.add(`What a program in it writes (${name}) is left out.`);
  return "";
};

const include: MacroWriter = ({ params }, { names, blocks, faults }) => {
  const reference = params.get("reference") ?? params.get("document") ?? params.get("page") ?? "";
  const text = names.includedText(reference);
  if (text === undefined) faults.add(`What it includes is left out: the page "${reference}".`);
  return text === undefined ? "" : blocks(text);
};

const place: MacroWriter = ({ params }) => `<a id="${attributeOf(params.get("name") ?? "")}"></a>`;

const note: MacroWriter = ({ content = "" }, { notes, words }) => noteMark(notes.push(words(content.trim())));

const formula: MacroWriter = ({ content = "" }) => mathsHtml(content.trim(), content.includes("\n"));

const image: MacroWriter = ({ params }, { names }) => {
  const source = names.imageSource(params.get("reference") ?? "");
  return source === undefined
    ? ""
    : `<img src="${attributeOf(source)}" alt="${attributeOf(params.get("alt") ?? "")}">`;
};

const mention: MacroWriter = ({ params }) =>
  htmlOfText((params.get("reference") ?? "").split(/[.:]/).at(-1) ?? "");

const quote: MacroWriter = ({ content = "" }, { blocks }) =>
  `<blockquote>${blocks(content.trim())}</blockquote>`;

const status: MacroWriter = ({ params, content = "" }) => htmlOfText(params.get("title") ?? content);

/** What the wiki makes of other pages each time that a page is shown. */
const MADE_BY_WIKI = (
  "toc children documents documenttree pagetree spaceindex spaces livetable livedata activity notifications dashboard search " +
  "tagcloud rss chart attachmentselector attachments useravatar usersactivity putfootnotes comment messagesender wikis menu " +
  "recentlychanged officeviewer excerpt-include blogpostlist navigation-panel translation localization gadget video"
).split(" ");

const WRITERS: ReadonlyMap<string, MacroWriter> = new Map<string, MacroWriter>([
  ...MADE_BY_WIKI.map((name) => [name, nothing] as const),
  ...Object.keys(KINDS).map((name) => [name, callout] as const),
  ...["code", "plantuml", "mermaid", "markdown"].map((name) => [name, code] as const),
  ...["velocity", "groovy", "python", "script", "php", "ruby"].map((name) => [name, program] as const),
  ...["include", "display", "includepage"].map((name) => [name, include] as const),
  ...["id", "anchor"].map((name) => [name, place] as const),
  ["html", html],
  ["raw", raw],
  ["footnote", note],
  ["formula", formula],
  ["image", image],
  ["mention", mention],
  ["quote", quote],
  ["status", status],
]);

/** A macro as HTML. What no reader knows keeps the words that it frames, and is told of where it has none. */
export function writeMacro(macro: Macro, writing: MacroWriting): string {
  const writer = WRITERS.get(macro.name);
  if (writer !== undefined) return writer(macro, writing);
  if (macro.content === undefined)
    writing.faults.add(`The macro "${macro.name}" is left out: it is not known.`);
  return inside(macro, writing);
}
