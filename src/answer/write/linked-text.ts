import type { Hit } from "../../search/search.ts";
import { type CitationWriter, createCitationWriter, indexesIn, mailboxesIn } from "../citations/citations.ts";
import { createSupportLinks, type SupportLinks, type SupportLinksOptions } from "../support/support.ts";
import { createThinkingSplitter, type TextDelta } from "../thinking.ts";
import { createListMender } from "./mended-lists.ts";

/** Turns a responder's text into the reader's, as it streams. `by` is the responder that wrote it. */
export interface LinkedText {
  /** Writes a piece of the answer, in which a model may also have written its thoughts. */
  write(text: string, by: string | undefined): Promise<TextDelta[]>;
  /** Writes a piece of the docs' own text. */
  quote(text: string): TextDelta[];
  /** Cites the passage of that number. */
  cite(number: number): TextDelta[];
  /** Writes a piece of thoughts that came separately. */
  think(text: string): TextDelta[];
  end(by: string | undefined): Promise<TextDelta[]>;
  /** The numbers of the passages that the text links to, in order of first mention. */
  linked(): number[];
  share: SupportLinks["share"];
}

interface LinkedTextOptions extends Omit<SupportLinksOptions, "hasCited"> {
  /** The owner's contact, which may be linked to like the docs' own addresses. */
  contact: string;
}

/**
 * Separates thoughts, mends a model's lists, then turns numbers into links, and links what a model left uncited to
 * the passages that support it. Quotes carry their citations already. Thoughts are cleaned like answers, because
 * many clients show them alike, but what they cite is not a source.
 */
export function createLinkedText(
  hits: readonly Pick<Hit, "path">[],
  { contact, ...options }: LinkedTextOptions,
): LinkedText {
  const { passages } = options;
  const citable = passages.map(({ number, url }) => ({ number, url, path: hits[number - 1]?.path ?? "" }));
  const mailboxes = [...passages.map(({ text }) => text), contact].flatMap(mailboxesIn);
  const splitter = createThinkingSplitter();
  const lists = createListMender();
  const indexes = passages.flatMap(({ text }) => indexesIn(text));
  const citations = createCitationWriter(citable, { mailboxes, indexes });
  const support = createSupportLinks({ ...options, hasCited: () => citations.cited().length > 0 });
  let thoughts: CitationWriter | undefined;

  function think(text: string): TextDelta[] {
    thoughts ??= createCitationWriter(citable, { mailboxes, indexes });
    return delta("reasoning-delta", thoughts.write(text));
  }

  /** Ends the thoughts: the text that was held back comes before the answer goes on. */
  function endThoughts(): TextDelta[] {
    const held = thoughts?.end() ?? "";
    thoughts = undefined;
    return delta("reasoning-delta", held);
  }

  async function show(pieces: Iterable<TextDelta>, by: string | undefined): Promise<TextDelta[]> {
    const shown: TextDelta[] = [];
    for (const { type, text } of pieces) {
      if (type === "reasoning-delta") shown.push(...think(text));
      else {
        const mended = by === "ollama" ? lists.write(text) : lists.end() + text;
        shown.push(...endThoughts(), ...delta(type, await link(citations.write(mended), by)));
      }
    }
    return shown;
  }

  const link = (text: string, by: string | undefined) =>
    by === "ollama" && text !== "" ? support.write(text) : text;

  return {
    write: (text, by) => show(by === "ollama" ? splitter.write(text) : delta("text-delta", text), by),
    quote: (text) => delta("text-delta", citations.write(lists.end()) + citations.quote(text)),
    cite: (number) => delta("text-delta", citations.write(lists.end()) + citations.cite(number)),
    think,
    async end(by) {
      const shown = [...(await show(splitter.end(), by)), ...endThoughts()];
      const rest = citations.write(lists.end()) + citations.end();
      const text = (await link(rest, by)) + (by === "ollama" ? await support.end() : "");
      return [...shown, ...delta("text-delta", text)];
    },
    linked: () => [...new Set([...citations.cited(), ...support.linked()])],
    share: () => support.share(),
  };
}

const delta = (type: TextDelta["type"], text: string): TextDelta[] => (text === "" ? [] : [{ type, text }]);
