import { asList, asNumber, asRecord, asText } from "@docent/kernel/text/json";
import { type HtmlNode, newElement, newText } from "../../markdown/html/html.ts";
import { type CalloutMark, calloutOf, markTask, writeBody } from "../wiki-pages/wiki-pages.ts";

type Json = Readonly<Record<string, unknown>>;

/** Where what a document only names leads; undefined for what readers do not have. */
export interface DocumentNames {
  hrefOf(href: string): string | undefined;
  /** The file that an image's address means, as pages show it. */
  imageSource(src: string): string | undefined;
  /** The address of a document by its id. */
  documentHref(id: string): string | undefined;
}

const DEPTH_MAX = 100;

/** A document of Outline's editor as Markdown. */
export const writeDocument = (names: DocumentNames, document: unknown): string =>
  writeBody(newElement("div", nodesIn(names, asRecord(document), 0)));

function nodesIn(names: DocumentNames, node: Json, depth: number): HtmlNode[] {
  return depth > DEPTH_MAX
    ? []
    : asList(node["content"]).flatMap((child) => writeNode(names, asRecord(child), depth + 1));
}

type NodeWriter = (names: DocumentNames, node: Json, depth: number) => HtmlNode[];

const element =
  (tagName: string): NodeWriter =>
  (names, node, depth) => [newElement(tagName, nodesIn(names, node, depth))];

const attributeIn = (node: Json, name: string) => asRecord(node["attrs"])[name];
const textIn = (node: Json, name: string) => asText(attributeIn(node, name)) ?? "";

/** All words inside a node, as they are. */
const wordsOf = (node: Json, depth = 0): string =>
  (asText(node["text"]) ?? "") +
  (depth > DEPTH_MAX
    ? ""
    : asList(node["content"])
        .map((child) => wordsOf(asRecord(child), depth + 1))
        .join(""));

/** The words of a document, of which nothing is made. */
export const wordsOfDocument = (document: unknown): string =>
  asList(asRecord(document)["content"])
    .map((child) => wordsOf(asRecord(child)))
    .join("\n\n");

const NOTICES: Readonly<Record<string, CalloutMark>> = {
  info: "NOTE",
  tip: "TIP",
  success: "TIP",
  warning: "WARNING",
};

const WRITERS: ReadonlyMap<string, NodeWriter> = new Map<string, NodeWriter>([
  ["paragraph", element("p")],
  ["blockquote", element("blockquote")],
  ["bullet_list", element("ul")],
  ["checkbox_list", element("ul")],
  ["list_item", element("li")],
  ["table", element("table")],
  ["tr", element("tr")],
  ["th", cell("th")],
  ["td", cell("td")],
  ["hr", () => [newElement("hr")]],
  ["br", () => [newElement("br")]],
  ["text", text],
  [
    "ordered_list",
    (names, node, depth) => [
      newElement("ol", nodesIn(names, node, depth), {
        start: String(asNumber(attributeIn(node, "order")) ?? 1),
      }),
    ],
  ],
  [
    "heading",
    (names, node, depth) => [
      newElement(
        `h${Math.min(6, Math.max(1, asNumber(attributeIn(node, "level")) ?? 2))}`,
        nodesIn(names, node, depth),
      ),
    ],
  ],
  [
    "checkbox_item",
    (names, node, depth) => {
      const item = newElement("li", nodesIn(names, node, depth));
      markTask(item, attributeIn(node, "checked") === true);
      return [item];
    },
  ],
  ["code_block", code],
  ["code_fence", code],
  ["image", image],
  ["attachment", (names, node) => linked(names.hrefOf(textIn(node, "href")), textIn(node, "title"))],
  ["video", (names, node) => linked(names.hrefOf(textIn(node, "src")), textIn(node, "title"))],
  ["embed", (names, node) => linked(names.hrefOf(textIn(node, "href")), textIn(node, "href"))],
  [
    "container_notice",
    (names, node, depth) =>
      calloutOf(newElement("div"), {
        mark: NOTICES[textIn(node, "style")] ?? "NOTE",
        body: nodesIn(names, node, depth),
      }),
  ],
  ["container_toggle", toggle],
  [
    "math_inline",
    (_, node) => [
      newElement("math", [
        newElement("annotation", [newText(wordsOf(node))], { encoding: "application/x-tex" }),
      ]),
    ],
  ],
  ["math_block", (_, node) => [newElement("div", [newText(wordsOf(node))], { class: "math notranslate" })]],
  [
    "mention",
    (names, node) => {
      const label = textIn(node, "label");
      const isDocument = textIn(node, "type") === "document";
      const href = isDocument ? names.documentHref(textIn(node, "modelId")) : undefined;
      return href === undefined ? [newText(label)] : [newElement("a", [newText(label)], { id: "", href })];
    },
  ],
  ["emoji", () => []],
]);

function writeNode(names: DocumentNames, node: Json, depth: number): HtmlNode[] {
  const writer = WRITERS.get(asText(node["type"]) ?? "");
  return writer === undefined ? nodesIn(names, node, depth) : writer(names, node, depth);
}

function cell(tagName: string): NodeWriter {
  return (names, node, depth) => {
    const spans = ["colspan", "rowspan"].flatMap((name) => {
      const span = asNumber(attributeIn(node, name));
      return span === undefined || span < 2 ? [] : [[name, String(span)] as const];
    });
    return [newElement(tagName, nodesIn(names, node, depth), Object.fromEntries(spans))];
  };
}

function code(_: DocumentNames, node: Json): HtmlNode[] {
  const language = textIn(node, "language");
  const isNamed = /^[\w+#.-]{1,40}$/.test(language) && language !== "none";
  return [newElement("pre", [newText(wordsOf(node))], isNamed ? { class: `language-${language}` } : {})];
}

function image(names: DocumentNames, node: Json): HtmlNode[] {
  const src = names.imageSource(textIn(node, "src"));
  const alt = textIn(node, "alt");
  if (src === undefined) return alt === "" ? [] : [newText(alt)];
  const width = asNumber(attributeIn(node, "width"));
  return [
    newElement("img", [], { src, alt, ...(width === undefined ? {} : { width: String(Math.round(width)) }) }),
  ];
}

const linked = (href: string | undefined, words: string): HtmlNode[] => {
  const shown = newText(words);
  return [newElement("p", [href === undefined ? shown : newElement("a", [shown], { id: "", href })])];
};

/** What is folded stands below its first line. */
function toggle(names: DocumentNames, node: Json, depth: number): HtmlNode[] {
  const [first, ...others] = asList(node["content"]).map(asRecord);
  if (first === undefined) return [];
  const isHeading = asText(first["type"]) === "heading";
  const head = isHeading
    ? writeNode(names, first, depth + 1)
    : [newElement("p", [newElement("strong", nodesIn(names, first, depth + 1))])];
  return [...head, ...others.flatMap((child) => writeNode(names, child, depth + 1))];
}

const MARKS: Readonly<Record<string, string>> = {
  strong: "strong",
  em: "em",
  code_inline: "code",
  strikethrough: "del",
};

function text(names: DocumentNames, node: Json): HtmlNode[] {
  let written: HtmlNode = newText(asText(node["text"]) ?? "");
  // Code is the innermost: nothing in it is marked.
  const marks = asList(node["marks"]).map(asRecord);
  const inOrder = [...marks.filter(isCode), ...marks.filter((mark) => !isCode(mark))];
  for (const mark of inOrder) {
    const kind = asText(mark["type"]) ?? "";
    const tagName = MARKS[kind];
    const href = kind === "link" ? names.hrefOf(textIn(mark, "href")) : undefined;
    if (tagName !== undefined) written = newElement(tagName, [written]);
    if (href !== undefined) written = newElement("a", [written], { id: "", href });
  }
  return [written];
}

const isCode = (mark: Json) => asText(mark["type"]) === "code_inline";
