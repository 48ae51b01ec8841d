import type { MeasureQuestions, ReadQuestion } from "@docent/answering/curated/questions/questions";
import { compareForGaps } from "./compare.ts";

/** A question that is in a gap already. */
interface GapMember {
  gapId: string;
  question: ReadQuestion;
}

/** Measured with test/fixtures/gaps: see docs/gaps.md. */
const STRENGTH_MIN = 0.62;
const BY_MEANING = 0.5;
/** Where a text has no vector, words must agree more. */
const UNKNOWN_MEANING = 0.5;
/** With fewer words in common, the same meaning would not be enough. */
const WORDS_MIN = (STRENGTH_MIN - BY_MEANING) / (1 - BY_MEANING);
const MEASURED_MAX = 8;
/** Comparing takes long, and nobody else is answered meanwhile: those that share the rarest words come first. */
const COMPARED_MAX = 300;

/** The questions of a site's gaps, by their words. */
export interface GapIndex {
  add(member: GapMember): void;
  /** The gap that a question belongs to; undefined where it is the first of its kind. */
  find(question: ReadQuestion, measure: MeasureQuestions, signal: AbortSignal): Promise<string | undefined>;
}

interface Likeness extends GapMember {
  words: number;
}

export function createGapIndex(): GapIndex {
  const exact = new Map<string, string>();
  const having = new Map<string, GapMember[]>();
  /** Each gap's first question: all others must be able to mean the same as it, or gaps would drift. */
  const first = new Map<string, ReadQuestion>();

  function sharingWords({ terms }: ReadQuestion): Set<GapMember> {
    const found = new Set<GapMember>();
    const shared = [...terms.keys()].map((term) => having.get(term) ?? []);
    for (const members of shared.sort((a, b) => a.length - b.length)) {
      for (const member of members) {
        if (found.size === COMPARED_MAX) return found;
        found.add(member);
      }
    }
    return found;
  }

  function mostAlike(question: ReadQuestion): Likeness[] {
    return [...sharingWords(question)]
      .map((member) => ({ ...member, words: compareForGaps(question, member.question) }))
      .filter(({ gapId, words }) => words >= WORDS_MIN && isLike(question, first.get(gapId)))
      .sort((a, b) => b.words - a.words)
      .slice(0, MEASURED_MAX);
  }

  return {
    add({ gapId, question }) {
      if (!first.has(gapId)) first.set(gapId, question);
      if (exact.has(question.exact)) return;
      exact.set(question.exact, gapId);
      for (const term of question.terms.keys()) {
        const others = having.get(term);
        if (others) others.push({ gapId, question });
        else having.set(term, [{ gapId, question }]);
      }
    },

    async find(question, measure, signal) {
      const same = exact.get(question.exact);
      if (same !== undefined) return same;
      const alike = mostAlike(question);
      if (alike.length === 0) return undefined;
      const near = await measure(
        question.text,
        alike.map((each) => each.question.text),
        signal,
      );
      const [best] = alike
        .map(({ gapId, words, question: { text } }) => ({
          gapId,
          strength: words * (1 - BY_MEANING) + (near?.get(text) || UNKNOWN_MEANING) * BY_MEANING,
        }))
        .filter(({ strength }) => strength >= STRENGTH_MIN)
        .sort((a, b) => b.strength - a.strength);
      return best?.gapId;
    },
  };
}

const isLike = (question: ReadQuestion, other: ReadQuestion | undefined) =>
  other === undefined || compareForGaps(question, other) > 0;
