import type { KeywordView } from "../keyword-index/keyword-index.ts";
import { isMostlyEnglish, type OrdinaryWords } from "../relevance/relevance.ts";
import type { SearchStore } from "../search-store.ts";
import { shareOf, weighTerms } from "../term-weights.ts";

// Docs in English may have pages in other languages beside them. A question in one of these is best answered by a page in its
// own words, and its translation would find the English pages first.

interface SaidDeps {
  store: Pick<SearchStore, "load">;
  view: Pick<KeywordView, "passages" | "frequencies" | "match" | "wordsOf">;
  ordinaryWords(): Promise<OrdinaryWords>;
}

/** How many of the passages that have most of a question's words are looked at. */
const PASSAGES = 10;
/** So much of the question's words one of them must have. */
const SHARE_MIN = 0.5;
/** Text without spaces is searched in pairs of letters. Those that join two words may be in no passage in any case. */
const PAIR = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]{2}$/u;
const PAIR_UNKNOWN_WEIGHT = 0.5;

const KATAKANA = /^[\p{Script=Katakana}ー]{2}$/u;

/** Without the pairs of a word in katakana that is not there as a whole: any two such words share some. */
function wholeWords(terms: readonly string[], present: ReadonlySet<string>): ReadonlySet<string> {
  const whole = new Set(present);
  let run: string[] = [];
  const close = () => {
    if (run.some((term) => !present.has(term))) for (const term of run) whole.delete(term);
    run = [];
  };
  for (const term of terms) {
    const isNext = KATAKANA.test(term) && (run.at(-1) ?? term.slice(0, 1)).endsWith(term.slice(0, 1));
    if (!isNext) close();
    if (KATAKANA.test(term)) run.push(term);
  }
  close();
  return whole;
}

/** Whether a passage in the question's own language says most of it. */
export async function isSaidAsWritten(
  terms: string[],
  { store, view, ordinaryWords }: SaidDeps,
): Promise<boolean> {
  const of = await view.frequencies(terms);
  const weighed = weighTerms(terms, { passages: view.passages, of });
  const weights = new Map(
    [...weighed].map(([term, weight]) => [
      term,
      of.has(term) || !PAIR.test(term) ? weight : weight * PAIR_UNKNOWN_WEIGHT,
    ]),
  );
  if (shareOf(terms, of, weights) < SHARE_MIN) return false;
  const asked = { terms, phrases: [], prefix: undefined, neighbours: [] };
  const found = (await view.match(asked, PASSAGES)).map(({ passageId }) => passageId);
  const words = await view.wordsOf(found, asked);
  const said = found.filter((id) => {
    const present = wholeWords(terms, words.get(id)?.terms ?? new Set());
    return shareOf(terms, present, weights) >= SHARE_MIN;
  });
  if (said.length === 0) return false;
  const ordinary = await ordinaryWords();
  const passages = await store.load(said);
  // English docs may show words of other languages in examples.
  return passages.some(({ text }) => !/\bthe\b/i.test(text) && !isMostlyEnglish(text, ordinary));
}
