import type { PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { annotationsOf, type LinkArea, linkPieces } from "./annotations.ts";
import type { Fonts } from "./fonts.ts";
import type { Fragment, Frame } from "./fragment.ts";
import { createDirections, turned, turnOf } from "./turns.ts";
import { UNKNOWN_SIGNS, unreadableFonts } from "./unreadable-fonts.ts";

/** What is written on one page. */
export interface PageText {
  frames: Frame[];
  characters: number;
  /** Characters without a meaning, which are left out: their font does not say which letters its pictures are. */
  unknown: number;
}

/** Text beyond this on one page is no text that people read. */
const ITEMS_MAX = 60_000;

interface Item {
  str: string;
  dir: string;
  width: number;
  height: number;
  transform: number[];
  fontName: string;
  mark?: string;
}

/** Reads the text of a page. */
export async function readPageText(page: PDFPageProxy, fonts: Fonts): Promise<PageText> {
  // The parts of joined letters would come in the wrong order in Arabic: they are taken apart afterwards.
  const content = await page.getTextContent({ disableNormalization: true, includeMarkedContent: true });
  await fonts.learn(page, content.styles);
  const items = markedItems(content.items);
  const { links, fields } = await annotationsOf(page);
  for (const item of items) item.str = fonts.repaired(item.fontName, item.str);
  const unread = unreadableFonts(items);
  const readable = items.filter(({ fontName }) => !unread.fonts.has(fontName));
  const placed = [...placeItems(readable, fonts), ...fields.map((fragment) => ({ turn: 0, fragment }))];
  return gather(placed, links, unread.characters);
}

/** The texts of a page, each with the mark of the part that it is in. */
function markedItems(items: Awaited<ReturnType<PDFPageProxy["getTextContent"]>>["items"]): Item[] {
  const texts: Item[] = [];
  const marks: (string | undefined)[] = [];
  for (const item of items) {
    if (texts.length >= ITEMS_MAX) break;
    const mark = marks.at(-1);
    if ("str" in item) texts.push(mark === undefined ? item : { ...item, mark });
    else if (item.type === "endMarkedContent") marks.pop();
    // What is marked for another reason within a part is of that part.
    else marks.push(typeof item.id === "string" ? item.id : mark);
  }
  return texts;
}

interface Placed {
  /** The degrees that its line is turned by. */
  turn: number;
  fragment: Fragment;
}

function placeItems(items: readonly Item[], fonts: Fonts): Placed[] {
  const placed: Placed[] = [];
  const directions = createDirections(items);
  let spaceBefore = false;
  for (const item of items) {
    const text = plainText(item.str);
    const words = text.trim();
    if (words === "") {
      const last = placed.at(-1)?.fragment;
      if (text !== "" && last !== undefined) last.spaceAfter = true;
      spaceBefore = text !== "";
      continue;
    }
    placed.push(
      placeItem(item, text, fonts, { degrees: directions.of(item), order: placed.length, spaceBefore }),
    );
    spaceBefore = false;
  }
  return placed;
}

function placeItem(
  item: Item,
  text: string,
  fonts: Fonts,
  { degrees, order, spaceBefore }: { degrees: number; order: number; spaceBefore: boolean },
): Placed {
  const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = item.transform;
  const vertical = fonts.isVertical(item.fontName);
  const size = Math.hypot(c, d) || Math.hypot(a, b) || 1;
  const turn = vertical ? (degrees + 270) % 360 : degrees;
  const [u, v] = turnOf(turn)(x, y);
  const length = vertical ? item.height : item.width;
  const { bold, mono } = fonts.styleOf(item.fontName);
  return {
    turn,
    fragment: {
      text: text.trim(),
      x0: u,
      x1: u + length,
      y: v,
      size,
      bold,
      mono: mono && !CJK.test(text),
      rtl: item.dir === "rtl",
      order,
      spaceBefore: spaceBefore || /^\s/.test(text),
      spaceAfter: /\s$/.test(text),
      ...(item.mark === undefined ? {} : { mark: item.mark }),
    },
  };
}

/** Scripts whose signs are all of one width, although they are no code. */
const CJK = /[\u2E80-\u30FF\u3400-\u9FFF\uAC00-\uD7AF\uFF00-\uFFEF]/;

const NO_SIGN = /[\u200B\u2060\uFEFF]/g;
/** Figures and small capitals as Adobe once numbered them. */
const OLD_FORMS = /[\uF730-\uF739\uF761-\uF77A\uF7E0-\uF7F6\uF7F8-\uF7FE]/g;
const plainForm = (sign: string) => String.fromCharCode(sign.charCodeAt(0) & 0xff);
/** Letters as they are set: joined, in the forms of Arabic, and the radicals that stand for whole signs. */
const LIGATURES = /[\uFB00-\uFDFB\uFE70-\uFEFC\u0132\u0133\u2F00-\u2FDF]/g;
const SPACES = /[\t\n\r\u00A0\u2000-\u200A\u202F\u205F]+/g;

/** Text with its ligatures as letters, and without what is no sign. The signs of bullets in old fonts become bullets. */
function plainText(text: string): string {
  return text
    .replace(NO_SIGN, "")
    .replace(OLD_FORMS, plainForm)
    .replace(/\uF0B7|\uF0A7|\uF076|\uF0D8|\uF0FC|\uF06E|\uF0A8/g, "•")
    .replace(UNKNOWN_SIGNS, " ")
    .replace(LIGATURES, (letters) => letters.normalize("NFKC"))
    .replace(SPACES, " ")
    .replace(ACCENT_BEFORE, withAccent);
}

/** Old fonts have accents as signs of their own, which are set above the letter that follows. */
const ACCENT_BEFORE = /([´¨ˆ˜¯˘˙˚ˇ˝])([A-Za-zıȷ])/g;
const ACCENTS: Record<string, string> = {
  "´": "\u0301",
  "¨": "\u0308",
  ˆ: "\u0302",
  "˜": "\u0303",
  "¯": "\u0304",
  "˘": "\u0306",
  "˙": "\u0307",
  "˚": "\u030A",
  ˇ: "\u030C",
  "˝": "\u030B",
};

function withAccent(written: string, accent: string, letter: string): string {
  const bare = letter === "ı" ? "i" : letter === "ȷ" ? "j" : letter;
  const composed = (bare + (ACCENTS[accent] ?? "")).normalize("NFC");
  return composed.length === 1 ? composed : written;
}

const RTL = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/g;

function gather(placed: readonly Placed[], links: readonly LinkArea[], unknown: number): PageText {
  const byTurn = new Map<number, Fragment[]>();
  const areas = new Map<number, LinkArea[]>();
  const page: PageText = { frames: [], characters: unknown, unknown };
  for (const { turn, fragment } of placed) {
    page.characters += fragment.text.length;
    const own = areas.get(turn) ?? links.map((link) => turned(link, turnOf(turn)));
    areas.set(turn, own);
    const pieces = linkPieces(fragment, own);
    const known = byTurn.get(turn);
    if (known === undefined) byTurn.set(turn, [...pieces]);
    else for (const piece of pieces) known.push(piece);
  }
  page.frames = [...byTurn]
    .map(([turn, fragments]) => ({ turn, fragments, rtl: isMostlyRtl(fragments) }))
    .sort((a, b) => lettersOf(b.fragments) - lettersOf(a.fragments));
  return page;
}

const lettersOf = (fragments: readonly Fragment[]) =>
  fragments.reduce((sum, { text }) => sum + text.length, 0);

function isMostlyRtl(fragments: readonly Fragment[]): boolean {
  const letters = fragments.reduce((sum, { text }) => sum + (text.match(RTL)?.length ?? 0), 0);
  return letters > lettersOf(fragments) * 0.4;
}
