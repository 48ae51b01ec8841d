import { AppError } from "@docent/kernel/errors";
import type { PageWriter, RenderedPage } from "../connectors/connectors.ts";
import type { Ending, ReadingProcess, TimeBounds } from "../reading-process/reading-process.ts";
import type { PlainText } from "../source-reader.ts";
import { decoded, encoded } from "./json-bytes.ts";
import { LISTED_CALL, lookupsShape, writtenShape } from "./rendered-shape.ts";

interface PageWritingOptions {
  reading: ReadingProcess;
  bounds: TimeBounds;
  whyOf(ending: Ending): string;
  /** No more than the words of a text; undefined where even these cannot be had. */
  wordsOf(plain: PlainText): Promise<{ markdown: string } | undefined>;
}

/** Makes Markdown, in another process, of pages as their servers show them. */
export const createPageWriting =
  ({ reading, bounds, whyOf, wordsOf }: PageWritingOptions): PageWriter =>
  async (kind, page) => {
    const { html, titleHtml, address, hasWordyIds, titleAt } = page;
    const said = await reading.ask({
      head: { rendered: true },
      body: encoded({ kind, html, titleHtml, address, hasWordyIds, hasTitles: titleAt !== undefined }),
      bounds,
      answer: async (name, given) => encoded(name === LISTED_CALL ? lookedUp(page, given) : []),
    });
    const written = typeof said === "string" ? undefined : writtenShape.safeParse(decoded(said)).data;
    if (written !== undefined) return written;
    const why = `${whyOf(typeof said === "string" ? said : "itself")} to make Markdown of`;
    const words = await wordsOf({ text: html, format: "html" });
    if (words === undefined) throw new AppError("too_large", why);
    return { markdown: words.markdown, faults: [`${why}: its words are kept as plain text`] };
  };

const lookedUp = ({ pageAt, titleAt }: RenderedPage, given: Uint8Array) =>
  lookupsShape
    .parse(decoded(given))
    .map(([name, address, linkedId]) =>
      name === "pageAt" ? pageAt(address, linkedId ?? undefined) : titleAt?.(address),
    )
    .map((found) => found ?? null);
