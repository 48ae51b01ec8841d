import type { PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { type Fragment, partOf, wordBoundary } from "./fragment.ts";
import type { Area } from "./turns.ts";

/** A rectangle of a page that leads somewhere, in the frame of text that is not turned. */
export interface LinkArea extends Area {
  href: string;
}

const LINKS_MAX = 500;
const PIECES_DEPTH_MAX = 20;
const FIELDS_MAX = 5_000;
const FIELD_CHARACTERS_MAX = 20_000;
const WRITTEN = new Set(["Widget", "FreeText"]);

/** The links of a page, and what is filled into its form, or written over it. */
export async function annotationsOf(page: PDFPageProxy): Promise<{ links: LinkArea[]; fields: Fragment[] }> {
  const annotations: unknown = await page.getAnnotations().catch(() => []);
  const links: LinkArea[] = [];
  const fields: Fragment[] = [];
  if (!Array.isArray(annotations)) return { links, fields };
  for (const annotation of annotations) {
    const get = (key: string): unknown => Reflect.get(Object(annotation), key);
    const area = areaOf(get("rect"));
    if (area === undefined || get("hidden") === true) continue;
    const kind = String(get("subtype"));
    const href = kind === "Link" ? hrefOf(get("url")) : undefined;
    if (href !== undefined && links.length < LINKS_MAX) links.push({ ...area, href });
    if (WRITTEN.has(kind) && fields.length < FIELDS_MAX) fields.push(...writtenIn(kind, get, area));
  }
  return { links, fields };
}

function areaOf(rect: unknown): Area | undefined {
  if (!Array.isArray(rect)) return undefined;
  const [x0, y0, x1, y1] = rect.map(Number);
  if (x0 === undefined || y0 === undefined || x1 === undefined || y1 === undefined) return undefined;
  return { x0: Math.min(x0, x1), x1: Math.max(x0, x1), top: -Math.max(y0, y1), bottom: -Math.min(y0, y1) };
}

const hrefOf = (url: unknown) =>
  typeof url === "string" && url.length <= 2_000 && /^(?:https?|mailto):/i.test(url) ? url : undefined;

/** What a field holds, or a note says that is written on the page, line by line. */
function writtenIn(kind: string, get: (key: string) => unknown, area: Area): Fragment[] {
  const lines = kind === "Widget" ? fieldLines(get) : noteLines(get);
  const height = (area.bottom - area.top) / Math.max(1, lines.length);
  const size = Math.max(4, Math.min(10, height * 0.75));
  return lines.flatMap((line, index) => {
    const text = line.replace(/\s+/g, " ").trim();
    if (text === "") return [];
    const x1 = Math.min(area.x1, area.x0 + text.length * size * 0.5);
    const y = area.top + height * index + height / 2 + size * 0.35;
    const style = { bold: false, mono: false, rtl: false, spaceBefore: true, spaceAfter: true };
    return [
      { text, x0: area.x0, x1: Math.max(x1, area.x0 + 1), y, size, order: 1_000_000 + index, ...style },
    ];
  });
}

function fieldLines(get: (key: string) => unknown): string[] {
  const type = get("fieldType");
  if (type !== "Tx" && type !== "Ch") return [];
  if (get("password") === true) return [];
  const value = get("fieldValue");
  const values = Array.isArray(value) ? value : [value];
  const shown = shownWords(get("options"));
  const held = values.flatMap((each) => (typeof each === "string" ? cut(shown.get(each) ?? each) : []));
  return type === "Tx" ? asDrawn(held, textOf(get)) : held;
}

/**
 * A field may be drawn otherwise than what it holds: a sum with its currency, or one that a program drew and did not keep.
 * Where only the white space differs, its own is what is meant: what is drawn has a letter in each box, or lines that are full.
 */
function asDrawn(held: readonly string[], drawn: readonly string[]): string[] {
  const letters = (lines: readonly string[]) => lines.join("").replace(/\s+/g, "");
  const isSame = letters(drawn) === "" || letters(drawn) === letters(held);
  return [...(isSame ? held : drawn)];
}

const OPTIONS_MAX = 5_000;

/** What a field shows for the values that it may send. */
function shownWords(options: unknown): Map<string, string> {
  const shown = new Map<string, string>();
  if (!Array.isArray(options)) return shown;
  for (const option of options.slice(0, OPTIONS_MAX)) {
    const get = (key: string): unknown => Reflect.get(Object(option), key);
    const [value, words] = [get("exportValue"), get("displayValue")];
    if (typeof value === "string" && typeof words === "string") shown.set(value, words);
  }
  return shown;
}

/** What is drawn of a field or a note. */
function textOf(get: (key: string) => unknown): string[] {
  const text = get("textContent");
  return Array.isArray(text) ? text.flatMap((each) => (typeof each === "string" ? cut(each) : [])) : [];
}

function noteLines(get: (key: string) => unknown): string[] {
  const drawn = textOf(get);
  const contents = Reflect.get(Object(get("contentsObj")), "str");
  return drawn.length === 0 && typeof contents === "string" ? cut(contents) : drawn;
}

const cut = (text: string) => text.slice(0, FIELD_CHARACTERS_MAX).split(/\r\n?|\n/);

/** A fragment with what of it leads somewhere apart: where exactly, its letters' mean width says. */
export function linkPieces(fragment: Fragment, links: readonly LinkArea[], depth = 0): Fragment[] {
  if (depth > PIECES_DEPTH_MAX) return [fragment];
  const middle = fragment.y - fragment.size * 0.3;
  const link = links.find(
    ({ x0, x1, top, bottom }) =>
      middle > top && middle < bottom && Math.min(x1, fragment.x1) - Math.max(x0, fragment.x0) > 1,
  );
  if (link === undefined) return [fragment];
  const { text } = fragment;
  const width = (fragment.x1 - fragment.x0) / text.length;
  const from = wordBoundary(text, (link.x0 - fragment.x0) / width);
  const to = wordBoundary(text, (link.x1 - fragment.x0) / width);
  if (fragment.rtl || to <= from || width <= 0) return [{ ...fragment, link: link.href }];
  const whole = { ...fragment, link: link.href };
  if (from === 0 && to === text.length) return [whole];
  const rest = partOf(fragment, to, text.length);
  const others = links.filter((each) => each !== link);
  return [
    ...(from > 0 ? [partOf(fragment, 0, from)] : []).flatMap((each) => linkPieces(each, others, depth + 1)),
    partOf(whole, from, to),
    ...(to < text.length ? linkPieces(rest, others, depth + 1) : []),
  ].filter(({ text }) => text !== "");
}
