import { asCallout } from "./callouts.ts";
import { htmlToText } from "./html-text.ts";
import { isRawTag, type MarkdownElement, stringProp, type TreeVisitor, walkMarkdown } from "./tree.ts";

/** The words of a piece of Markdown, without its marks. */
interface ReadText {
  /** One line per block; ` | ` separates table cells. */
  text: string;
  /** The languages of its code, distinct, in order. */
  codeLanguages: string[];
  /** The targets of its links, as written. */
  links: string[];
}

/**
 * Markdown as plain words: links become their text, images their description, code loses its fences; no HTML.
 */
export function plainText(markdown: string): string {
  return readText(markdown).text;
}

/** The plain words of one line of Markdown, such as a heading's, in which `1.` or `>` begin nothing. */
export function plainInline(source: string): string {
  return inlineText(source).replace(/\s+/g, " ").trim();
}

/** The same with all its spaces, because anchors are made from them. */
export function inlineText(source: string, definitions: string[] = []): string {
  // Parsed as a heading, so that it is inline text whatever it begins with; the closing mark protects one of
  // its own.
  const line = `# ${source.replace(/(?<!\s)\s*\n\s*/g, " ")} #`;
  return plainText([line, ...definitions].join("\n\n"));
}

/** Everything that later steps need from a piece of Markdown, in one walk. */
export function readText(markdown: string): ReadText {
  const parts: string[] = [];
  const languages = new Set<string>();
  const links = new Set<string>();
  walkMarkdown(markdown, textVisitor(parts, languages, links));
  return { text: tidy(parts.join("")), codeLanguages: [...languages], links: [...links] };
}

function textVisitor(parts: string[], languages: Set<string>, links: Set<string>): TreeVisitor {
  let literal = 0;
  return {
    read: (element) => asCallout(element, UNSAID),
    text(text) {
      if (literal > 0 || !isRawTag(text)) parts.push(text);
      else parts.push(htmlToText(text));
    },
    enter(element) {
      if (element.type === "html") {
        parts.push(htmlToText(element.children.filter((child) => typeof child === "string").join("")), "\n");
        return false;
      }
      if (element.type === "img") parts.push(stringProp(element, "alt"));
      if (element.type === "br") parts.push("\n");
      if (element.type === "a") links.add(stringProp(element, "href"));
      const language = element.type === "pre" ? stringProp(element, "language").toLowerCase() : "";
      if (language !== "") languages.add(language);
      if (isLiteral(element)) literal += 1;
      if (OWN_LINE.has(element.type)) parts.push("\n");
      return true;
    },
    leave(element) {
      if (isLiteral(element)) literal -= 1;
      parts.push(separatorAfter(element.type));
    },
  };
}

/** Empty titles for callouts: only a title that the page gives is part of its text. */
const UNSAID = { note: "", tip: "", important: "", warning: "", caution: "" };

function isLiteral(element: MarkdownElement): boolean {
  return element.type === "pre" || element.type === "code";
}

const OWN_LINE = new Set([
  "p",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "li",
  "ul",
  "ol",
  "pre",
  "tr",
  "table",
  "blockquote",
  "callout",
  "callout-title",
]);

function separatorAfter(type: string): string {
  if (type === "td" || type === "th") return " | ";
  return OWN_LINE.has(type) ? "\n" : "";
}

function tidy(text: string): string {
  const lines: string[] = [];
  for (const line of text.split("\n")) {
    const kept = line.trimEnd();
    if (kept.trim() !== "") lines.push(kept.endsWith(" |") ? kept.slice(0, -2).trimEnd() : kept);
  }
  return lines.join("\n");
}
