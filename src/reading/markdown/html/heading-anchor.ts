import { decodePercent } from "@docent/kernel/text/decode-percent";
import { takeHeadingId } from "../anchors.ts";
import {
  attribute,
  classesOf,
  type HtmlElement,
  idOf,
  isElement,
  parentOf,
  textOf,
  textValue,
  walkNodes,
} from "./dom.ts";
import type { Survey } from "./survey.ts";

const MAX_WRAPPERS = 5;
const MAX_SIBLINGS = 30;

/** The anchor of a heading: its own id, one inside it, its section's, or one just before it. */
export function headingAnchor(heading: HtmlElement, root: HtmlElement, survey: Survey): string | undefined {
  const found =
    idOf(heading) ??
    innerAnchor(heading) ??
    sectionAnchor(heading, root, survey) ??
    survey.targetBefore(heading);
  return found === undefined || !survives(found) ? undefined : found;
}

/** A heading's words with its anchor, in the syntax that the Markdown parser knows. */
export function withAnchor(words: string, anchor: string | undefined): string {
  if (anchor !== undefined) return `${words} {#${anchor}}`;
  // Escapes words that only look like an anchor.
  return /\{[^{}]*\}$/.test(words)
    ? `${words.slice(0, words.lastIndexOf("{"))}&#123;${words.slice(words.lastIndexOf("{") + 1)}`
    : words;
}

function survives(anchor: string): boolean {
  return takeHeadingId(withAnchor("x", anchor)).id === anchor;
}

/** The link beside a title shows how the site wants to be cited; otherwise a target inside the title. */
function innerAnchor(heading: HtmlElement): string | undefined {
  let link: string | undefined;
  let target: string | undefined;
  walkNodes(heading.childNodes, {
    enter(element) {
      const href = element.tagName === "a" ? attribute(element, "href") : undefined;
      if (href !== undefined && /^#./.test(href) && isAnchorLink(element))
        link ??= decodePercent(href.slice(1));
      if (/^(?:a|span)$/.test(element.tagName)) target ??= idOf(element);
      return true;
    },
  });
  return link ?? target;
}

function isAnchorLink(link: HtmlElement): boolean {
  if (classesOf(link).some((name) => /anchor|headerlink|hash-link|permalink/i.test(name))) return true;
  return textOf(link).length <= 1;
}

/**
 * The id of the section that the heading opens. The id of the frame around the page is not its title's
 * anchor.
 */
function sectionAnchor(heading: HtmlElement, root: HtmlElement, survey: Survey): string | undefined {
  let inner: HtmlElement = heading;
  for (let steps = 0; steps < MAX_WRAPPERS; steps++) {
    const outer = parentOf(inner);
    if (outer === undefined || !isFirstIn(inner, outer, survey)) return undefined;
    const id = idOf(outer);
    if (id !== undefined && (/^(?:h[2-6]|dt)$/.test(heading.tagName) || isSection(outer)) && !FRAMES.has(id))
      return id;
    if (outer === root) return undefined;
    inner = outer;
  }
  return undefined;
}

const FRAMES = new Set(["content", "main", "main-content", "doc-content", "page-content"]);

function isSection(element: HtmlElement): boolean {
  return (
    element.tagName === "section" ||
    classesOf(element).some((name) => /^(?:section|sect\d|chapter|refentry)$/.test(name))
  );
}

/** Whether there are no words in the outer element before the inner one. */
function isFirstIn(inner: HtmlElement, outer: HtmlElement, survey: Survey): boolean {
  for (const node of outer.childNodes.slice(0, MAX_SIBLINGS)) {
    if (node === inner) return true;
    if ((textValue(node) ?? "").trim() !== "") return false;
    if (isElement(node) && survey.weightOf(node).words > 0) return false;
  }
  return false;
}
