import type { EvalQuestion, System } from "../question.ts";
import { mean, type Scores, scoreIds } from "../scores.ts";
import { seededRandom } from "../seeded-random.ts";
import { share, type Table } from "../tables.ts";
import { withTypos } from "./seed-typos.ts";

/** What becomes of recall when words of the questions are misspelled. */
export interface TypoReport {
  /** Of one typo in each question, and of two. */
  rows: TypoRow[];
  /** The questions as they are. */
  untouched: {
    questions: number;
    /** The numbers of questions whose pages rank higher than without corrections, and lower. */
    better: number;
    worse: number;
  };
}

interface TypoRow {
  typos: number;
  /** The number of questions with so many words to misspell. */
  questions: number;
  /** Recall@5 of the same questions as they are, of the misspelled ones, and of these without corrections. */
  asWritten: number;
  misspelled: number;
  uncorrected: number;
}

interface TypoSystems {
  own: System;
  /** The same search, without corrections. */
  uncorrected: System;
}

const TYPOS = [1, 2];
/** Chosen once: the same questions get the same typos. */
const SEED = 15;

/** Asks every question as it is, and with one and two typos in words that say what it is about. */
export async function measureTypos(
  { own, uncorrected }: TypoSystems,
  questions: readonly EvalQuestion[],
  { signal, onProgress }: { signal: AbortSignal; onProgress?: (done: number) => void },
): Promise<TypoReport> {
  const random = seededRandom(SEED);
  const rows = TYPOS.map((typos) => ({ typos, asWritten: [], misspelled: [], uncorrected: [] }) as Collected);
  const untouched = { questions: questions.length, better: 0, worse: 0 };
  for (const [index, question] of questions.entries()) {
    signal.throwIfAborted();
    const asWritten = await scoresOf(own, question);
    const before = await scoresOf(uncorrected, question);
    if (asWritten.ndcg10 > before.ndcg10) untouched.better++;
    if (asWritten.ndcg10 < before.ndcg10) untouched.worse++;
    for (const row of rows) {
      const text = withTypos(question.text, row.typos, random);
      if (text === undefined) continue;
      row.asWritten.push(asWritten.recall5);
      row.misspelled.push((await scoresOf(own, { ...question, text })).recall5);
      row.uncorrected.push((await scoresOf(uncorrected, { ...question, text })).recall5);
    }
    onProgress?.(index + 1);
  }
  return { rows: rows.filter(({ asWritten }) => asWritten.length > 0).map(toRow), untouched };
}

interface Collected {
  typos: number;
  asWritten: number[];
  misspelled: number[];
  uncorrected: number[];
}

const toRow = ({ typos, asWritten, misspelled, uncorrected }: Collected): TypoRow => ({
  typos,
  questions: asWritten.length,
  asWritten: mean(asWritten),
  misspelled: mean(misspelled),
  uncorrected: mean(uncorrected),
});

async function scoresOf(system: System, question: EvalQuestion): Promise<Scores> {
  const ranked = await system.rank(question);
  return scoreIds([...new Set(ranked.map(({ path }) => path))], question.pages);
}

/** The report as a table. */
export function typosTable({ rows, untouched }: TypoReport): Table {
  const { questions, better, worse } = untouched;
  return {
    title: `misspelled questions, recall@5; of ${questions} questions as they are, corrections put the page higher in ${better} and lower in ${worse}`,
    heads: ["typos", "questions", "as written", "misspelled", "of that", "without corrections"],
    rows: rows.map(({ typos, questions: count, asWritten, misspelled, uncorrected }) => [
      String(typos),
      String(count),
      share(asWritten),
      share(misspelled),
      asWritten === 0 ? "-" : `${((misspelled / asWritten) * 100).toFixed(1)} %`,
      share(uncorrected),
    ]),
  };
}
