import { keepLatest } from "@docent/kernel/lib/remember";
import { audienceKey } from "@docent/sites/pages/audience";
import { asksWhatWasNew, tellsWhatWasNew } from "../rank-passages.ts";
import type { SearchScope, SearchStore } from "../search-store.ts";
import { createNameList, type Name, type NameList } from "./name-list.ts";
import { bestNames } from "./order-names.ts";
import { readTyped, type Typed, withoutProduct } from "./typed.ts";

// Readers who know what they want type its name: a title, a heading, a command, an option, in any spelling and often not
// to its end. Whoever asks in words is served better by what passages say.

/** A page or a section that has the name that was typed. */
export interface NamedPlace {
  passageId: number;
  /** Empty for a page that begins without a heading of its own. */
  anchor: string;
}

/** Finds pages and sections by their names, best first; none where the text asks something. */
export interface Navigator {
  /** Those that have what was typed. What readers do not see has no part in it. */
  find(scope: SearchScope, asked: NavigationQuery): Promise<NamedPlace[]>;
  /** Those that have what was meant, where no name has what was typed. */
  findMeant(
    scope: SearchScope,
    asked: NavigationQuery & { corrected: string | undefined },
  ): Promise<NamedPlace[]>;
}

interface NavigationQuery {
  text: string;
  /** Whether the last word may be unfinished. */
  asYouType?: boolean | undefined;
  /** So many at most. */
  pageSize: number;
}

/** The names of so many sites, audiences and filters are kept in memory, and so many in all, about a kilobyte each. */
const LISTS_KEPT = 64;
const NAMES_KEPT_MAX = 60_000;

export function createNavigator(store: Pick<SearchStore, "names">): Navigator {
  const lists = createLists(store);
  return {
    async find(scope, { text, asYouType = false, pageSize }) {
      const typed = readTyped(text, asYouType);
      return typed === undefined ? [] : bestOf(await lists.of(scope), typed, pageSize);
    },
    async findMeant(scope, { text, corrected = text, asYouType = false, pageSize }) {
      const typed = readTyped(text, asYouType);
      const meant = readTyped(corrected, asYouType);
      if (typed === undefined || meant === undefined) return [];
      const names = await lists.of(scope);
      for (const each of [meant, ...nearTyped(typed, names)]) {
        const places = await bestOf(names, each, pageSize);
        if (places.length > 0) return places;
      }
      return [];
    },
  };
}

async function bestOf(names: NameList, typed: Typed, most: number): Promise<NamedPlace[]> {
  const found = await names.find(typed);
  const bare = withoutProduct(typed, names.beginnings);
  if (bare !== undefined) found.push(...(await names.find(bare)));
  const isOld = asksWhatWasNew(typed.text) ? () => false : tellsWhatWasNew;
  return bestNames(found, typed, { most, isCommon: names.isCommon, isOld }).map(toPlace);
}

const toPlace = ({ passageId, anchor }: Name): NamedPlace => ({ passageId, anchor });

/** Reads the names of a generation once for each audience and filter. Those asked for least recently go first. */
function createLists(store: Pick<SearchStore, "names">) {
  const kept = new Map<string, { list: Promise<NameList>; size: number }>();

  function makeRoom(latest: string): void {
    let all = kept.values().reduce((sum, { size }) => sum + size, 0);
    for (const [key, { size }] of kept) {
      if (all <= NAMES_KEPT_MAX) return;
      if (key === latest) continue;
      kept.delete(key);
      all -= size;
    }
  }

  return {
    async of(scope: SearchScope): Promise<NameList> {
      const { siteId, generation, audience, filter } = scope;
      const key = JSON.stringify([siteId, generation, audienceKey(audience), filter]);
      const own = kept.get(key) ?? { list: createNameList(store.names(scope)), size: 0 };
      keepLatest(kept, key, own, LISTS_KEPT);
      own.list.catch(() => kept.get(key) === own && kept.delete(key));
      const list = await own.list;
      own.size = list.size;
      makeRoom(key);
      return list;
    },
  };
}

/** A word may have one wrong letter from so many letters on, and two from so many. */
const ONE_WRONG_FROM = 4;
const TWO_WRONG_FROM = 8;
/** So many words are tried for each that no name has. */
const TRIED_MAX = 3;

/** What may have been meant where no name has what was typed: the same with words that names have, the nearest first. */
function nearTyped(typed: Typed, names: Pick<NameList, "wordsWith">): Typed[] {
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
