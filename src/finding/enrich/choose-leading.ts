import type { Reach } from "../search/search.ts";
import type { Enrichment } from "./enrichment.ts";

/** Tells how well a text leads to the passage that it was written for. */
type ReachOf = (text: string) => Promise<Reach>;

/** What is among so few leads to its passage, however near it is: in docs of some pages, nothing stands out. */
const RANK_SURE = 10;
/**
 * Behind these, a question is one that would be true of any passage, or was written for another one. Of questions that were
 * written for their passage, nine in ten are before them; of those for another one, fewer than one in ten.
 */
const RANK_MAX = 50;
/** By less, a text is as near to a passage as to many others. */
const NEARNESS_MIN = 1;

/**
 * What of an enrichment leads to its passage: questions by search, search words by nearness, for they are words that it does
 * not have. Undefined where no question does.
 */
export async function chooseLeading(
  { questions, words }: Readonly<Enrichment>,
  reachOf: ReachOf,
): Promise<Enrichment | undefined> {
  const leading: string[] = [];
  for (const question of questions) {
    const reach = await reachOf(question);
    if (isAmong(reach, RANK_SURE) || (isAmong(reach, RANK_MAX) && isNear(reach))) leading.push(question);
  }
  if (leading.length === 0) return undefined;
  const reach = words.length === 0 ? undefined : await reachOf(words.join(" "));
  const isKept = reach !== undefined && (isAmong(reach, RANK_SURE) || isNear(reach));
  return { questions: leading, words: isKept ? [...words] : [] };
}

const isAmong = ({ rank }: Reach, most: number) => rank !== undefined && rank <= most;

/** Where there are no vectors, nothing is far. */
const isNear = ({ nearness }: Reach) => nearness === undefined || nearness >= NEARNESS_MIN;
