import { type Block, isMonoFont, type Span, type Table } from "../blocks/blocks.ts";
import type { Relationship } from "../package/package.ts";
import { attributeOf, childOf, childrenOf, isElementNode, textIn, type XmlElement } from "../xml/xml.ts";

/** How the paragraphs of a shape are set where they do not say it. */
export interface TextStyle {
  /** Whether a paragraph of a level is an item of a list. */
  isList(level: number): boolean;
}

type Relationships = ReadonlyMap<string, Relationship>;

/** The paragraphs of a shape as blocks. */
export function readTextBody(
  body: XmlElement | undefined,
  style: TextStyle,
  relationships: Relationships,
): Block[] {
  const own = listStyle(childOf(body, "a:lstStyle"));
  const counters: number[] = [];
  const blocks = childrenOf(body, "a:p").flatMap((paragraph): Block[] => {
    const spans = readSpans(paragraph, relationships);
    if (!spans.some((span) => "text" in span && span.text.trim() !== "")) return [];
    const properties = childOf(paragraph, "a:pPr");
    const level = Math.min(8, Number(attributeOf(properties, "lvl") ?? 0) || 0);
    if (isAllCode(spans)) return [{ kind: "code", text: codeOf(spans) }];
    const bullet = bulletOf(properties) ?? own(level) ?? (style.isList(level) ? "bullet" : "none");
    counters.length = level + 1;
    if (bullet === "none") return [{ kind: "paragraph", spans }];
    if (bullet === "bullet") return [{ kind: "item", level, spans }];
    const start = Number(attributeOf(childOf(properties, "a:buAutoNum"), "startAt") ?? 1) || 1;
    counters[level] = (counters[level] ?? start - 1) + 1;
    return [{ kind: "item", level, number: counters[level], spans }];
  });
  const [only, ...others] = blocks;
  // A single paragraph is no list, whatever the style of its shape says.
  return only?.kind === "item" && others.length === 0 && only.number === undefined
    ? [{ kind: "paragraph", spans: only.spans }]
    : blocks;
}

type Bullet = "none" | "bullet" | "number";

function bulletOf(properties: XmlElement | undefined): Bullet | undefined {
  if (childOf(properties, "a:buNone") !== undefined) return "none";
  if (childOf(properties, "a:buAutoNum") !== undefined) return "number";
  return childOf(properties, "a:buChar") !== undefined || childOf(properties, "a:buBlip") !== undefined
    ? "bullet"
    : undefined;
}

/** What a list of styles says of the paragraphs of a level. */
export function listStyle(list: XmlElement | undefined): (level: number) => Bullet | undefined {
  return (level) => bulletOf(childOf(list, `a:lvl${level + 1}pPr`));
}

/** The words of a paragraph. Numbers and dates that programs put in are left out. */
export function readSpans(paragraph: XmlElement, relationships: Relationships): Span[] {
  return paragraph.children.filter(isElementNode).flatMap((run): Span[] => {
    switch (run.name) {
      case "a:br":
        return [{ lineBreak: true }];
      case "a:fld":
        return /^(?:slidenum|datetime)/i.test(attributeOf(run, "type") ?? "")
          ? []
          : [spanOf(run, relationships)];
      case "a:r":
        return [spanOf(run, relationships)];
      case "a:pPr":
      case "a:endParaRPr":
        return [];
      // Formulas, also in choices of how they are shown.
      default:
        return mathsIn(run).map((text) => ({ text }));
    }
  });
}

function mathsIn(element: XmlElement): string[] {
  if (element.name === "m:t" || element.name === "a:t") return [textIn(element)];
  return childrenOf(element)
    .filter(({ name }) => name !== "mc:Fallback")
    .flatMap(mathsIn);
}

function spanOf(run: XmlElement, relationships: Relationships): Span {
  const properties = childOf(run, "a:rPr");
  const link = relationships.get(attributeOf(childOf(properties, "a:hlinkClick"), "r:id") ?? "");
  const raised = Number(attributeOf(properties, "baseline") ?? 0) > 0;
  const text = textIn(childOf(run, "a:t")).replace(/[\ue000-\uf8ff\v]/g, " ");
  return {
    text: raised && /^\d+$/.test(text) ? `^${text}` : text,
    strong: isOn(attributeOf(properties, "b")),
    emphasis: isOn(attributeOf(properties, "i")),
    code: isMonoFont(attributeOf(childOf(properties, "a:latin"), "typeface")),
    href: link?.isExternal ? link.target : undefined,
  };
}

const isOn = (value: string | undefined) => value === "1" || value === "true";

const isAllCode = (spans: readonly Span[]) =>
  spans.every(
    (span) => "lineBreak" in span || ("text" in span && (span.code === true || span.text.trim() === "")),
  );

const codeOf = (spans: readonly Span[]) =>
  spans
    .map((span) => ("text" in span ? span.text.replaceAll("\t", "    ") : "\n"))
    .join("")
    .trimEnd();

/** A table of a slide. Cells that another covers are there, and empty. */
export function readSlideTable(table: XmlElement, relationships: Relationships): Table {
  const rows = childrenOf(table, "a:tr").map((row) => ({
    cells: childrenOf(row, "a:tc").map((cell) => ({
      blocks: isOn(attributeOf(cell, "hMerge"))
        ? []
        : readTextBody(childOf(cell, "a:txBody"), NO_LIST, relationships),
      isContinued: isOn(attributeOf(cell, "vMerge")),
    })),
  }));
  return { rows };
}

export const NO_LIST: TextStyle = { isList: () => false };
