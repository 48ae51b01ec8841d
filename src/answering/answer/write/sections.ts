import type { Draft } from "../draft.ts";
import { createSimilarities } from "../support/support.ts";
import type { TextDelta } from "../thinking.ts";
import { createLinkedText, type LinkedText } from "./linked-text.ts";

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
