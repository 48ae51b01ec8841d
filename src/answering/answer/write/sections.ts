import type { Hit } from "@docent/finding/search/search";
import { type CitationWriter, createCitationWriter, indexesIn, mailboxesIn } from "../citations/citations.ts";
import type { Draft } from "../draft.ts";
import {
  createSimilarities,
  createSupportLinks,
  type SupportLinks,
  type SupportLinksOptions,
} from "../support/support.ts";
import type { TextDelta } from "../thinking.ts";
import { createListMender } from "./mended-lists.ts";

/**
 * The text of an answer in sections: a model that has looked for something goes on with more passages to cite than it
 * had before. Most answers have one.
 */
export interface Sections extends Pick<LinkedText, "cite" | "linked" | "quote" | "share" | "think"> {
  write(text: string): Promise<TextDelta[]>;
  /** Gives what was held back. What is written next may cite the passages that the draft has then. */
  endSection(): Promise<TextDelta[]>;
}

export function createSections(draft: Draft): Sections {
  const { deps, phrases, request, signal, turn } = draft;
  const { language, contact } = request.site.settings;
  const linked = new Set<number>();
  const similarities = createSimilarities(deps.embedder, deps.log, signal);
  let share: number | undefined;
  let section: LinkedText | undefined;
  const open = () => {
    section ??= createLinkedText([...draft.hits], {
      passages: [...draft.passages],
      question: request.question.text,
      similarities,
      notCovered: phrases.notCovered,
      language,
      pace: deps.paceLinking,
      readSupport: deps.readSupport,
      contact,
    });
    return section;
  };

  return {
    quote: (text) => open().quote(text),
    cite: (number, url) => open().cite(number, url),
    think: (text) => open().think(text),
    write: (text) => open().write(text, turn.responder),
    async endSection() {
      const held = (await section?.end(turn.responder)) ?? [];
      for (const number of section?.linked() ?? []) linked.add(number);
      // The last section that states something is the answer; before it a model only says what it will do.
      share = section?.share() ?? share;
      section = undefined;
      return held;
    },
    linked: () => [...linked],
    share: () => share,
  };
}

/** Turns a responder's text into the reader's, as it streams. `by` is the responder that wrote it. */
interface LinkedText {
  /** Writes a piece of the answer. */
  write(text: string, by: string | undefined): Promise<TextDelta[]>;
  /** Writes a piece of the docs' own text. */
  quote(text: string): TextDelta[];
  /** Cites the passage of that number, or a place in it. */
  cite(number: number, url?: string): TextDelta[];
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
 * Mends a model's lists, then turns numbers into links, and links what a model left uncited to
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

  async function show(text: string, by: string | undefined): Promise<TextDelta[]> {
    const mended = by === "ollama" ? lists.write(text) : lists.end() + text;
    return [...endThoughts(), ...delta("text-delta", await link(citations.write(mended), by))];
  }

  const link = (text: string, by: string | undefined) =>
    by === "ollama" && text !== "" ? support.write(text) : text;

  return {
    write: show,
    quote: (text) => delta("text-delta", citations.write(lists.end()) + citations.quote(text)),
    cite: (number, url) => delta("text-delta", citations.write(lists.end()) + citations.cite(number, url)),
    think,
    async end(by) {
      const thought = endThoughts();
      const rest = citations.write(lists.end()) + citations.end();
      const text = (await link(rest, by)) + (by === "ollama" ? await support.end() : "");
      return [...thought, ...delta("text-delta", text)];
    },
    linked: () => [...new Set([...citations.cited(), ...support.linked()])],
    share: () => support.share(),
  };
}

const delta = (type: TextDelta["type"], text: string): TextDelta[] => (text === "" ? [] : [{ type, text }]);
