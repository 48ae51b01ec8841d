import type { Block } from "./blocks.ts";
import { directiveTitle } from "./directives.ts";
import { htmlToText } from "./html-text.ts";
import { stringProp } from "./plain-text.ts";
import { closingTag, escapeHtml, imageTag, openingTag, type RenderTargets } from "./render-tags.ts";
import { readOutline, type Section } from "./sections.ts";
import { normalizeSource } from "./source-text.ts";
import { isRawTag, type MarkdownElement, walkMarkdown } from "./tree.ts";

export interface RenderOptions extends RenderTargets {
  /** Gives headings the anchors of `readOutline`, so that a citation's `#anchor` leads to its heading. Default: true. */
  headingIds?: boolean;
}

/** Deeper elements are left out and their words kept: browsers give up on a page nested without end. */
const MAX_DEPTH = 100;

/**
 * Safe HTML of a page for people to read. Every tag in it is written here from a closed list, all text and attributes
 * are escaped, raw HTML of the page is reduced to its words, and links lead only where `safe-url.ts` allows.
 */
export function renderHtml(markdown: string, options: RenderOptions = {}): string {
  const source = normalizeSource(markdown);
  const { sections } = readOutline(source);
  const parts: string[] = [];
  const anchors = options.headingIds === false ? [] : sections.map((section) => section.anchor);
  const state = { literal: 0, depth: 0 };
  walkMarkdown(markHeadings(source, sections), {
    text(text) {
      const words = withoutMarks(text);
      if (state.literal > 0 || !isRawTag(words)) parts.push(escapeHtml(words));
      else parts.push(/^<br\s*\/?>$/i.test(words) ? "<br>" : escapeHtml(htmlToText(words)));
    },
    enter(element) {
      if (element.type === "html") parts.push(htmlBlock(element));
      else if (element.type === "img")
        parts.push(imageTag(stringProp(element, "src"), plainProps(element), options));
      else if (element.type === "br" || element.type === "hr") parts.push(`<${element.type}>`);
      else {
        state.depth += 1;
        if (state.depth <= MAX_DEPTH) parts.push(openingTag(element, anchorOf(element, anchors), options));
        if (isLiteral(element)) state.literal += 1;
        return true;
      }
      return false;
    },
    leave(element) {
      if (isLiteral(element)) state.literal -= 1;
      if (state.depth <= MAX_DEPTH) parts.push(closingTag(element, options));
      state.depth -= 1;
    },
  });
  return parts.join("");
}

/*
 * Bun's parser and our sections read the same page separately. Each heading that is a section carries its number through
 * the parser as U+FDD0 number U+FDD1 (removed from every source before), so both always agree on its anchor.
 */
const HEADING_MARK = /\uFDD0(\d{1,9})\uFDD1 ?/g;

function markHeadings(source: string, sections: Section[]): string {
  const lines: Array<string | undefined> = source.split("\n");
  sections.forEach((section, index) => {
    for (const block of section.blocks) replaceDirective(lines, block);
    if (section.level === 0) return;
    const mark = `\uFDD0${index}\uFDD1`;
    lines[section.startLine - 1] = `${"#".repeat(section.level)} ${mark} ${section.headingSource} #`;
    for (let line = section.startLine; line < section.headingEndLine; line++) lines[line] = undefined;
  });
  return lines.filter((line) => line !== undefined).join("\n");
}

function replaceDirective(lines: Array<string | undefined>, block: Block): void {
  if (block.kind === "directive") lines[block.startLine - 1] = `\n${directiveTitle(block.text).join("")}\n`;
}

function anchorOf(element: MarkdownElement, anchors: string[]): string | undefined {
  const first = element.children[0];
  if (typeof first !== "string" || !/^h[1-6]$/.test(element.type)) return undefined;
  const number = /^\uFDD0(\d{1,9})\uFDD1/.exec(first)?.[1];
  return number === undefined ? undefined : anchors[Number(number)];
}

function withoutMarks(text: string): string {
  return text.includes("\uFDD0") ? text.replace(HEADING_MARK, "") : text;
}

function plainProps(element: MarkdownElement): { alt: string; title: string } {
  return { alt: withoutMarks(stringProp(element, "alt")), title: stringProp(element, "title") };
}

function htmlBlock(element: MarkdownElement): string {
  const html = element.children.filter((child) => typeof child === "string").join("");
  const paragraphs = htmlToText(withoutMarks(html)).split(/\n\s*\n/);
  const words = paragraphs.map((paragraph) => paragraph.trim()).filter((paragraph) => paragraph !== "");
  return words.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>\n`).join("");
}

function isLiteral(element: MarkdownElement): boolean {
  return element.type === "pre" || element.type === "code";
}
