import {
  attribute,
  classesOf,
  editElements,
  elementsIn,
  type HtmlElement,
  type HtmlNode,
  isElement,
  newElement,
  newText,
  parentOf,
  setAttribute,
  setChildren,
  textOf,
} from "../../markdown/html/html.ts";
import { type CalloutMark, calloutOf, markTask } from "../wiki-pages/wiki-pages.ts";
import { emoticonText } from "./emoticons.ts";
import { codeLanguage } from "./languages.ts";

/** What stands in a page and is not of its words: lists that the wiki makes, marks beside words, forms. */
const DROPPED = new Set(
  (
    "toc-macro client-side-toc-macro plugin_pagetree plugin_attachments_container pagetree2 childpages-macro " +
    "expand-control-icon aui-icon confluence-information-macro-icon issue-placeholder label-details " +
    "plugin_attachments_upload_container office-container numberingColumn userLogoLink labels-edit-container " +
    "content-by-label-icon plugin-contributors recently-updated results-container hidden aui-button " +
    "conf-macro-error navmenu more-link-container"
  ).split(" "),
);
const DROPPED_TAGS = new Set(["form", "style", "script"]);

const MARKS: Readonly<Record<string, CalloutMark>> = {
  information: "NOTE",
  info: "NOTE",
  hint: "NOTE",
  infoMacro: "NOTE",
  note: "NOTE",
  noteMacro: "NOTE",
  tip: "TIP",
  success: "TIP",
  tipMacro: "TIP",
  warning: "WARNING",
  problem: "WARNING",
  warningMacro: "WARNING",
};

/** What the editor writes above what is folded, where its author wrote nothing. */
const UNNAMED_EXPAND = /^click here to expand\W*$/i;

/** Writes what macros made of a page as plain HTML. */
export function withoutMacros(main: HtmlElement): void {
  for (const issue of elementsIn(main, hasClass("jira-issue"))) keepKey(issue);
  editElements(main, (element) => {
    const { tagName } = element;
    const classes = classesOf(element);
    if (DROPPED_TAGS.has(tagName) || classes.some((name) => DROPPED.has(name))) return [];
    if (tagName === "img") return imageOf(element, classes);
    if (tagName === "a") return linkOf(element, classes);
    if (tagName === "li") {
      const list = parentOf(element);
      if (list !== undefined && classesOf(list).includes("inline-task-list"))
        markTask(element, classes.includes("checked"));
      return undefined;
    }
    return classes.length === 0 ? undefined : blockOf(element, classes);
  });
}

const hasClass = (name: string) => (element: HtmlElement) => classesOf(element).includes(name);

/** What an issue of Jira is about, the browser fetches: until then, words beside its key say that it does. */
function keepKey(issue: HtmlElement): void {
  if (elementsIn(issue, hasClass("issue-placeholder")).length > 0)
    setChildren(issue, elementsIn(issue, hasClass("jira-issue-key")));
}

function imageOf(image: HtmlElement, classes: readonly string[]): HtmlNode[] | undefined {
  if (classes.includes("emoticon")) return [newText(emoticonText(image))];
  if (classes.includes("icon") || classes.includes("userLogo")) return [];
  const file = attribute(image, "data-image-src");
  // What is shown may be a smaller picture of the file, which an export holds without the ending of its name.
  if (file?.startsWith("attachments/")) setAttribute(image, "src", file);
  const isShown = /\.\w{2,5}(?:[?#]|$)|^[a-z]+:/i.test(attribute(image, "src") ?? "");
  return isShown ? undefined : [newText(attribute(image, "alt") ?? "")];
}

function linkOf(link: HtmlElement, classes: readonly string[]): readonly HtmlNode[] | undefined {
  // People have no page here.
  if (classes.includes("confluence-userlink")) return link.childNodes;
  const isFile = classes.includes("confluence-embedded-file");
  const name = isFile ? attribute(link, "data-linked-resource-default-alias") : undefined;
  if (name === undefined) return undefined;
  const href = attribute(link, "href") ?? "";
  return [newText(" "), newElement("a", [newText(name)], { href }), newText(" ")];
}

function blockOf(element: HtmlElement, classes: readonly string[]): readonly HtmlNode[] | undefined {
  if (classes.includes("syntaxhighlighter-pre")) return [codeOf(element)];
  if (classes.includes("code") && classes.includes("panel"))
    return framed(element, "codeHeader", "codeContent");
  if (classes.includes("preformatted") && classes.includes("panel"))
    return framed(element, "preformattedHeader", "preformattedContent");
  if (classes.includes("confluence-information-macro") || classes.includes("information-macro"))
    return informationOf(element, classes);
  if (classes.includes("panelMacro")) return oldInformationOf(element);
  if (classes.includes("panel")) return panelOf(element);
  if (classes.includes("expand-container")) return expandOf(element);
  if (classes.includes("smalltext") && parentOf(element)?.tagName !== "p") return [];
  return undefined;
}

const partOf = (element: HtmlElement, name: string) =>
  element.childNodes.filter(isElement).find((child) => classesOf(child).includes(name));

/** The title of a macro above what it frames. */
function framed(element: HtmlElement, header: string, content: string): readonly HtmlNode[] | undefined {
  const inside = partOf(element, content);
  if (inside === undefined) return undefined;
  const title = partOf(element, header);
  return [...strongLine(title === undefined ? "" : textOf(title)), ...inside.childNodes];
}

const strongLine = (words: string): HtmlNode[] =>
  words === "" ? [] : [newElement("p", [newElement("strong", [newText(words)])])];

function codeOf(pre: HtmlElement): HtmlElement {
  const language = codeLanguage(attribute(pre, "data-syntaxhighlighter-params") ?? "", pre);
  return newElement("pre", pre.childNodes, language === "" ? {} : { class: `language-${language}` });
}

function informationOf(element: HtmlElement, classes: readonly string[]): HtmlNode[] {
  const kind = classes
    .map((name) => MARKS[name.replace("confluence-information-macro-", "")])
    .find((mark) => mark !== undefined);
  const title = partOf(element, "title");
  const body = partOf(element, "confluence-information-macro-body") ?? partOf(element, "message-content");
  const inside = body?.childNodes ?? element.childNodes.filter((node) => node !== title);
  return calloutOf(element, {
    mark: kind ?? "NOTE",
    title: title === undefined ? "" : textOf(title),
    body: inside,
  });
}

/** Confluence 4 and before wrote a table with an image beside the words. */
function oldInformationOf(element: HtmlElement): HtmlNode[] | undefined {
  const [table] = elementsIn(element, ({ tagName }) => tagName === "table");
  const cell = elementsIn(element, ({ tagName }) => tagName === "td").at(-1);
  if (table === undefined || cell === undefined) return undefined;
  const mark = classesOf(table)
    .map((name) => MARKS[name])
    .find((each) => each !== undefined);
  return calloutOf(element, { mark: mark ?? "NOTE", body: cell.childNodes });
}

function panelOf(element: HtmlElement): HtmlNode[] | undefined {
  const content = partOf(element, "panelContent");
  const header = partOf(element, "panelHeader");
  if (content === undefined) return undefined;
  return calloutOf(element, {
    mark: "NOTE",
    title: header === undefined ? "" : textOf(header),
    body: content.childNodes,
  });
}

function expandOf(element: HtmlElement): HtmlNode[] | undefined {
  const content = partOf(element, "expand-content");
  if (content === undefined) return undefined;
  const control = partOf(element, "expand-control");
  const label =
    control === undefined
      ? undefined
      : elementsIn(control, (each) => classesOf(each).includes("expand-control-text"))[0];
  const words = textOf(label ?? control ?? element);
  return [...(UNNAMED_EXPAND.test(words) ? [] : strongLine(words)), ...content.childNodes];
}
