import type { Hit } from "../search/search.ts";
import { createCitationWriter } from "./citations.ts";
import { createSupportLinks, type SupportLinks } from "./support-links.ts";
import { createThoughtSplitter, type Told } from "./thoughts.ts";

/** What becomes of the text that a responder writes, on its way to the reader. */
export interface ReaderText {
  write(text: string, by: string | undefined): AsyncIterable<Told>;
  end(by: string | undefined): AsyncIterable<Told>;
  /** Numbers of the passages that the text links to, in the order of their first mention. */
  linked(): number[];
  share: SupportLinks["share"];
}

type SupportOptions = Parameters<typeof createSupportLinks>[0];

/**
 * Thoughts are taken out first, then numbers become links, and what a model cites nothing for is linked to what carries
 * it. Quotes are cited as they are made, and carry themselves.
 */
export function createReaderText(hits: Hit[], options: Omit<SupportOptions, "hasCited">): ReaderText {
  const thoughts = createThoughtSplitter();
  const citations = createCitationWriter(
    options.passages.map(({ number, url }) => ({ number, url, path: hits[number - 1]?.path ?? "" })),
  );
  const support = createSupportLinks({ ...options, hasCited: () => citations.cited().length > 0 });

  async function* show(told: Iterable<Told>, by: string | undefined): AsyncIterable<Told> {
    for (const { type, text } of told) {
      const shown = type === "text-delta" ? await link(citations.write(text), by) : text;
      if (shown !== "") yield { type, text: shown };
    }
  }

  const link = async (text: string, by: string | undefined) =>
    by === "ollama" && text !== "" ? support.write(text) : text;

  return {
    write: (text, by) => show(by === "ollama" ? thoughts.write(text) : [{ type: "text-delta", text }], by),
    async *end(by) {
      yield* show(thoughts.end(), by);
      const text = (await link(citations.end(), by)) + (by === "ollama" ? await support.end() : "");
      if (text !== "") yield { type: "text-delta", text };
    },
    linked: () => [...new Set([...citations.cited(), ...support.linked()])],
    share: () => support.share(),
  };
}
