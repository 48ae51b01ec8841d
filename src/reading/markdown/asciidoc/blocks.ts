import type { AbstractBlock, Document } from "@asciidoctor/core";
import { codeFence, escapeDestination } from "@docent/kernel/text/write-markdown";
import { placeMark, withPlace } from "../anchors.ts";
import { isCalloutName, writeCallout } from "../callouts.ts";
import { inlineHtmlText, readHtmlBlocks, withAnchor } from "../html/html.ts";
import { type AsciidocLinks, writeInline, writeTitle } from "./inline.ts";
import { writeDescriptions, writeList } from "./lists.ts";
import { DEEP_MAX, strong, type Writing } from "./writing.ts";

/** The body of a document as Markdown. */
export async function writeBody(document: Document, links: AsciidocLinks | undefined): Promise<string> {
  const imageOf: Writing["imageOf"] = async (block, target) =>
    (/^(?:[a-z]+:\/\/|data:)/i.test(target) ? undefined : await links?.image?.(target)) ??
    block.imageUri(target);
  const writing = { document, depth: 0, nested: 0, isTabs: false, blocks: writeBlocks, imageOf };
  return (await writeBlocks(document.blocks, writing)).join("\n\n");
}

/** Writes blocks as Markdown, each by itself. */
async function writeBlocks(blocks: readonly AbstractBlock[], writing: Writing): Promise<string[]> {
  const written: string[] = [];
  for (const block of blocks) {
    const own = (await writeBlock(block, writing)).filter((text) => text !== "");
    written.push(...(block.context === "section" || !block.id ? own : withPlace(own, placeMark(block.id))));
  }
  return written.filter((text) => text !== "");
}

async function writeBlock(block: AbstractBlock, writing: Writing): Promise<string[]> {
  // Attributes that are set between blocks count from there on.
  writing.document.playbackAttributes(block.attributes);
  if (writing.depth > DEEP_MAX) return [writeInline(await block.convert())];
  const inside = { ...writing, depth: writing.depth + 1 };
  switch (block.context) {
    case "section":
      return [headingOf(block), ...(await writeBlocks(block.blocks, inside))];
    case "floating_title":
      return [writing.nested > 0 ? strong(block.title) : headingOf(block)];
    case "preamble":
      return writeBlocks(block.blocks, inside);
    case "ulist":
    case "olist":
    case "colist":
      return [strong(block.title), await writeList(block, inside)];
    case "dlist":
      return [strong(block.title), ...(await writeDescriptions(block, inside))];
    case "table":
      return [
        strong(block.title),
        ...readHtmlBlocks(withoutCaption(await block.convert()), { keepsImages: true, keepsPlaces: true }),
      ];
    default:
      return writeLeafOrFrame(block, inside);
  }
}

async function writeLeafOrFrame(block: AbstractBlock, writing: Writing): Promise<string[]> {
  switch (block.context) {
    case "paragraph":
      return [strong(block.title), writeInline(await textOf(block))];
    case "listing":
    case "literal":
      return [strong(block.title), writeCode(await textOf(block), languageOf(block))];
    case "stem":
      return [
        strong(block.title),
        codeFence(
          inlineHtmlText(await textOf(block)).trim(),
          block.style === "asciimath" ? "asciimath" : "math",
        ),
      ];
    case "pass":
      return block.hasSub("specialcharacters")
        ? [writeCode(await textOf(block), "")]
        : readHtmlBlocks(await textOf(block), { keepsImages: true, keepsPlaces: true });
    case "admonition":
      return [await writeAdmonition(block, writing)];
    case "quote":
    case "verse":
      return [strong(block.title), await writeQuote(block, writing)];
    case "image":
      return [await writeImage(block, writing), block.hasTitle() ? writeInline(block.title) : ""];
    case "example":
    case "sidebar":
    case "open":
      return [strong(block.title), ...(await contentOf(block, { ...writing, isTabs: isTabs(block) }))];
    case "video":
    case "audio":
      return [strong(block.title)];
    case "toc":
    case "thematic_break":
    case "page_break":
    case "comment":
      return [];
    default:
      return [strong(block.title), writeInline(await textOf(block))];
  }
}

const isTabs = (block: AbstractBlock) =>
  block.style === "tabs" || block.getAttribute("1") === "tabs" || block.hasRole("tabs");

/** Its title stands above it. */
const withoutCaption = (table: string) => table.replace(/<caption\b[^>]*>[\s\S]*?<\/caption>/, "");

function headingOf(block: AbstractBlock): string {
  const level = Math.min(6, block.level + 1);
  const words = writeTitle(block.title, { keepsPlaces: true }).replace(/(?<!#)#+$/, (marks) => `\\${marks}`);
  return words === "" ? "" : `${"#".repeat(level)} ${withAnchor(words, block.id ?? "")}`;
}

/** What is in a block: other blocks, or words. */
async function contentOf(block: AbstractBlock, writing: Writing): Promise<string[]> {
  if (block.contentModel === "compound") return writeBlocks(block.blocks, writing);
  if (block.contentModel === "verbatim") return [writeCode(await textOf(block), languageOf(block))];
  return [writeInline(await textOf(block))];
}

async function textOf(block: AbstractBlock): Promise<string> {
  const text: unknown = await block.content();
  return typeof text === "string" ? text : "";
}

function writeCode(html: string, language: string): string {
  const text = inlineHtmlText(html)
    .replace(/^(?:[ \t]*\n)+/, "")
    .trimEnd();
  return text === "" ? "" : codeFence(text, language);
}

function languageOf(block: AbstractBlock): string {
  const language: unknown = block.getAttribute("language");
  const isCode = block.style === "source" || block.getAttribute("cloaked-context") !== undefined;
  return isCode && typeof language === "string" && /^[\w+#.-]{1,40}$/.test(language)
    ? language.toLowerCase()
    : "";
}

async function writeAdmonition(block: AbstractBlock, writing: Writing): Promise<string> {
  const kind = String(block.getAttribute("name") ?? "note");
  const isNested = writing.nested > 0;
  const inside = { ...writing, nested: writing.nested + 1 };
  const body = (await contentOf(block, inside)).join("\n\n");
  const title = block.hasTitle() ? writeTitle(block.title) : undefined;
  return writeCallout({ kind: isCalloutName(kind) ? kind : "note", title, body }, { isNested });
}

async function writeQuote(block: AbstractBlock, writing: Writing): Promise<string> {
  const inside = { ...writing, nested: writing.nested + 1 };
  const words =
    block.context === "verse"
      ? [writeInline((await textOf(block)).replaceAll("\n", "<br>"))]
      : await contentOf(block, inside);
  const by = [block.getAttribute("attribution"), block.getAttribute("citetitle")].filter(
    (each) => typeof each === "string" && each !== "",
  );
  const signed = by.length === 0 ? [] : [`— ${writeInline(by.join(", "), { midLine: true })}`];
  const lines = [...words, ...signed]
    .filter((each) => each !== "")
    .join("\n\n")
    .split("\n");
  return lines.map((line) => (line === "" ? ">" : `> ${line}`)).join("\n");
}

async function writeImage(block: AbstractBlock, writing: Writing): Promise<string> {
  const target: unknown = block.getAttribute("target");
  const alt: unknown = block.getAttribute("alt");
  const isOwn = typeof alt === "string" && alt !== block.getAttribute("default-alt");
  if (typeof target !== "string") return "";
  const words = isOwn ? writeTitle(block.getAlt(), { unlinked: true }) : "";
  return `![${words}](${escapeDestination(await writing.imageOf(block, target))})`;
}
