import type { Hit } from "../../search/search.ts";
import { mailboxesIn } from "../citations/addresses.ts";
import { type CitationWriter, createCitationWriter } from "../citations/citations.ts";
import { createSupportLinks, type SupportLinks } from "../support/support.ts";
import { createThinkingSplitter, type TextDelta } from "./thinking.ts";

/** What becomes of the text that a responder writes, on its way to the reader. */
export interface LinkedText {
  /** The answer, in which a model may have written its thoughts as well. */
  write(text: string, by: string | undefined): AsyncIterable<TextDelta>;
  /** Thoughts that came apart from the answer. */
  think(text: string): Iterable<TextDelta>;
  end(by: string | undefined): AsyncIterable<TextDelta>;
  /** Numbers of the passages that the text links to, in the order of their first mention. */
  linked(): number[];
  share: SupportLinks["share"];
}

type SupportOptions = Parameters<typeof createSupportLinks>[0];
interface LinkedTextOptions extends Omit<SupportOptions, "hasCited"> {
  /** Where the owner is asked: an address of the docs' own. */
  contact: string;
}

/**
 * Thoughts are taken out first, then numbers become links, and what a model cites nothing for is linked to what carries
 * it. Quotes are cited as they are made, and carry themselves. Thoughts are shown by many clients as answers are, so they
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
    yield* told("reasoning-delta", thoughts.write(text));
  }

  /** What was held back of the thoughts comes before the answer goes on. */
  function* endThoughts(): Iterable<TextDelta> {
    if (thoughts !== undefined) yield* told("reasoning-delta", thoughts.end());
    thoughts = undefined;
  }

  async function* show(pieces: Iterable<TextDelta>, by: string | undefined): AsyncIterable<TextDelta> {
    for (const { type, text } of pieces) {
      if (type === "reasoning-delta") yield* think(text);
      else {
        yield* endThoughts();
        yield* told(type, await link(citations.write(text), by));
      }
    }
  }

  const link = async (text: string, by: string | undefined) =>
    by === "ollama" && text !== "" ? support.write(text) : text;

  return {
    write: (text, by) => show(by === "ollama" ? splitter.write(text) : told("text-delta", text), by),
    think,
    async *end(by) {
      yield* show(splitter.end(), by);
      yield* endThoughts();
      const text = (await link(citations.end(), by)) + (by === "ollama" ? await support.end() : "");
      yield* told("text-delta", text);
    },
    linked: () => [...new Set([...citations.cited(), ...support.linked()])],
    share: () => support.share(),
  };
}

const told = (type: TextDelta["type"], text: string): TextDelta[] => (text === "" ? [] : [{ type, text }]);
