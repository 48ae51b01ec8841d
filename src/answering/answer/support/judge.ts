import { languageOf } from "@docent/kernel/text/language-of";
import { contraryDoubts, denialDoubts, orderDoubts } from "./denial-doubts.ts";
import { nameDoubts } from "./name-doubts.ts";
import { numberDoubts, unitDoubts } from "./number-doubts.ts";
import { quantitiesIn } from "./quantities.ts";
import type { Sentence } from "./sentences.ts";
import { type Doubt, type Known, readStatement, type Statement } from "./statement.ts";
import type { SupportPassage } from "./supporting-passages.ts";
import { readTold, seemsForeign } from "./told.ts";

/** How a sentence of an answer was judged. */
interface Judgement {
  /** Whether it has anything that could be compared: of another language than the passages', only facts can. */
  isJudged: boolean;
  doubts: Doubt[];
}

/** Judges the sentences of one answer by their facts. */
interface Judge {
  /** Compares a sentence with the passages of these numbers; with all of them where there are none. */
  judge(sentence: Sentence, cites: readonly number[]): Judgement;
}

/** Of a longer statement, and of further code in it, nothing is compared: a sentence has no thousand characters. */
const STATEMENT_CHARACTERS_MAX = 1000;
const CODE_MAX = 30;

const shortened = (text: string): string => text.slice(0, STATEMENT_CHARACTERS_MAX);

/** Below this share of words in what is cited, a sentence is about something else. */
const WORDS_SHARE_MIN = 0.3;

/**
 * Compares statements with passages by what a falsified one changes: numbers with their units, names, denials, words that have
 * a contrary, and order. `answer` is all of its prose, by which its language is known.
 */
export function createJudge(passages: readonly SupportPassage[], question: string, answer: string): Judge {
  const known: Known = {
    question,
    asked: quantitiesIn(question),
    passages: passages.map(({ number, ...passage }) => ({ number, ...readTold(passage) })),
  };
  const language = languageOf(answer) ?? (seemsForeign(answer) ? FOREIGN : undefined);
  return {
    judge(written, cites) {
      const code = written.code.slice(0, CODE_MAX).map(shortened);
      const sentence = { ...written, text: shortened(written.text), code };
      const statement = readStatement(known, sentence, { cites, language });
      const { isCode, isComparable } = statement;
      const facts = [
        ...numberDoubts(known, statement),
        ...unitDoubts(known, statement),
        ...nameDoubts(known, statement),
      ];
      if (isCode) return { isJudged: true, doubts: facts };
      if (!isComparable) return { isJudged: hasFacts(statement), doubts: facts };
      const said = [...denialDoubts(statement), ...orderDoubts(statement), ...contraryDoubts(statement)];
      return { isJudged: true, doubts: [...facts, ...said, ...wordDoubts(statement)] };
    },
  };
}

/** A language that no passage is in, whichever it is. */
const FOREIGN = "mul";

const hasFacts = ({ text, code }: Statement) => code.length > 0 || quantitiesIn(text).length > 0;

function wordDoubts({ text, near, terms }: Statement): Doubt[] {
  const best = Math.max(0, ...near.map(({ share }) => share));
  const isFar = terms.size >= 3 ? best < WORDS_SHARE_MIN : terms.size === 2 && best === 0;
  return isFar ? [{ kind: "words", what: text }] : [];
}
