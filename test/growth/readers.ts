import { htmlToText } from "../../src/reading/markdown/html-text.ts";
import {
  AUTHORED_FORMATS,
  type AuthoredFormat,
  lostWords,
} from "../../src/reading/markdown/kept-words/kept-words.ts";
import { parsePage } from "../../src/reading/markdown/page.ts";
import { PAGE_FORMATS } from "../../src/reading/markdown/page-format.ts";
import { plainInline, plainText } from "../../src/reading/markdown/plain-text.ts";
import { renderHtml } from "../../src/reading/markdown/render/render.ts";
import type { Work } from "../helpers/growth.ts";
import { plainPassage } from "../helpers/page-data.ts";

const asFormat =
  (format: (typeof PAGE_FORMATS)[number]): Work =>
  (text) =>
    parsePage(text, { fallbackTitle: "", format, keepsImages: true });

const notebook: Work = (text) =>
  parsePage(JSON.stringify({ cells: [{ cell_type: "markdown", source: [text] }] }), {
    fallbackTitle: "",
    format: "ipynb",
  });

/** A page that is compared with what its author wrote, of which it shows half. */
const compared =
  (format: AuthoredFormat): Work =>
  (text) =>
    lostWords({ text, format }, { title: "", passages: [plainPassage(text.slice(0, text.length / 2))] });

/**
 * What reads pages. AsciiDoc is left out: a library reads it, which has bounds (asciidoc.test.ts) and a process of its own for
 * that (pages-in-a-process.test.ts).
 */
export const READERS: Readonly<Record<string, Work>> = {
  ...Object.fromEntries(PAGE_FORMATS.map((format) => [format, asFormat(format)])),
  ...Object.fromEntries(AUTHORED_FORMATS.map((format) => [`${format}, compared`, compared(format)])),
  ipynb: notebook,
  "the reader site": (text) => renderHtml(text),
  "plain text": (text) => [plainText(text), plainInline(text), htmlToText(text)],
};
