import { analyze, analyzeQuestion } from "../search/analyze.ts";

const SUPPORT_MIN = 0.33;
const SOURCES_MAX = 3;

interface Supporting {
  number: number;
  title: string;
  text: string;
}

/**
 * Numbers of the passages that carry an answer which cites none: those that have most of its words, the best first.
 */
export function findSupport(answer: string, passages: Supporting[]): number[] {
  const said = analyzeQuestion(answer);
  if (said.length === 0) return [];
  return passages
    .map(({ number, title, text }) => ({ number, share: shareOf(said, `${title}\n${text}`) }))
    .filter(({ share }) => share >= SUPPORT_MIN)
    .sort((a, b) => b.share - a.share)
    .slice(0, SOURCES_MAX)
    .map(({ number }) => number);
}

function shareOf(terms: string[], text: string): number {
  const present = new Set(analyze(text));
  return terms.filter((term) => present.has(term)).length / terms.length;
}
