import { safeLink } from "@docent/kernel/text/safe-url";
import { placeMark } from "../anchors.ts";
import { isForDarkPages, withWidth } from "../image-width.ts";
import {
  attribute,
  classesOf,
  collapse,
  type HtmlElement,
  type HtmlNode,
  idOf,
  isElement,
  textOf,
  textValue,
  walkNodes,
} from "./dom.ts";
import { createLine, type Line, type LineOptions, openLink } from "./line.ts";

import type { Survey } from "./survey.ts";

const CODE = new Set(["code", "tt", "samp", "kbd"]);
const STRONG = new Set(["b", "strong"]);
const EMPHASIS = new Set(["i", "em", "cite", "dfn"]);

interface InlineOptions extends LineOptions {
  /** Leaves out emphasis, for words that are a title already. */
  plain?: boolean;
  /** Writes links as their words. */
  unlinked?: boolean;
}

/**
 * Writes nodes as one paragraph of Markdown; "" where they have no words. Blocks among them are set apart by
 * a space; items of a list in a table's cell by a semicolon.
 */
export function writeInline(nodes: readonly HtmlNode[], survey: Survey, options: InlineOptions = {}): string {
  const line = createLine(options);
  const closings = new Map<HtmlElement, () => void>();
  const lists = new Set<HtmlElement["parentNode"]>();
  const open = {
    strong: options.plain ?? false,
    emphasis: options.plain ?? false,
    link: options.unlinked ?? false,
  };
  walkNodes(nodes, {
    text: line.words,
    enter(element) {
      if (survey.isNoise(element)) return false;
      if (survey.isBlock(element)) line.space();
      if (options.cell === true && element.tagName === "li") {
        if (lists.has(element.parentNode)) line.nextItem();
        lists.add(element.parentNode);
      }
      line.place(placeOf(element, survey));
      if (writeLinkedCode(element, line, survey, open) || writeWhole(element, line, survey, options))
        return false;
      const closing = openMark(element, line, open);
      if (closing) closings.set(element, closing);
      return true;
    },
    leave(element) {
      closings.get(element)?.();
      if (survey.isBlock(element)) line.space();
      if (element.tagName === "q") line.words("\u201d");
    },
  });
  return line.finish();
}

/** The mark of the place that an element is; "" where it is none, or where they are not kept. */
export const placeOf = (element: HtmlElement, { keepsPlaces }: Survey) =>
  keepsPlaces ? placeMark(idOf(element) ?? "") : "";

/** Writes code that is a link and nothing else. Returns whether it did. */
function writeLinkedCode(
  element: HtmlElement,
  line: Line,
  survey: Survey,
  open: { strong: boolean; link: boolean },
): boolean {
  if (!CODE.has(element.tagName) || open.link) return false;
  const [only, ...others] = element.childNodes.filter((node) => textValue(node)?.trim() !== "");
  if (only === undefined || others.length > 0 || !isElement(only) || only.tagName !== "a") return false;
  const target = linkTarget(attribute(only, "href"));
  if (target === undefined) return false;
  const close = openLink(line, target);
  line.code(textOf(only, survey.isNoise));
  close();
  return true;
}

/** Writes an element whose content is not read as words. Returns whether it did. */
function writeWhole(element: HtmlElement, line: Line, survey: Survey, { plain }: InlineOptions): boolean {
  const name = element.tagName;
  if (name === "br") line.lineBreak();
  else if (name === "img") writeImage(element, line, survey.keepsImages && plain !== true);
  else if (CODE.has(name) || name === "pre") line.code(textOf(element, survey.isNoise));
  else {
    const tex = texOf(element);
    if (tex === undefined) return false;
    line.maths(tex);
  }
  return true;
}

function openMark(
  element: HtmlElement,
  line: Line,
  open: { strong: boolean; emphasis: boolean; link: boolean },
): (() => void) | undefined {
  const name = element.tagName;
  if (name === "a") return openAnchor(element, line, open);
  if (STRONG.has(name)) return openOnce(line, open, "strong", "**");
  if (EMPHASIS.has(name)) return openOnce(line, open, "emphasis", "*");
  if (name === "q") line.words("\u201c");
  // A power must not join its base, nor a footnote's mark the word before it.
  if (name === "sup" && /\d$/.test(line.last())) line.words("^");
  return undefined;
}

function openAnchor(element: HtmlElement, line: Line, open: { link: boolean }): (() => void) | undefined {
  const target = linkTarget(attribute(element, "href"));
  if (target === undefined || open.link) return undefined;
  open.link = true;
  const close = openLink(line, target);
  return () => {
    open.link = false;
    close();
  };
}

function openOnce<Name extends "strong" | "emphasis">(
  line: Line,
  open: Record<Name, boolean>,
  name: Name,
  mark: string,
): (() => void) | undefined {
  if (open[name]) return undefined;
  open[name] = true;
  const close = line.open(mark);
  return () => {
    open[name] = false;
    close(mark);
  };
}

function writeImage(element: HtmlElement, line: Line, isKept: boolean): void {
  const source = attribute(element, "src")?.trim() ?? "";
  const alt = altOf(element);
  if (isForDarkPages(classesOf(element).join(" "))) return;
  if (isKept && source !== "" && !source.startsWith("data:"))
    line.image(alt, withWidth(source, attribute(element, "width")));
  else line.words(alt);
}

/**
 * An image's description. A file name does not count, nor does an icon's text that repeats the words beside
 * it.
 */
function altOf(element: HtmlElement): string {
  const alt = attribute(element, "alt")?.trim() ?? "";
  const isFile = /^\S+\.(?:png|svg|jpe?g|gif|webp|avif)$/i.test(alt);
  const isIcon = classesOf(element).some((name) => /^(?:icon|emoji-icon|anchor-icon)$/.test(name));
  return isFile || isIcon || /^(?:[\w.-]+ )?logo$/i.test(alt) ? "" : alt;
}

/** A formula's TeX; undefined for other elements. Readers would search for the source. */
export function texOf(element: HtmlElement): string | undefined {
  if (element.tagName === "math") {
    const tex = annotation(element) ?? attribute(element, "alttext");
    return tex === undefined ? undefined : withoutMarks(tex);
  }
  const classes = classesOf(element);
  // Sphinx leaves the source in place for a script to draw.
  if (classes.includes("math") && (classes.includes("notranslate") || classes.includes("arithmatex"))) {
    return withoutMarks(textOf(element));
  }
  return classes.includes("arithmatex") ? withoutMarks(textOf(element)) : undefined;
}

function annotation(math: HtmlElement): string | undefined {
  const parts: string[] = [];
  let inside = 0;
  const isTex = (element: HtmlElement) => attribute(element, "encoding") === "application/x-tex";
  walkNodes(math.childNodes, {
    text: (value) => void (inside > 0 && parts.push(value)),
    enter(element) {
      // The source of a formula inside this one is that one's.
      if (element.tagName === "math") return false;
      if (isTex(element)) inside += 1;
      return true;
    },
    leave(element) {
      if (isTex(element)) inside -= 1;
    },
  });
  return parts.length === 0 ? undefined : collapse(parts.join(""));
}

const withoutMarks = (text: string) =>
  text
    .trim()
    .replace(/^(?:\\\(|\\\[|\$\$?)|(?:\\\)|\\\]|\$\$?)$/g, "")
    .trim();

/** A link's target as written; undefined for scripts, data and empty ones, which cannot be read. */
export function linkTarget(href: string | undefined): string | undefined {
  const written = href?.trim().replace(/[\t\n\r]/g, "");
  if (written === undefined || written === "" || written === "#") return undefined;
  return safeLink(written.startsWith("//") ? `https:${written}` : written);
}
