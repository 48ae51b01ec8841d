import {
  type HtmlElement,
  type HtmlNode,
  newElement,
  newText,
  parseHtml,
  textOf,
} from "../../../markdown/html/html.ts";
import { type CalloutMark, calloutOf } from "../../wiki-pages/wiki-pages.ts";
import { languageName } from "../languages.ts";
import { fileOf, type LinkTarget, type NamedFile, type StorageNames, targetOf } from "./links.ts";
import { childOf, childrenOf, namedValue, rawText } from "./tree.ts";

/** A macro as it stands in a page. */
interface Macro {
  element: HtmlElement;
  name: string;
  /** A parameter as text; "" where there is none. */
  param(name: string): string;
  /** The element that a parameter holds, such as `ri:page`. */
  named(...params: string[]): HtmlElement | undefined;
  /** What it frames. */
  rich: HtmlElement | undefined;
  plain: string | undefined;
}

/** What macros are written with. */
export interface MacroWriting {
  names: StorageNames;
  write(element: HtmlElement): HtmlNode[];
  /** What another page holds, or only its excerpt; undefined where readers do not have it. */
  included(target: LinkTarget, part: "all" | "excerpt"): HtmlNode[] | undefined;
  faults: Set<string>;
}

export function readMacro(element: HtmlElement): Macro {
  const params = childrenOf(element).filter(({ tagName }) => /^ac:(?:default-)?parameter$/.test(tagName));
  const paramOf = (name: string) => params.find((each) => namedValue(each, "name") === name);
  const plain = childOf(element, "ac:plain-text-body");
  return {
    element,
    name: namedValue(element, "name").toLowerCase(),
    param: (name) => textOf(paramOf(name) ?? newElement("span")).trim(),
    named(...names) {
      const held = names.flatMap((name) => paramOf(name) ?? []).flatMap((param) => childrenOf(param));
      // A page may be named by a link around it.
      return held.map((each) => (each.tagName === "ac:link" ? childrenOf(each)[0] : each))[0];
    },
    rich: childOf(element, "ac:rich-text-body"),
    plain: plain === undefined ? undefined : rawText(plain),
  };
}

type MacroWriter = (macro: Macro, writing: MacroWriting) => HtmlNode[];

const MARKS: Readonly<Record<string, CalloutMark>> = {
  info: "NOTE",
  note: "NOTE",
  hint: "NOTE",
  tip: "TIP",
  success: "TIP",
  warning: "WARNING",
  error: "CAUTION",
};

const inside: MacroWriter = ({ rich, plain }, { write }) => {
  if (rich !== undefined) return write(rich);
  return plain === undefined || plain.trim() === "" ? [] : [codeOf(plain, "")];
};

const nothing: MacroWriter = () => [];

const codeOf = (text: string, language: string) =>
  newElement("pre", [newText(text)], language === "" ? {} : { class: `language-${language}` });

const strongLine = (words: string): HtmlNode[] =>
  words === "" ? [] : [newElement("p", [newElement("strong", [newText(words)])])];

const callout =
  (mark?: CalloutMark): MacroWriter =>
  (macro, writing) =>
    calloutOf(macro.element, {
      mark: mark ?? MARKS[macro.param("type").toLowerCase()] ?? "NOTE",
      title: macro.param("title"),
      body: inside(macro, writing),
    });

const code: MacroWriter = ({ param, plain, rich }, { write }) => {
  const text = plain ?? (rich === undefined ? "" : rawText(newElement("div", write(rich))));
  if (text.trim() === "") return [];
  const language = param("language") || param("lang") || param("");
  return [...strongLine(param("title")), codeOf(text.replace(/^\n/, ""), languageName(language))];
};

const drawn =
  (language: string): MacroWriter =>
  ({ plain = "" }) =>
    plain.trim() === "" ? [] : [codeOf(plain.trim(), language)];

const folded: MacroWriter = (macro, writing) => [
  ...strongLine(macro.param("title")),
  ...inside(macro, writing),
];

/** A page that stands in another one, as its words. */
const include =
  (part: "all" | "excerpt"): MacroWriter =>
  ({ named, param }, { included }) => {
    const resource = named("", "page", "default-parameter");
    const title = param("") || param("page") || param("pageTitle");
    const target = resource === undefined ? { title, space: undefined, id: undefined } : targetOf(resource);
    return resource === undefined && title === "" ? [] : (included(target, part) ?? []);
  };

/** A file that is shown in the page. */
const file: MacroWriter = ({ named, param }, { names }) => {
  const resource = named("name", "file", "");
  const own: NamedFile | undefined =
    resource?.tagName === "ri:attachment" ? fileOf(resource) : { name: param("name"), page: undefined };
  const href = own.name === "" ? undefined : names.fileHref(own);
  if (href === undefined) return own.name === "" ? [] : [newText(own.name)];
  return [newElement("a", [newText(own.name)], { id: "", href })];
};

/** A drawing is attached as a picture beside its source. */
const drawing: MacroWriter = ({ param }, { names }) => {
  const name = param("diagramName") || param("name") || param("baseUrl");
  const picture = { name: name.endsWith(".png") ? name : `${name}.png`, page: undefined };
  const src = name === "" ? undefined : names.imageSource(picture);
  return src === undefined ? [] : [newElement("img", [], { src, alt: param("diagramDisplayName") || name })];
};

const address: MacroWriter = ({ named, param }, { names }) => {
  const url = namedValue(named("url", "src", ""), "value") || param("url") || param("src");
  const href = /^https?:/i.test(url) ? names.hrefOf(url) : undefined;
  return href === undefined ? [] : [newElement("p", [newElement("a", [newText(url)], { id: "", href })])];
};

const html: MacroWriter = ({ plain = "" }) => {
  const body = parseHtml(plain)?.childNodes.find(({ nodeName }) => nodeName === "body");
  return body !== undefined && "childNodes" in body ? body.childNodes : [];
};

const formula =
  (isBlock: boolean): MacroWriter =>
  ({ plain, param }) => {
    const tex = newText((plain ?? (param("body") || param(""))).trim());
    if (isBlock) return [newElement("div", [tex], { class: "math notranslate" })];
    return [newElement("math", [newElement("annotation", [tex], { encoding: "application/x-tex" })])];
  };

const issue: MacroWriter = ({ param }) => {
  const key = param("key");
  return key === "" ? [] : [newText(key)];
};

/** What add-ons show to some people only is for nobody here. */
const forSome: MacroWriter = (_, { faults }) => {
  faults.add("What is shown to some people only is left out.");
  return [];
};

/** What the wiki makes of other pages each time that a page is shown, and what only controls the page. */
const MADE_BY_WIKI = (
  "toc children pagetree pagetreesearch page-tree livesearch recently-updated recently-updated-dashboard attachments " +
  "space-attachments gallery blog-posts contentbylabel content-by-label contributors contributors-summary labels-list " +
  "listlabels popular-labels related-labels navmap space-details spaces-list profile profile-picture change-history " +
  "tasks-report-macro detailssummary content-report-table index pageindex create-from-template create-space-button " +
  "favpages global-reports network userlister search rss jirachart jiraissues roadmap viewtracker viewport-redirect " +
  "redirect chart-data scroll-pagebreak scroll-ignore-inline decisionreport team-calendars calendar poll vote like " +
  "loremipsum bookmarks microsoft-forms status-handy-button"
).split(" ");

const WRITERS: ReadonlyMap<string, MacroWriter> = new Map<string, MacroWriter>([
  ...MADE_BY_WIKI.map((name) => [name, nothing] as const),
  ...Object.entries(MARKS).map(([name, mark]) => [name, callout(mark)] as const),
  ...["panel", "auimessage", "alert", "ui-text-box", "builder-panel"].map(
    (name) => [name, callout()] as const,
  ),
  ...["code", "noformat", "paste-code-macro", "code-block", "codeblock"].map((name) => [name, code] as const),
  ...["expand", "ui-expand", "section-title"].map((name) => [name, folded] as const),
  ...["plantuml", "mermaid", "graphviz"].map((name) => [name, drawn(name)] as const),
  ...["mermaid-cloud", "mermaid-macro"].map((name) => [name, drawn("mermaid")] as const),
  ...["mathblock", "latex", "easy-math-block"].map((name) => [name, formula(true)] as const),
  ...["mathinline", "easy-math-inline"].map((name) => [name, formula(false)] as const),
  ...["view-file", "viewfile", "viewpdf", "viewdoc", "viewppt", "viewxls", "multimedia"].map(
    (name) => [name, file] as const,
  ),
  ...["drawio", "inc-drawio", "gliffy", "drawio-sketch"].map((name) => [name, drawing] as const),
  ...["widget", "iframe", "widget-connector"].map((name) => [name, address] as const),
  ...["show-if", "hide-if", "visibility", "secure", "hide-from", "show-to"].map(
    (name) => [name, forSome] as const,
  ),
  ["markdown", ({ plain = "" }) => [codeOf(plain, "markdown")]],
  ["html", html],
  ["html-include", address],
  ["include", include("all")],
  ["excerpt-include", include("excerpt")],
  ["excerpt", (macro, writing) => (macro.param("hidden") === "true" ? [] : inside(macro, writing))],
  ["status", ({ param }) => [newText(param("title"))]],
  ["anchor", ({ param }) => [newElement("a", [], { id: param("") || param("anchor") })]],
  ["jira", issue],
]);

/** Macros that only frame a part of a page, to lay it out, to select or to find it. */
const FRAMES =
  /^(?:section|column|details|div|span|center|style|ui-tabs?|ui-steps?|toc-zone|clickable|scroll-.*|sv-.*|table.*|excerpt.*|multiexcerpt.*|.*-container)$/;

/** A macro as HTML. What no reader knows keeps the words that it frames, and is told of. */
export function writeMacro(macro: Macro, writing: MacroWriting): HtmlNode[] {
  const { name, rich, plain } = macro;
  const writer = WRITERS.get(name);
  if (writer !== undefined) return writer(macro, writing);
  const isFrame = FRAMES.test(name) || rich !== undefined;
  if (!isFrame && name !== "")
    writing.faults.add(
      plain === undefined
        ? `The macro "${name}" is left out: it is not known.`
        : `The macro "${name}" is not known, and its text is shown as it is.`,
    );
  return inside(macro, writing);
}
