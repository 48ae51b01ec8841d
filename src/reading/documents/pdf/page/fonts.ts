import type { PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";

interface FontStyle {
  bold: boolean;
  mono: boolean;
}

/** What is known of a document's fonts, by the names that pdf.js gives them. */
export interface Fonts {
  /** Looks at the fonts of a page. Those of earlier pages are known. */
  learn(page: PDFPageProxy, styles: Readonly<Record<string, { vertical?: boolean }>>): Promise<void>;
  styleOf(name: string): FontStyle;
  isVertical(name: string): boolean;
  /** A text of a font with the letters in it that pdf.js knows only by their number. */
  repaired(name: string, text: string): string;
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
  const known = new Map<string, FontStyle & { vertical: boolean; forms: Map<string, string> }>();
  return {
    async learn(page, styles) {
      const news = Object.keys(styles).filter((name) => !known.has(name));
      if (news.length === 0 || known.size > FONTS_MAX) return;
      // The names of fonts come with what the page draws, and with nothing less.
      await page.getOperatorList().catch(() => undefined);
      for (const name of news) {
        const font = fontData(page, name);
        const vertical = styles[name]?.vertical === true;
        known.set(name, { ...styleOf(font), vertical, forms: formsOf(font) });
      }
    },
    styleOf: (name) => known.get(name) ?? PLAIN,
    isVertical: (name) => known.get(name)?.vertical === true,
    repaired(name, text) {
      const forms = known.get(name)?.forms;
      return forms === undefined || forms.size === 0
        ? text
        : text.replace(NUMBERS, (sign) => forms.get(sign) ?? sign);
    },
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: letters that are known only by their number come as these.
const NUMBERS = /[\u0001-\u001F\u007F-\u009F]/g;
const FIGURES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/** Forms of letters that a font names after them, as `one.oldstyle`, `a.sc` and `f_f_i`: by the sign that stands for each. */
function formsOf(font: unknown): Map<string, string> {
  const forms = new Map<string, string>();
  const names: unknown = Reflect.get(Object(font), "differences");
  const entries: [unknown, unknown][] = names instanceof Map ? [...names] : Object.entries(Object(names));
  for (const [code, name] of entries.slice(0, 300)) {
    if (typeof name !== "string" || Number(code) > 0x9f) continue;
    const [base = "", suffix] = name.split(".", 2);
    const letters = base
      .split("_")
      .map((part) => (FIGURES.includes(part) ? `${FIGURES.indexOf(part)}` : part));
    if (letters.every((letter) => letter.length === 1) && (letters.length > 1 || suffix !== undefined))
      forms.set(String.fromCharCode(Number(code)), letters.join(""));
  }
  return forms;
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
/** The least signs of one width that tell of a font for code: digits alone are of one width in most fonts. */
const LETTERS_MIN = 20;

/** Some fonts say wrongly that all of their letters are as wide: the widths are believed before that. */
function isMono(name: string, flag: boolean, widths: unknown): boolean {
  const named = MONO.test(name);
  const known = Object.values(Object(widths)).filter((width) => typeof width === "number" && width > 0);
  if (known.length < WIDTHS_MIN) return named;
  const distinct = new Set(known.map((width) => Math.round(Number(width) / 4))).size;
  return distinct === 1 ? named || flag || known.length >= LETTERS_MIN : distinct === 2 && named;
}
