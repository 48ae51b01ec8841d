import { posix } from "node:path";
import type { HtmlAround } from "../../markdown/html/html.ts";
import { type AnchorStyle, type PageFormat, type ParsedPage, parsePage } from "../../markdown/page.ts";
import { decodePercent } from "../../text/decode-percent.ts";
import type { AroundPage } from "../source-reader.ts";
import { plainPage } from "./plain-page.ts";

/** A page that is to be read. */
export interface PageToRead {
  source: string;
  /** The title of a page that does not have one. */
  fallbackTitle: string;
  format: PageFormat;
  anchors: AnchorStyle;
  keepsImages: boolean;
  around: AroundPage | undefined;
}

/** Reads a page in this process, or no more of it than its words. */
export function readHere({ source, around, ...page }: PageToRead, isPlain = false): ParsedPage {
  return isPlain
    ? plainPage(source, page)
    : parsePage(source, { ...page, around: around === undefined ? undefined : htmlAround(around) });
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
