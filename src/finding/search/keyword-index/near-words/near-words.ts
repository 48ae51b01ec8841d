import { letOthersRun } from "@docent/kernel/lib/event-loop";
import { passagesOf } from "../segment/segment.ts";
import { createEditCost, TRANSPOSED } from "./edit-cost.ts";
import { lettersOf, signOf, type WordList, wordAt, wordListOf } from "./word-list.ts";

export { readWordList, type WordList } from "./word-list.ts";

/** A word that may have been meant. */
export interface NearWord {
  /** As it is written in the docs, in lower case. */
  word: string;
  /** What it costs to have typed the other for it: about 100 for each letter that is wrong. */
  cost: number;
  /** In how many passages it is, nearly. */
  passages: number;
}

/**
 * What a word of this length may cost at most. In a short word only what fingers often do is believed, because many words
 * are beside it by chance; in a long one two letters may be wrong.
 */
const MOST: readonly { length: number; cost: number }[] = [
  { length: 10, cost: 180 },
  { length: 8, cost: 160 },
  { length: 5, cost: 110 },
  { length: 4, cost: 90 },
  { length: 0, cost: TRANSPOSED },
];
/** So many of each list are compared with those of others. */
const NEAREST = 16;
/** How much rarer a word may be to be as good as one that is a letter farther: about three thousand times. */
const COST_WEIGHT = 0.08;

/**
 * The words of some lists that are likely meant by one, the likeliest first. The very word, where a list has it, costs
 * nothing.
 */
export async function nearWords(lists: readonly WordList[], written: string): Promise<NearWord[]> {
  const typed = lettersOf(written);
  const found = new Map<string, NearWord>();
  for (const list of lists) {
    for (const near of nearIn(list, typed)) {
      const known = found.get(near.word);
      if (known === undefined) found.set(near.word, near);
      else known.passages += near.passages;
    }
    await letOthersRun();
  }
  return [...found.values()].sort(byLikelihood);
}

/** How likely a word was meant: the larger, the likelier. */
export const likelihoodOf = ({ cost, passages }: Omit<NearWord, "word">) =>
  Math.log(passages) - COST_WEIGHT * cost;

const byLikelihood = (a: NearWord, b: NearWord) =>
  likelihoodOf(b) - likelihoodOf(a) || (a.word < b.word ? -1 : 1);

function nearIn({ byLength }: WordList, typed: Uint16Array): NearWord[] {
  const most = MOST.find(({ length }) => typed.length >= length)?.cost ?? 0;
  const changes = Math.floor(most / TRANSPOSED);
  const costOf = createEditCost(typed);
  const own = signOf(typed);
  const found: NearWord[] = [];
  for (let length = typed.length - changes; length <= typed.length + changes; length++) {
    const words = byLength[length];
    if (words === undefined) continue;
    const { size, codes, signs, powers } = words;
    // A letter more leaves one change less that can take another away.
    const lost = changes - Math.max(0, length - typed.length);
    const gained = changes - Math.max(0, typed.length - length);
    for (let index = 0; index < size; index++) {
      const sign = signs[index] ?? 0;
      // Most words have other letters, and end here.
      if (hasMore(own & ~sign, lost) || hasMore(sign & ~own, gained)) continue;
      const cost = costOf(codes, index * length, (index + 1) * length, most);
      if (cost > most) continue;
      const passages = passagesOf(powers[index] ?? 0);
      found.push({ word: wordAt(words, length, index), cost, passages });
    }
  }
  return found.sort(byLikelihood).slice(0, NEAREST);
}

/** Whether more than so many bits are set: none, one or two. */
function hasMore(bits: number, most: number): boolean {
  if (bits === 0) return false;
  const withoutOne = bits & (bits - 1);
  if (most < 2 || withoutOne === 0) return most === 0 || withoutOne !== 0;
  return (withoutOne & (withoutOne - 1)) !== 0;
}

/** Those of a few words that are likely meant, each as frequent as is given. */
export function nearestOf(words: Iterable<string>, written: string, passages: number): NearWord[] {
  return nearIn(wordListOf(words, 0), lettersOf(written))
    .map((near) => ({ ...near, passages }))
    .sort(byLikelihood);
}
