import { attribute, classesOf, type HtmlElement, isElement, walkNodes } from "./dom.ts";
import { isDoxygenTitle, isHeading } from "./noise.ts";
import type { Survey } from "./survey.ts";

type Matcher = (element: HtmlElement, classes: readonly string[]) => boolean;

const hasClass =
  (...names: string[]): Matcher =>
  (_, classes) =>
    names.some((name) => classes.includes(name));
const hasId =
  (...ids: string[]): Matcher =>
  (element) =>
    ids.includes(attribute(element, "id") ?? "");

/** The containers of a page's words in various site builders, the most specific first. */
const CONTAINERS: Matcher[] = [
  hasClass(
    "theme-doc-markdown",
    "vp-doc",
    "sl-markdown-content",
    "td-content",
    "nextra-content",
    "gitbook-markdown",
  ),
  (element) => attribute(element, "itemprop") === "articleBody",
  hasClass(
    "md-content__inner",
    "rst-content",
    "md-typeset__content",
    "markdown-body",
    "bd-article",
    "docs-content",
  ),
  (element, classes) =>
    element.tagName === "div" && classes.includes("body") && attribute(element, "role") === "main",
  hasId("content-area", "mdx-content", "rustdoc-main-content", "main-content-inner", "apicontent"),
  (element) => element.tagName === "article",
  (element) => element.tagName === "main" || attribute(element, "role") === "main",
  hasId("main-content", "mw-content-text", "page-content", "content", "main", "docs"),
  (element, classes) =>
    element.tagName === "div" && (classes.includes("body") || classes.includes("contents")),
];

/** A container with a smaller share of the page's words is a teaser, or part of something else. */
const LEAST_SHARE = 0.25;
/** The share above which an `<article>` is the page; below it, the page has several. */
const LEAST_ARTICLE_SHARE = 0.6;
/** How many more characters a title's surroundings may add. */
const MAX_TITLE_SURROUNDINGS = 400;
/** A paragraph with fewer characters that are no link may be a note around a page. */
const LEAST_PROSE = 60;
/** A block with at least this share of the words around it is their main part. */
const BULK_SHARE = 0.8;

/** The element with a page's own words, without what the site puts around every page. */
export function findMainContent(root: HtmlElement, survey: Survey): HtmlElement {
  const best = bestOfEach(root, survey);
  const whole = unlinked(root, survey);
  for (const element of best) {
    if (element === undefined) continue;
    const words = unlinked(element, survey);
    const leastShare = element.tagName === "article" ? LEAST_ARTICLE_SHARE : LEAST_SHARE;
    if (words > 0 && words >= whole * leastShare) return withTitle(element, survey);
  }
  return findBulk(root, survey);
}

/** For each kind of container, the one with the most words. */
function bestOfEach(root: HtmlElement, survey: Survey): Array<HtmlElement | undefined> {
  const best: Array<HtmlElement | undefined> = CONTAINERS.map(() => undefined);
  walkNodes([root], {
    enter(element) {
      if (survey.isNoise(element) || !survey.isBlock(element)) return false;
      const classes = classesOf(element);
      CONTAINERS.forEach((matches, index) => {
        if (!matches(element, classes)) return;
        const known = best[index];
        const better = known === undefined || survey.weightOf(element).words > survey.weightOf(known).words;
        if (better) best[index] = element;
      });
      return true;
    },
  });
  return best;
}

/**
 * Some builders keep the title just outside: the parent is taken where it adds little more than a heading.
 */
function withTitle(element: HtmlElement, survey: Survey): HtmlElement {
  let outer = element;
  const titled = classesOf(element).includes("contents") ? isDoxygenPage : holdsTitle;
  for (let steps = 0; steps < 4; steps++) {
    if (titled(outer) || isMain(outer)) break;
    const parent = outer.parentNode;
    if (parent === null || !("tagName" in parent) || parent.tagName === "html") break;
    outer = parent;
  }
  const added = unlinked(outer, survey) - unlinked(element, survey);
  const little = added < MAX_TITLE_SURROUNDINGS;
  return titled(outer) && little ? outer : element;
}

/** Whether the page itself marks an element as its content: that includes the title, if there is one. */
function isMain(element: HtmlElement): boolean {
  return element.tagName === "main" || attribute(element, "role") === "main";
}

/** Doxygen writes sections as `<h1>`, and the title above them as a `<div>`. */
function isDoxygenPage(element: HtmlElement): boolean {
  return element.childNodes.some((node) => isElement(node) && classesOf(node).includes("header"));
}

function findBulk(root: HtmlElement, survey: Survey): HtmlElement {
  let current = root;
  for (;;) {
    const children = current.childNodes.filter(isElement).filter((child) => !survey.isNoise(child));
    const words = unlinked(current, survey);
    const bulk = children.find((child) => words > 0 && unlinked(child, survey) >= words * BULK_SHARE);
    if (bulk === undefined || !survey.isBlock(bulk) || /^(?:p|pre|table|ul|ol|dl|h\d)$/.test(bulk.tagName))
      return current;
    const others = children.filter((child) => child !== bulk);
    if (others.some(holdsTitle) && !holdsTitle(bulk)) return current;
    if (others.some((child) => isProse(child, survey))) return current;
    current = bulk;
  }
}

/** What has sentences or sections of its own beside its bulk is no frame around that. */
function isProse(element: HtmlElement, survey: Survey): boolean {
  if (/^h[2-6]$/.test(element.tagName)) return true;
  return element.tagName === "p" && unlinked(element, survey) >= LEAST_PROSE;
}

function unlinked(element: HtmlElement, survey: Survey): number {
  const { words, linked } = survey.weightOf(element);
  return words - linked;
}

function holdsTitle(element: HtmlElement): boolean {
  if (isHeading(element)) return true;
  let found = isDoxygenTitle(element);
  walkNodes(element.childNodes, {
    enter(inner) {
      found ||= inner.tagName === "h1" || isDoxygenTitle(inner);
      return !found;
    },
  });
  return found;
}
