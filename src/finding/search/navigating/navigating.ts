import { keepLatest } from "@docent/kernel/lib/keep-latest";
import { audienceKey } from "@docent/sites/pages/audience";
import { asksWhatWasNew, tellsWhatWasNew } from "../rank-passages.ts";
import type { SearchScope, SearchStore } from "../search-store.ts";
import { createNameList, type Name, type NameList } from "./name-list.ts";
import { nearTyped } from "./near-typed.ts";
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
