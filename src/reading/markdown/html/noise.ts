import {
  attribute,
  classesOf,
  collapse,
  type HtmlElement,
  type HtmlNode,
  idOf,
  isElement,
  parentOf,
  textValue,
  UNSPOKEN,
} from "./dom.ts";
import { isTabPanel } from "./tabs.ts";

/** Elements that are never words of a page: navigation, controls, and hidden content. */
const TAGS = new Set([
  ...UNSPOKEN,
  ..."nav footer button input select textarea dialog progress meter link meta rp".split(" "),
]);

const ROLES = new Set(
  "doc-noteref doc-backlink navigation banner contentinfo search searchbox dialog alertdialog menu menubar toolbar tablist".split(
    " ",
  ),
);

/** Class names that site builders give to what surrounds a page's words, each checked against real sites. */
const CLASSES = new Set(
  // Navigation around the site and the page.
  (
    "sidebar sphinxsidebar sphinxsidebarwrapper bd-sidebar toc-sidebar sidebar-container right-sidebar nav navbar " +
    "toc table-of-contents tableOfContents toctree-wrapper theme-doc-toc-mobile theme-doc-toc-desktop vp-doc-aside " +
    "VPDocAside VPLocalNav VPNav VPSidebar VPSkipLink breadcrumb breadcrumbs theme-doc-breadcrumbs wy-breadcrumbs " +
    "wy-nav-side wy-nav-top pagination-nav pagination pager prev-next prev-next-area related-pages navheader navfooter nav-path " +
    "rst-footer-buttons rst-versions page-toc tocwrapper md-nav md-sidebar md-header md-tabs td-toc td-sidebar-nav " +
    "td-sidebar td-sidebar-toc book-toc book-menu nextra-toc nextra-sidebar nextra-breadcrumb mobile-nav menu-wrapper " +
    "nav-wrapper nav-chapters mobile-nav-chapters sub-nav sub-nav-list top-nav ancestors directory-tree docs-toc tablist " +
    // Page furniture.
    "edit-this-page edit-link editlink edit-page theme-edit-this-page theme-doc-footer theme-last-updated " +
    "theme-doc-version-badge theme-doc-version-banner VPDocFooter last-updated page-footer page-meta td-page-meta " +
    "md-content__button md-source-file md-feedback feedback feedback-container feedback-widget was-this-helpful " +
    "page-feedback cookie-banner cookie-consent cookie-notice consent-banner announcement-bar announcementbar " +
    "skip-link skip-to-content skiplink visually-hidden sr-only screen-reader-only page-actions share-buttons social-links " +
    "bottomlang toplang menu-bar ingroups test-arrow rightside sub-logo-container footnote-ref footnote-backref footnote-reference fn-backref " +
    // Marks beside words.
    "sl-anchor-link " +
    "copybtn copy-button copy-btn btn-copy btn-clipboard clipboard-copy viewcode-link viewcode-back src srclink " +
    "rustdoc-toolbar out-of-band copybutton katex-html MathJax MathJax_Preview mjx-container tooltip-content " +
    // Line numbers.
    "linenos lineno lineno-container linenodiv line-number line-numbers line-numbers-wrapper line-numbers-rows " +
    "LineNumbers rouge-gutter gutter hljs-ln-numbers ec-line-number code-line-number src-line-numbers blob-num"
  ).split(" "),
);

/** Signs beside words that link to these; some builders make the words themselves such a link. */
const SIGNS = new Set(
  "headerlink hash-link header-anchor heading-anchor anchor-link anchorjs-link anchor__link permalink".split(
    " ",
  ),
);

const IDS = new Set(
  (
    "toc TOC table-of-contents table-of-contents-content sidebar side-bar left-sidebar right-sidebar footer navbar " +
    "nav-path side-nav navrow1 breadcrumbs pagination skip-link skip-to-content cookie-banner MSearchSelectWindow " +
    "MSearchResultsWindow searchbox rustdoc-toolbar quickview langselect lang-select path comments_section"
  ).split(" "),
);

const GLYPH =
  /^(?:(?:[¶#§◆◇🔗⚓↩⮌]|\ufe0e)+|permalink|permanent link|anchor|copy link|link to (?:this )?(?:heading|section|definition|paragraph)|(?:direct link|permalink|anchor|link) (?:to|for) .*|section titled .*)$/iu;
const FURNITURE =
  /^(?:edit (?:this )?page(?: on \w+)?|edit on \w+|suggest (?:an )?edits?|view (?:page )?source|show source|report (?:an|a)? ?(?:issue|bug)|copy (?:page|code|link)|skip to (?:main )?content|back to top|top|expand description|collapse)$/i;
const MAX_FURNITURE_CHARACTERS = 200;
const MAX_FURNITURE_NODES = 24;

/** Whether an element is not part of the page's content: navigation, controls, furniture, hidden content. */
export function isNoise(element: HtmlElement): boolean {
  if (TAGS.has(element.tagName)) return true;
  const role = attribute(element, "role")?.toLowerCase();
  if (role !== undefined && ROLES.has(role)) return true;
  const id = attribute(element, "id");
  const classes = classesOf(element);
  if (id !== undefined && IDS.has(id) && !isSection(element, classes)) return true;
  if (element.tagName === "body" || element.tagName === "html") return false;
  if (classes.some((name) => CLASSES.has(name)) && !isSpokenAllTheSame(element, classes)) return true;
  if (classes.some((name) => SIGNS.has(name)) && isSign(element, classes)) return true;
  if (isLanguageLabel(element, classes)) return true;
  if (isWayOn(element) || isDoxygenSummary(element, classes)) return true;
  if (element.tagName === "aside" && !isAdmonition(classes)) return true;
  if (element.tagName === "header" && !isInsideContent(element)) return true;
  return isHidden(element, classes, role) || isFurnitureLink(element, role);
}

const WAYS_ON = ["next", "prev", "previous", "up"];
const WAY_ON_NODES_MAX = 60;
const WAY_ON_CHARACTERS_MAX = 600;
const WAY_ON_UNLINKED_CHARACTERS_MAX = 60;
/** What a line of links to the pages before and behind has none of. */
const CONTENT_TAG = /^(?:h[1-6]|pre|dl|blockquote|section|article|main|ul|ol)$/;

/** Whether an element leads to the pages before, behind and above, as Texinfo and LaTeX2HTML write it, and says no more. */
function isWayOn(element: HtmlElement): boolean {
  if (!/^(?:div|p|table)$/.test(element.tagName)) return false;
  const stack: { node: HtmlNode; isLinked: boolean }[] = [{ node: element, isLinked: false }];
  const ways = new Set<string>();
  let nodes = 0;
  let characters = 0;
  let unlinked = 0;
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { node, isLinked } = next;
    const { length } = collapse(textValue(node) ?? "");
    nodes += 1;
    characters += length;
    if (!isLinked) unlinked += length;
    const isLong = characters > WAY_ON_CHARACTERS_MAX || unlinked > WAY_ON_UNLINKED_CHARACTERS_MAX;
    if (isLong || nodes > WAY_ON_NODES_MAX) return false;
    if (!isElement(node)) continue;
    if (CONTENT_TAG.test(node.tagName)) return false;
    const isLink = node.tagName === "a";
    if (isLink) for (const rel of (attribute(node, "rel") ?? "").toLowerCase().split(/\s+/)) ways.add(rel);
    for (const child of node.childNodes) stack.push({ node: child, isLinked: isLinked || isLink });
  }
  return ways.has("contents") || WAYS_ON.filter((way) => ways.has(way)).length > 1;
}

/** Doxygen's links to the parts of its page, beside the title. */
function isDoxygenSummary(element: HtmlElement, classes: readonly string[]): boolean {
  const parent = parentOf(element);
  return classes.includes("summary") && parent !== undefined && classesOf(parent).includes("header");
}

/** Whether class names mark a note, tip or warning. */
function isAdmonition(classes: readonly string[]): boolean {
  return classes.some((name) =>
    /^(?:admonition|theme-admonition.*|starlight-aside.*|custom-block|callout.*|alert.*|note|tip|warning|danger|hint|info)$/i.test(
      name,
    ),
  );
}

export function isHeading(element: HtmlElement): boolean {
  return /^h[1-6]$/.test(element.tagName);
}

/** A section's id is made from its heading's words: a section about footers is not a footer. */
function isSection(element: HtmlElement, classes: readonly string[]): boolean {
  return isHeading(element) || element.tagName === "section" || classes.includes("section");
}

/** An article's header contains its title; a site's header contains the site's. */
function isInsideContent(element: HtmlElement): boolean {
  let outer = parentOf(element);
  for (let steps = 0; outer && steps < MAX_HEADER_DEPTH; steps++) {
    if (CONTENT.has(outer.tagName) || CONTENT.has(attribute(outer, "id") ?? "")) return true;
    outer = parentOf(outer);
  }
  return false;
}

const MAX_HEADER_DEPTH = 30;
const CONTENT = new Set(["main", "article", "section", "content", "content-area", "main-content"]);

/**
 * Whether an element is content in spite of its class: some builders reuse names, such as those of line
 * numbers for numbered code.
 */
function isSpokenAllTheSame(element: HtmlElement, classes: readonly string[]): boolean {
  if (/^(?:pre|code|main|article|h[1-6]|dt)$/.test(element.tagName)) return true;
  return classes.includes("line-numbers") && classes.some((name) => name.startsWith("language-"));
}

/** Whether an element that is marked as a sign beside words holds none itself. */
function isSign(element: HtmlElement, classes: readonly string[]): boolean {
  if (isSpokenAllTheSame(element, classes)) return false;
  const words = fewWordsOf(element);
  return words !== undefined && (words === "" || GLYPH.test(words));
}

/** VitePress writes the language of a code block beside it. */
function isLanguageLabel(element: HtmlElement, classes: readonly string[]): boolean {
  return element.tagName === "span" && classes.includes("lang") && classes.length === 1;
}

function isHidden(element: HtmlElement, classes: readonly string[], role: string | undefined): boolean {
  // Starlight repeats a note's title in its label.
  if (classes.includes("starlight-aside__title")) return false;
  if (attribute(element, "aria-hidden") === "true") return true;
  if (isTabPanel(classes, role)) return false;
  const style = attribute(element, "style");
  if (style !== undefined && /display\s{0,5}:\s{0,5}none/i.test(style)) return true;
  // Text that is folded until the browser's search finds it is part of the page.
  const hidden = attribute(element, "hidden");
  return hidden !== undefined && hidden.toLowerCase() !== "until-found";
}

function isFurnitureLink(element: HtmlElement, role: string | undefined): boolean {
  const clickable = element.tagName === "a" || role === "button" || element.tagName === "summary";
  if (!clickable) return false;
  if (attribute(element, "aria-label")?.toLowerCase().startsWith("direct link to ") === true) return true;
  const words = fewWordsOf(element);
  if (words === undefined) return false;
  if (GLYPH.test(words)) return true;
  // An arrow that leads to the top of the page.
  if (words === "" && attribute(element, "href")?.startsWith("#")) return idOf(element) === undefined;
  return FURNITURE.test(words) && attribute(element, "id") === undefined;
}

/** The words of an element that has few; undefined for others, which are not read to their end. */
function fewWordsOf(element: HtmlElement): string | undefined {
  const stack: HtmlNode[] = [element];
  let text = "";
  let nodes = 0;
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    nodes += 1;
    text += textValue(node) ?? "";
    if (nodes > MAX_FURNITURE_NODES || text.length > MAX_FURNITURE_CHARACTERS) return undefined;
    if (!isElement(node) || UNSPOKEN.has(node.tagName)) continue;
    if (node.childNodes.length > MAX_FURNITURE_NODES) return undefined;
    stack.push(...node.childNodes.toReversed());
  }
  return collapse(text);
}

/** Whether an element is Doxygen's title, which stands in a `<div>` above the content. */
export function isDoxygenTitle(element: HtmlElement): boolean {
  const parent = element.parentNode;
  const inside = parent !== null && "tagName" in parent && classesOf(parent).includes("headertitle");
  return inside && classesOf(element).includes("title");
}
