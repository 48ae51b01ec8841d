import { replaceEnclosed } from "@docent/kernel/text/code-spans";
import { createSlugger } from "../../markdown/anchors.ts";
import {
  attributeOf,
  codeHtml,
  htmlOfText,
  htmlOfWords,
  linkHtml,
  markdownOf,
  withoutReserved,
} from "../wiki-writing/wiki-writing.ts";
import { wordsOfHeading, writeBlocks } from "./blocks.ts";
import { calloutHtml, type MacroWriting, writeMacro } from "./macros.ts";
import { type Piece, readParams, takePieces } from "./pieces.ts";

/** Answers what a page only names. Undefined is said of what readers do not have. */
export interface PageNames {
  /** The address of a page that `doc:`, `page:`, `space:` or nothing stands in front of, with a place in it. */
  pageHref(scheme: string, reference: string, anchor: string): string | undefined;
  /** The title that a page is shown with. */
  pageTitle(scheme: string, reference: string): string | undefined;
  /** Where an attached image is found: `image.png`, or `Space.Page@image.png`. */
  imageSource(reference: string): string | undefined;
  fileHref(reference: string): string | undefined;
  /** The text of a page that stands in this one. */
  includedText(reference: string): string | undefined;
}

interface WrittenPage {
  markdown: string;
  faults: string[];
}

const DEPTH_MAX = 20;
const KEPT = /\uE000(\d{1,7})\uE001/g;
const SHOWN_CHARACTERS_MAX = 5_000_000;

/** A page of XWiki's syntax, 2.0 or 2.1, as Markdown. */
export function writePage(names: PageNames, text: string): WrittenPage {
  const kept: string[] = [];
  const notes: string[] = [];
  const faults = new Set<string>();
  const keep = (html: string) => `\uE000${kept.push(html) - 1}\uE001`;
  const writing = (depth: number): MacroWriting => ({
    names,
    faults,
    notes,
    blocks: (inner) => blocks(inner, depth + 1),
    insideHtml: (inner) =>
      pieces(inner, depth + 1).replace(
        /(^|>)([^<>]+)(?=<|$)/g,
        (_, tag: string, text: string) => tag + marked(text),
      ),
    words: (inner) => words(inner, depth + 1),
  });
  const pieces = (inner: string, depth: number) =>
    takePieces(inner, (piece) => (depth > DEPTH_MAX ? "" : keep(writePiece(piece, writing(depth)))), keep);
  const blocks = (inner: string, depth: number): string =>
    writeBlocks(pieces(inner.replace(/\r\n?/g, "\n"), depth), (line) => marked(htmlOfWords(line)));
  const words = (inner: string, depth: number): string => marked(htmlOfWords(pieces(inner, depth)));
  const html = blocks(withoutReserved(text), 0);
  const shown = createShowing(kept, faults);
  return { markdown: markdownOf(shown(html), notes.map(shown)), faults: [...faults] };
}

function createShowing(kept: readonly string[], faults: Set<string>): (html: string) => string {
  let left = SHOWN_CHARACTERS_MAX;
  const show = (html: string, depth: number): string =>
    html.replace(KEPT, (_, number: string) => {
      const piece = kept[Number(number)] ?? "";
      left -= piece.length;
      if (left >= 0 && depth <= 2 * DEPTH_MAX) return show(piece, depth + 1);
      faults.add("What it repeats is more than is read: some of it is left out.");
      return "";
    });
  return (html) => show(html, 0);
}

const MARKS: Readonly<Record<string, string>> = {
  "**": "strong",
  "//": "em",
  __: "u",
  "--": "del",
  "^^": "sup",
  ",,": "sub",
  "##": "code",
};
const MARK = /(\*\*|\/\/|__|--|\^\^|,,|##)/;

/** Marks open and close by turns. What is left open ends with the words. */
function marked(html: string): string {
  const open: string[] = [];
  const written = html.split(MARK).map((part) => {
    const tag = MARKS[part];
    if (tag === undefined) return part;
    if (!open.includes(tag)) {
      open.push(tag);
      return `<${tag}>`;
    }
    const from = open.lastIndexOf(tag);
    const inside = open.splice(from).slice(1);
    open.push(...inside);
    return (
      [...inside]
        .reverse()
        .map((each) => `</${each}>`)
        .join("") +
      `</${tag}>` +
      inside.map((each) => `<${each}>`).join("")
    );
  });
  return (
    written.join("").replaceAll("\\\\", "<br>") +
    open
      .reverse()
      .map((tag) => `</${tag}>`)
      .join("")
  );
}

function writePiece(piece: Piece, writing: MacroWriting): string {
  if (piece.kind === "macro") return writeMacro(piece, writing);
  if (piece.kind === "link") return writeLink(piece.text, writing);
  if (piece.kind === "verbatim")
    return piece.text.includes("\n")
      ? codeHtml(piece.text.replace(/^\n|\n$/g, ""))
      : `<code>${htmlOfText(piece.text)}</code>`;
  const inside = writing.blocks(piece.text);
  const [, kind] = /\b(info|warning|error|success)message\b/.exec(piece.params.get("class") ?? "") ?? [];
  return kind === undefined ? `<div>${inside}</div>` : calloutHtml(kind, "", inside);
}

/** `label>>reference||parameters`, or the reference alone. */
function writeLink(text: string, { names, words }: MacroWriting): string {
  const { label, target, params } = partsOf(text);
  const [, scheme = "", rest = target] =
    /^(doc|page|space|attach|image|url|mailto|path|unc|user|pageAttach):(.*)$/s.exec(target) ?? [];
  const said = label === undefined ? undefined : words(label);
  if (scheme === "image") {
    const source = names.imageSource(rest) ?? (/^https?:\/\//.test(rest) ? rest : undefined);
    const alt = params.get("alt") ?? "";
    if (source === undefined) return said ?? htmlOfText(alt || fileName(rest));
    const width = /^\d{1,5}/.exec(params.get("width") ?? "")?.[0];
    const shown = `<img src="${attributeOf(source)}" alt="${attributeOf(alt)}"${width === undefined ? "" : ` width="${width}"`}>`;
    return said === undefined ? shown : `${shown}<br>${said}`;
  }
  if (scheme === "attach" || scheme === "pageAttach")
    return anchored(names.fileHref(rest), said ?? htmlOfText(fileName(rest)));
  if (scheme === "mailto") return anchored(`mailto:${rest}`, said ?? htmlOfText(rest));
  const isAddress = scheme === "url" || /^(?:[a-z][a-z\d+.-]{1,20}:\/\/|mailto:)/i.test(target);
  if (isAddress) return anchored(rest, said ?? htmlOfText(rest));
  if (["path", "unc", "user"].includes(scheme)) return said ?? htmlOfText(lastPart(rest));
  const [reference = "", behind = ""] = rest.split(/(?<!\\)#(.*)/s);
  const place = reference.split(/(?<!\\)\?/)[0] ?? "";
  const anchor = params.get("anchor") ?? behind;
  const shown = said ?? htmlOfText(names.pageTitle(scheme, place) ?? (lastPart(place) || anchor));
  return anchored(names.pageHref(scheme, place, anchor), shown);
}

function partsOf(text: string): {
  label: string | undefined;
  target: string;
  params: ReadonlyMap<string, string>;
} {
  const at = text.lastIndexOf(">>");
  const behind = at < 0 ? text : text.slice(at + 2);
  const [target = "", said = ""] = behind.split(/\|\|(.*)/s);
  const label = at <= 0 ? undefined : text.slice(0, at);
  return { label: label?.trim() === "" ? undefined : label, target: target.trim(), params: readParams(said) };
}

/** The name of a file without the page that it is attached to. */
const fileName = (reference: string) => reference.slice(reference.lastIndexOf("@") + 1).replaceAll("\\", "");

/** The last name of a reference: what a page or a file is called by those who know it. */
const lastPart = (reference: string) =>
  (
    reference
      .split(/(?<!\\)[.@:/]/)
      .filter((part) => part !== "" && part !== "WebHome")
      .at(-1) ?? ""
  ).replaceAll("\\", "") || reference;

const anchored = (href: string | undefined, html: string) =>
  href === undefined ? html : linkHtml(href, html);

/** The places in a page that anchors lead to, by what XWiki calls them. */
export type PagePlaces = ReadonlyMap<string, string>;

const HEADING_LINE = /^[ \t]*={1,6}[ \t]*(.*)$/gm;
const PLACE_MACRO = /\{\{(?:id|anchor)\s+name="([^"]{1,300})"\s*\/\}\}/g;

/** Reads which places a page has: `HFirststeps` is the heading "First steps". */
export function placesIn(text: string): PagePlaces {
  const places = new Map<string, string>();
  const slugger = createSlugger();
  const read = replaceEnclosed(
    text,
    /\{\{(code|velocity|html)\b|\{\{\{/,
    ([, name]) => (name === undefined ? "}}}" : `\\{\\{/${name}\\}\\}`),
    () => "",
  );
  for (const [, said = ""] of read.matchAll(HEADING_LINE)) {
    const words = wordsOfHeading(said)
      .replace(/\(%.*?%\)|\*\*|\/\/|__|--|##|~/g, "")
      .trim();
    if (words === "") continue;
    const anchor = slugger.unique(words);
    const name = bare(`H${words}`);
    if (!places.has(name)) places.set(name, anchor);
  }
  for (const [, id = ""] of text.matchAll(PLACE_MACRO)) if (!places.has(bare(id))) places.set(bare(id), id);
  return places;
}

export const placeOf = (places: PagePlaces, anchor: string): string | undefined => places.get(bare(anchor));

const bare = (words: string) => words.replace(/[^\p{L}\p{N}]+/gu, "").toLowerCase();
