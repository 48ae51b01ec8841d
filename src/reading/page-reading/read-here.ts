import { posix } from "node:path";
import { decodePercent } from "@docent/kernel/text/decode-percent";
import type { HtmlAround } from "../markdown/html/html.ts";
import { type Authored, lostWords } from "../markdown/kept-words/kept-words.ts";
import { type AnchorStyle, type PageFormat, parsePage } from "../markdown/page.ts";
import type { AroundPage, ReadWords, SourceItem } from "../source-reader.ts";
import { decoded, encoded } from "./json-bytes.ts";
import { askedShape, plainShape } from "./page-shape.ts";
import { plainPage, plainWords } from "./plain-page.ts";

/** A page that is to be read. */
export interface PageToRead {
  source: string;
  /** The title of a page that does not have one. */
  fallbackTitle: string;
  format: PageFormat;
  anchors: AnchorStyle;
  keepsImages: boolean;
  around: AroundPage | undefined;
  /** What its author wrote, where the source was made from that. */
  authored?: Authored | undefined;
}

/** A page of a source, once it was read. */
export const pageToRead = (item: SourceItem, source: string, anchors: AnchorStyle): PageToRead => ({
  source,
  fallbackTitle: item.path.split("/").at(-1) || "Home",
  format: item.format,
  anchors,
  keepsImages: item.imageFile !== undefined,
  around: item.around?.(),
  authored: item.authored?.(),
});

/** Reads a page in this process, or no more of it than its words. */
export function readHere({ source, around, authored, ...options }: PageToRead, isPlain = false): ReadWords {
  if (isPlain) return { ...plainPage(source, options), lost: [] };
  const page = parsePage(source, {
    ...options,
    around: around === undefined ? undefined : htmlAround(around),
  });
  return { ...page, lost: lostWords(authored ?? { text: source, format: options.format }, page) };
}

function htmlAround({ folder, shared, leftOut }: AroundPage): HtmlAround {
  return {
    keepsPlaces: true,
    shared,
    leadsNowhere(href) {
      const [target = ""] = href.split(/[?#]/, 1);
      return target !== "" && leftOut.has(posix.join(folder, decodePercent(target)));
    },
  };
}

/** Reads a page for the process that asks for it. */
export function answerPage(body: Uint8Array): Uint8Array {
  const { isPlain, around, ...page } = askedShape.parse(decoded(body));
  const given = around && { ...around, shared: around.shared };
  return encoded(readHere({ ...page, around: given }, isPlain));
}

/** No more than the words of a text, for the process that asks for them. */
export const answerWords = (body: Uint8Array): Uint8Array =>
  encoded(plainWords(plainShape.parse(decoded(body))));
