import type { PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";

export interface FontStyle {
  bold: boolean;
  mono: boolean;
}

/** What is known of a document's fonts, by the names that pdf.js gives them. */
export interface Fonts {
  /** Looks at the fonts of a page. Those of earlier pages are known. */
  learn(page: PDFPageProxy, styles: Readonly<Record<string, { vertical?: boolean }>>): Promise<void>;
  styleOf(name: string): FontStyle;
  isVertical(name: string): boolean;
}

const PLAIN: FontStyle = { bold: false, mono: false };
const FONTS_MAX = 5_000;

const BOLD =
  /bold|black|heavy|semibd|[-,]bd|\bdemi|-medi(?:ital)?$|^cmbx|^cmssbx|^sfbx|^ecbx|^lmroman\d+-bold|-db$/i;
const MONO =
  /courier|mono(?!type)|consol|menlo|monaco|typewriter|inconsolata|^cmtt|^cmsltt|^sftt|^ectt|^lmmono|nimbusmon|letter ?gothic|source ?code|fira ?code|lucida ?(?:console|sans ?typewriter)|andale|terminal|ocr[-_]?b|\bcode\b/i;
/** Fonts of signs: all as wide as each other, yet no code. */
const SIGNS =
  /symbol|math|dingbat|^cmsy|^cmex|^cmmi|^msam|^msbm|wingdings|webdings|^zapf|awesome|icon|emoji/i;

export function createFonts(): Fonts {
  const known = new Map<string, FontStyle & { vertical: boolean }>();
  return {
    async learn(page, styles) {
      const news = Object.keys(styles).filter((name) => !known.has(name));
      if (news.length === 0 || known.size > FONTS_MAX) return;
      // The names of fonts come with what the page draws, and with nothing less.
      await page.getOperatorList().catch(() => undefined);
      for (const name of news)
        known.set(name, { ...styleOf(fontData(page, name)), vertical: styles[name]?.vertical === true });
    },
    styleOf: (name) => known.get(name) ?? PLAIN,
    isVertical: (name) => known.get(name)?.vertical === true,
  };
}

function fontData(page: PDFPageProxy, name: string): unknown {
  try {
    return page.commonObjs.has(name) ? page.commonObjs.get(name) : undefined;
  } catch {
    return undefined;
  }
}

function styleOf(font: unknown): FontStyle {
  if (typeof font !== "object" || font === null) return PLAIN;
  const has = (key: string): unknown => Reflect.get(font, key);
  const full = has("name");
  const name = typeof full === "string" ? full.replace(/^[A-Z]{6}\+/, "") : "";
  const bold = has("bold") === true || has("black") === true || BOLD.test(name);
  return { bold, mono: !SIGNS.test(name) && isMono(name, has("isMonospace") === true, has("widths")) };
}

const WIDTHS_MIN = 4;
/** So many signs of one width are letters: digits alone are as wide as each other in most fonts. */
const LETTERS_MIN = 20;

/** Some fonts say wrongly that all of their letters are as wide: the widths are believed before that. */
function isMono(name: string, flag: boolean, widths: unknown): boolean {
  const named = MONO.test(name);
  const known = Object.values(Object(widths)).filter((width) => typeof width === "number" && width > 0);
  if (known.length < WIDTHS_MIN) return named;
  const distinct = new Set(known.map((width) => Math.round(Number(width) / 4))).size;
  return distinct === 1 ? named || flag || known.length >= LETTERS_MIN : distinct === 2 && named;
}
