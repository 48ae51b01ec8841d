import { formatNumber, isCodeName, isContentsName, isMonoFont } from "../blocks/blocks.ts";
import { attributeOf, childOf, childrenOf, type XmlElement } from "../xml/xml.ts";

/** What a style makes of paragraphs, words, pages or tables, with what it inherits. */
export interface Style {
  name: string;
  outlineLevel?: number | undefined;
  listStyle?: string | undefined;
  isTitle: boolean;
  isContents: boolean;
  isCode: boolean;
  isMono?: boolean | undefined;
  isStrong?: boolean | undefined;
  isEmphasis?: boolean | undefined;
  isRaised?: boolean | undefined;
  /** Words, pages and tables can be hidden. */
  isHidden: boolean;
}

/** A level of a list. */
export interface ListLevel {
  isNumbered: boolean;
  format: string;
  prefix: string;
  suffix: string;
  start: number;
  /** How many levels its number shows. */
  shown: number;
}

export interface Styles {
  get(family: string, name: string | undefined): Style;
  /** The levels of a list, from 1. */
  list(name: string | undefined): ReadonlyMap<number, ListLevel> | undefined;
  /** The numbers of headings. */
  outline: ReadonlyMap<number, ListLevel>;
}

const DEPTH_MAX = 30;
const PLAIN: Style = { name: "", isTitle: false, isContents: false, isCode: false, isHidden: false };

/** Reads styles out of the elements that hold them. */
export function readStyles(holders: readonly XmlElement[]): Styles {
  const written = new Map<string, XmlElement>();
  const lists = new Map<string, ReadonlyMap<number, ListLevel>>();
  const fonts = new Map<string, string>();
  let outline: ReadonlyMap<number, ListLevel> = new Map();
  for (const element of holders.flatMap((holder) => childrenOf(holder))) {
    const name = attributeOf(element, "style:name") ?? "";
    if (element.name === "style:style")
      written.set(`${attributeOf(element, "style:family")} ${name}`, element);
    else if (element.name === "text:list-style") lists.set(name, readLevels(element));
    else if (element.name === "text:outline-style") outline = readLevels(element);
    else if (element.name === "style:font-face")
      fonts.set(name, attributeOf(element, "svg:font-family") ?? name);
  }
  const resolved = new Map<string, Style>();
  const resolve = (family: string, name: string, depth: number): Style => {
    const key = `${family} ${name}`;
    const known = resolved.get(key);
    if (known !== undefined) return known;
    const element = written.get(key);
    if (element === undefined) return { ...PLAIN, name, isTitle: name === "Title" };
    const parent = attributeOf(element, "style:parent-style-name");
    const base = parent === undefined || depth > DEPTH_MAX ? PLAIN : resolve(family, parent, depth + 1);
    const style = styleOf(element, base, fonts);
    resolved.set(key, style);
    return style;
  };
  return {
    get: (family, name) => (name === undefined ? PLAIN : resolve(family, name, 0)),
    list: (name) => (name === undefined ? undefined : lists.get(name)),
    outline,
  };
}

function styleOf(element: XmlElement, base: Style, fonts: ReadonlyMap<string, string>): Style {
  const written = attributeOf(element, "style:display-name") ?? attributeOf(element, "style:name") ?? "";
  const name = written.replaceAll("_20_", " ");
  const text = childOf(element, "style:text-properties") ?? childOf(element, "style:properties");
  const font = attributeOf(text, "style:font-name");
  const family =
    attributeOf(text, "fo:font-family") ?? (font === undefined ? undefined : (fonts.get(font) ?? font));
  const weight = attributeOf(text, "fo:font-weight");
  const slant = attributeOf(text, "fo:font-style");
  const level = Number(attributeOf(element, "style:default-outline-level") ?? "");
  const position = attributeOf(text, "style:text-position");
  return {
    name,
    outlineLevel: level > 0 ? level : base.outlineLevel,
    listStyle: attributeOf(element, "style:list-style-name") ?? base.listStyle,
    isTitle: /^title$/i.test(name) || base.isTitle,
    isContents: isContentsName(name),
    isCode: isCodeName(name) || base.isCode,
    isMono: family === undefined ? base.isMono : isMonoFont(family),
    isStrong: weight === undefined ? base.isStrong : /^(?:bold|[6-9]00)$/.test(weight),
    isEmphasis: slant === undefined ? base.isEmphasis : /^(?:italic|oblique)$/.test(slant),
    isRaised: position === undefined ? base.isRaised : /^(?:super|[1-9])/.test(position),
    isHidden: isHidden(element) ?? base.isHidden,
  };
}

function isHidden(element: XmlElement): boolean | undefined {
  const page = attributeOf(childOf(element, "style:drawing-page-properties"), "presentation:visibility");
  const table = attributeOf(childOf(element, "style:table-properties"), "table:display");
  const words = attributeOf(childOf(element, "style:text-properties"), "text:display");
  if (page !== undefined) return page === "hidden";
  if (table !== undefined) return table === "false";
  return words === undefined ? undefined : words === "none";
}

function readLevels(list: XmlElement): ReadonlyMap<number, ListLevel> {
  return new Map(
    childrenOf(list).flatMap((element) => {
      const level = Number(attributeOf(element, "text:level"));
      if (!(level > 0)) return [];
      const format = attributeOf(element, "style:num-format") ?? "";
      const isBullet = /bullet|image$/.test(element.name);
      const start = Number(attributeOf(element, "text:start-value") ?? 1);
      return [
        [
          level,
          {
            isNumbered: !isBullet && format !== "",
            format: isBullet ? "bullet" : format,
            prefix: attributeOf(element, "style:num-prefix") ?? "",
            suffix: attributeOf(element, "style:num-suffix") ?? "",
            start: Number.isInteger(start) ? start : 1,
            shown: Number(attributeOf(element, "text:display-levels") ?? 1) || 1,
          },
        ] as const,
      ];
    }),
  );
}

const FORMATS: Record<string, string> = {
  "1": "decimal",
  a: "lowerLetter",
  A: "upperLetter",
  i: "lowerRoman",
  I: "upperRoman",
};

/** The number of an item as it is shown, by the counters of its level and those above. */
export function labelOf(
  levels: ReadonlyMap<number, ListLevel>,
  level: number,
  counters: readonly number[],
): string {
  const own = levels.get(level);
  if (own === undefined || !own.isNumbered) return "";
  const numbers: string[] = [];
  for (let at = Math.max(1, level - own.shown + 1); at <= level; at++) {
    const each = levels.get(at);
    if (each?.isNumbered === true)
      numbers.push(formatNumber(counters[at] ?? each.start, FORMATS[each.format] ?? "decimal"));
  }
  return `${own.prefix}${numbers.join(".")}${own.suffix}`.replace(/\s+/g, " ").trim();
}
