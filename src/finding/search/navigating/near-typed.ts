import type { NameList } from "./name-list.ts";
import { readTyped, type Typed } from "./typed.ts";

/** A word may have one wrong letter from so many letters on, and two from so many. */
const ONE_WRONG_FROM = 4;
const TWO_WRONG_FROM = 8;
/** So many words are tried for each that no name has. */
const TRIED_MAX = 3;

/** What may have been meant where no name has what was typed: the same with words that names have, the nearest first. */
export function nearTyped(typed: Typed, names: Pick<NameList, "wordsWith">): Typed[] {
  let texts = [""];
  for (const [index, word] of typed.words.entries()) {
    const mayGoOn = typed.isUnfinished && index === typed.words.length - 1;
    const meant = wordsNear(word, names.wordsWith(word[0] ?? ""), mayGoOn);
    texts = meant.flatMap((each) => texts.map((text) => `${text} ${each}`)).slice(0, TRIED_MAX);
  }
  return texts.flatMap((text) => readTyped(text, typed.isUnfinished) ?? []);
}

/** The word itself where some name has it; otherwise those that are near. */
function wordsNear(word: string, known: readonly string[], mayGoOn: boolean): string[] {
  if (known.some((each) => each === word || (mayGoOn && each.startsWith(word)))) return [word];
  const most = word.length >= TWO_WRONG_FROM ? 2 : word.length >= ONE_WRONG_FROM ? 1 : 0;
  const near = known.flatMap((each) => {
    const wrong = wrongLetters(word, each, most, mayGoOn);
    return wrong === undefined ? [] : [{ each, wrong }];
  });
  const nearest = near
    .toSorted((a, b) => a.wrong - b.wrong || a.each.length - b.each.length)
    .slice(0, TRIED_MAX)
    .map(({ each }) => each);
  return nearest.length === 0 ? [word] : nearest;
}

/**
 * How many letters of a word are wrong, missing, too many or transposed, where those are no more than `most`; of one that
 * may go on, as far as it goes.
 */
function wrongLetters(typed: string, word: string, most: number, mayGoOn: boolean): number | undefined {
  const longer = word.length - typed.length;
  if (most === 0 || -longer > most || (!mayGoOn && longer > most)) return undefined;
  const end = Math.min(word.length, typed.length + most);
  let before: number[] = [];
  let own = Array.from({ length: end + 1 }, (_, at) => at);
  for (let index = 1; index <= typed.length; index++) {
    const twoBefore = before;
    before = own;
    own = [index];
    for (let at = 1; at <= end; at++) {
      const isSame = typed[index - 1] === word[at - 1];
      const isTransposed =
        index > 1 && typed[index - 1] === word[at - 2] && typed[index - 2] === word[at - 1];
      own[at] = Math.min(
        (before[at - 1] ?? 0) + (isSame ? 0 : 1),
        (before[at] ?? 0) + 1,
        (own[at - 1] ?? 0) + 1,
        isTransposed ? (twoBefore[at - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    if (Math.min(...own) > most) return undefined;
  }
  const wrong = mayGoOn ? Math.min(...own) : (own[word.length] ?? most + 1);
  return wrong <= most ? wrong : undefined;
}
