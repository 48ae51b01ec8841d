import MarkdownIt from "markdown-it";
import { Lexer, type Token as MarkedToken, walkTokens } from "marked";
import type { Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";

/** What a parser makes of a text that a reader could be harmed by: where its images and links lead, and its tags. */
export interface Alive {
  images: string[];
  links: string[];
  tags: string[];
}

/** Parsers that chat clients show answers with, as liberal as clients set them. */
export const FOREIGN_PARSERS: Record<string, (markdown: string) => Alive> = {
  marked: readWithMarked,
  "markdown-it": readWithMarkdownIt,
  "micromark and mdast, as in react-markdown": readWithMicromark,
};

function readWithMarked(markdown: string): Alive {
  const alive: Alive = { images: [], links: [], tags: [] };
  walkTokens(lexWithMarked(markdown), (token: MarkedToken) => {
    if (token.type === "image") alive.images.push(token["href"]);
    if (token.type === "link") alive.links.push(token["href"]);
    if (token.type === "html") alive.tags.push(token.raw);
  });
  return alive;
}

/** It fails on some quotes that hold lists (18.2.1); whoever shows answers with it shows nothing then. */
function lexWithMarked(markdown: string): MarkedToken[] {
  try {
    return new Lexer({ gfm: true }).lex(markdown);
  } catch (error) {
    if (error instanceof TypeError) return [];
    throw error;
  }
}

// Names without a scheme ("example.com") are left out: that client would make a link of "setup.py" as well.
const markdownIt = new MarkdownIt({ html: true, linkify: true });
markdownIt.linkify.set({ fuzzyLink: false });

function readWithMarkdownIt(markdown: string): Alive {
  const alive: Alive = { images: [], links: [], tags: [] };
  const tokens = markdownIt.parse(markdown, {});
  for (const token of tokens.flatMap((each) => [each, ...(each.children ?? [])])) {
    if (token.type === "image") alive.images.push(String(token.attrGet("src")));
    if (token.type === "link_open") alive.links.push(String(token.attrGet("href")));
    if (token.type === "html_inline" || token.type === "html_block") alive.tags.push(token.content);
  }
  return alive;
}

function readWithMicromark(markdown: string): Alive {
  const alive: Alive = { images: [], links: [], tags: [] };
  const visit = (node: Nodes): void => {
    if (node.type === "image") alive.images.push(node.url);
    if (node.type === "imageReference") alive.images.push(node.identifier);
    if (node.type === "link") alive.links.push(node.url);
    if (node.type === "linkReference" || node.type === "footnoteReference") alive.links.push(node.identifier);
    if (node.type === "html") alive.tags.push(node.value);
    if ("children" in node) node.children.forEach(visit);
  };
  visit(fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }));
  return alive;
}
