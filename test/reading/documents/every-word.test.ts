import { expect, test } from "bun:test";
import { LACKING } from "../../../scripts/generators/shown-words.ts";
import type { DocumentKind } from "../../../src/reading/documents/documents.ts";
import { openPackage } from "../../../src/reading/documents/package/package.ts";
import { htmlToText } from "../../../src/reading/markdown/html-text.ts";
import { parsePage } from "../../../src/reading/markdown/page.ts";
import { documentFixture, documentOf } from "../../helpers/read-document.ts";

const UNPACKED_BYTES_MAX = 10_000_000;

/** The parts of a document that hold its words, in order, and the elements that end a block in them. */
const WORDS: readonly { file: string; kind: DocumentKind; parts: RegExp; blocks: RegExp }[] = [
  { file: "guide.docx", kind: "docx", parts: /^word\/document\.xml$/, blocks: /<\/w:p>/g },
  { file: "guide.odt", kind: "odt", parts: /^content\.xml$/, blocks: /<\/text:(?:p|h)>/g },
  { file: "deck.pptx", kind: "pptx", parts: /^ppt\/slides\/slide\d+\.xml$/, blocks: /<\/a:p>/g },
  { file: "deck.odp", kind: "odp", parts: /^content\.xml$/, blocks: /<\/text:p>/g },
  { file: "people.xlsx", kind: "xlsx", parts: /^xl\/sharedStrings\.xml$/, blocks: /<\/si>/g },
  { file: "people.ods", kind: "ods", parts: /^content\.xml$/, blocks: /<\/text:p>/g },
];

/** What is lacking of lines that a document holds. */
async function lackingOf(file: string, kind: DocumentKind, lines: string[]): Promise<string[]> {
  const { markdown } = await documentOf(await documentFixture(file), kind);
  const page = parsePage(markdown, { fallbackTitle: file, format: "document" });
  return Object.values(LACKING).flatMap((of) => of({ path: file, lines, page }));
}

test.each(WORDS)("every word of $file is shown, in order", async ({ file, kind, parts, blocks }) => {
  const opened = await openPackage(await documentFixture(file), "a document", UNPACKED_BYTES_MAX);
  if ("unreadable" in opened) throw new Error(opened.unreadable);
  const xml = await Promise.all(
    opened.names
      .filter((name) => parts.test(name))
      .map(async (name) => Buffer.from((await opened.read(name)) ?? []).toString()),
  );
  const lines = xml
    .join("\n")
    .replace(/<text:(?:s|tab|line-break)\b[^<>]*>|<[aw]:(?:br|tab)\b[^<>]*>/g, " ")
    .replace(/<a:tableStyleId>[^<]*/g, "")
    .replace(blocks, "\n")
    .replace(/<[^<>]*>/g, "")
    .split("\n");
  expect(lines.join(" ").split(/\s+/).length).toBeGreaterThan(5);
  expect(await lackingOf(file, kind, lines)).toEqual([]);
});

test.each(["columns", "right-to-left", "tagged-table"])(
  "every word of %s.pdf is shown, in order",
  async (name) => {
    const html = Buffer.from(await documentFixture(`${name}.html`)).toString();
    expect(await lackingOf(`${name}.pdf`, "pdf", htmlToText(html).split("\n"))).toEqual([]);
  },
);
