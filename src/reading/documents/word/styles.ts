import { isCodeName, isContentsName, isMonoFont } from "../blocks/blocks.ts";
import { attributeOf, childOf, childrenOf, type XmlElement } from "../xml/xml.ts";

/** What a style makes of a paragraph or of words, with what it inherits. */
export interface Style {
  name: string;
  /** 1 to 9 for a heading. */
  headingLevel?: number | undefined;
  isTitle: boolean;
  /** A line of a table of contents. */
  isContents: boolean;
  isCode: boolean;
  isMono: boolean;
  isStrong: boolean;
  isEmphasis: boolean;
  isHidden: boolean;
  /** The list that it numbers paragraphs by. */
  list?: { numId: string | undefined; level: number | undefined } | undefined;
}

export interface Styles {
  get(id: string | undefined): Style;
  /** Of paragraphs that name no style. */
  paragraph: Style;
  /** Whether all is written as on a typewriter: then that says nothing of code. */
  isMonoByDefault: boolean;
}

const DEPTH_MAX = 30;
const PLAIN: Style = {
  name: "",
  isTitle: false,
  isContents: false,
  isCode: false,
  isMono: false,
  isStrong: false,
  isEmphasis: false,
  isHidden: false,
};

/** Names under which programs in other languages know headings. */
const HEADING =
  /^(?:heading|überschrift|berschrift|titre|título|ttulo|titolo|kop|rubrik|overskrift|otsikko|nagłówek|nagwek|nadpis|заголовок|标题|標題|見出し|제목)\s*([1-9])$/iu;
/** Reads the styles of a document. */
export function readStyles(root: XmlElement | undefined): Styles {
  const written = new Map(
    childrenOf(root, "w:style").map((style) => [attributeOf(style, "w:styleId") ?? "", style]),
  );
  const resolved = new Map<string, Style>();
  const resolve = (id: string, depth: number): Style => {
    const known = resolved.get(id);
    if (known !== undefined) return known;
    const style = written.get(id);
    if (style === undefined) return namedOnly(id);
    const base = attributeOf(childOf(style, "w:basedOn"), "w:val");
    const inherited =
      base === undefined || base === id || depth > DEPTH_MAX ? PLAIN : resolve(base, depth + 1);
    const own = styleOf(style, id, inherited);
    resolved.set(id, own);
    return own;
  };
  const [defaultId] =
    [...written].find(
      ([, style]) => attributeOf(style, "w:type") === "paragraph" && isOn(attributeOf(style, "w:default")),
    ) ?? [];
  const defaults = childOf(root, "w:docDefaults", "w:rPrDefault", "w:rPr");
  const paragraph = defaultId === undefined ? PLAIN : resolve(defaultId, 0);
  return {
    get: (id) => (id === undefined ? paragraph : resolve(id, 0)),
    paragraph,
    isMonoByDefault: paragraph.isMono || isMonoFont(fontOf(defaults)),
  };
}

/** A style that a paragraph names and the document does not have. */
function namedOnly(id: string): Style {
  return { ...PLAIN, name: id, headingLevel: levelOfName(id), isTitle: id === "Title" };
}

const levelOfName = (name: string) => {
  const level = HEADING.exec(name)?.[1];
  return level === undefined ? undefined : Number(level);
};

function styleOf(style: XmlElement, id: string, base: Style): Style {
  const name = attributeOf(childOf(style, "w:name"), "w:val") ?? id;
  const properties = childOf(style, "w:pPr");
  const look = lookOf(childOf(style, "w:rPr"));
  const outline = outlineLevel(properties);
  const list = childOf(properties, "w:numPr");
  const ownLevel = levelOfName(name) ?? levelOfName(id);
  return {
    name,
    headingLevel: outline === "body" ? undefined : (ownLevel ?? outline ?? base.headingLevel),
    isTitle: /^title$/i.test(name) || (base.isTitle && outline === undefined && ownLevel === undefined),
    isContents: isContentsName(name),
    isCode: isCodeName(name) || isCodeName(id) || base.isCode,
    isMono: look.isMono ?? base.isMono,
    isStrong: look.isStrong ?? base.isStrong,
    isEmphasis: look.isEmphasis ?? base.isEmphasis,
    isHidden: look.isHidden ?? base.isHidden,
    list:
      list === undefined
        ? base.list
        : {
            numId: settingOf(list, "w:numId") ?? base.list?.numId,
            level: numberOf(settingOf(list, "w:ilvl")) ?? base.list?.level,
          },
  };
}

const settingOf = (element: XmlElement | undefined, name: string) =>
  attributeOf(childOf(element, name), "w:val");

const numberOf = (value: string | undefined) => (value === undefined ? undefined : Number(value) || 0);

/** The level that a paragraph has in the outline: 1 to 9, or `body` where it is expressly none. */
export function outlineLevel(properties: XmlElement | undefined): number | "body" | undefined {
  const value = settingOf(properties, "w:outlineLvl");
  if (value === undefined) return undefined;
  const level = Number(value);
  return Number.isInteger(level) && level >= 0 && level < 9 ? level + 1 : "body";
}

/** How words look, where their properties say so. */
interface Look {
  isStrong: boolean | undefined;
  isEmphasis: boolean | undefined;
  isMono: boolean | undefined;
  isHidden: boolean | undefined;
}

export function lookOf(properties: XmlElement | undefined): Look {
  const font = fontOf(properties);
  return {
    isStrong: toggle(properties, "w:b"),
    isEmphasis: toggle(properties, "w:i"),
    isHidden: toggle(properties, "w:vanish"),
    isMono: font === undefined ? undefined : isMonoFont(font),
  };
}

function fontOf(properties: XmlElement | undefined): string | undefined {
  const fonts = childOf(properties, "w:rFonts");
  return attributeOf(fonts, "w:ascii") ?? attributeOf(fonts, "w:hAnsi") ?? attributeOf(fonts, "w:cs");
}

function toggle(properties: XmlElement | undefined, name: string): boolean | undefined {
  const element = childOf(properties, name);
  return element === undefined ? undefined : isOn(attributeOf(element, "w:val") ?? "1");
}

/** Whether a switch is on: what it is written as differs between programs. */
export const isOn = (value: string | undefined) =>
  value !== undefined && !/^(?:0|false|off|none)$/i.test(value);
