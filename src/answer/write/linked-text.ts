import type { Hit } from "../../search/search.ts";
import { type CitationWriter, createCitationWriter, mailboxesIn } from "../citations/citations.ts";
import { createSupportLinks, type SupportLinks, type SupportLinksOptions } from "../support/support.ts";
import { createThinkingSplitter, type TextDelta } from "./thinking.ts";

/** Turns what a responder writes into what a reader sees, as it comes. `by` is the responder that wrote it. */
export interface LinkedText {
  /** A piece of the answer, in which a model may have written its thoughts as well. */
  write(text: string, by: string | undefined): AsyncIterable<TextDelta>;
  /** A piece of the thoughts that came apart from the answer. */
  think(text: string): Iterable<TextDelta>;
  end(by: string | undefined): AsyncIterable<TextDelta>;
  /** Numbers of the passages that the text links to, in the order of their first mention. */
  linked(): number[];
  share: SupportLinks["share"];
}

interface LinkedTextOptions extends Omit<SupportLinksOptions, "hasCited"> {
  /** Where the owner is asked: it may be linked to like the docs' own addresses. */
  contact: string;
}

/**
 * Takes thoughts out first, then turns numbers into links, and links what a model cites nothing for to the passages that
 * carry it. Quotes are cited as they are made, and carry themselves. Thoughts are shown by many clients as answers are, so they
 * are cleaned like them, but what they cite is no source.
 */
export function createLinkedText(hits: Hit[], { contact, ...options }: LinkedTextOptions): LinkedText {
  const { passages } = options;
  const citable = passages.map(({ number, url }) => ({ number, url, path: hits[number - 1]?.path ?? "" }));
  const mailboxes = [...passages.map(({ text }) => text), contact].flatMap(mailboxesIn);
  const splitter = createThinkingSplitter();
  const citations = createCitationWriter(citable, mailboxes);
  const support = createSupportLinks({ ...options, hasCited: () => citations.cited().length > 0 });
  let thoughts: CitationWriter | undefined;

  function* think(text: string): Iterable<TextDelta> {
    thoughts ??= createCitationWriter(citable, mailboxes);
    yield* delta("reasoning-delta", thoughts.write(text));
  }

  /** Ends the thoughts: what was held back of them comes before the answer goes on. */
  function* endThoughts(): Iterable<TextDelta> {
    if (thoughts !== undefined) yield* delta("reasoning-delta", thoughts.end());
    thoughts = undefined;
  }

  async function* show(pieces: Iterable<TextDelta>, by: string | undefined): AsyncIterable<TextDelta> {
    for (const { type, text } of pieces) {
      if (type === "reasoning-delta") yield* think(text);
      else {
        yield* endThoughts();
        yield* delta(type, await link(citations.write(text), by));
      }
    }
  }

  const link = async (text: string, by: string | undefined) =>
    by === "ollama" && text !== "" ? support.write(text) : text;

  return {
    write: (text, by) => show(by === "ollama" ? splitter.write(text) : delta("text-delta", text), by),
    think,
    async *end(by) {
      yield* show(splitter.end(), by);
      yield* endThoughts();
      const text = (await link(citations.end(), by)) + (by === "ollama" ? await support.end() : "");
      yield* delta("text-delta", text);
    },
    linked: () => [...new Set([...citations.cited(), ...support.linked()])],
    share: () => support.share(),
  };
}

const delta = (type: TextDelta["type"], text: string): TextDelta[] => (text === "" ? [] : [{ type, text }]);
