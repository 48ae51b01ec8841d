import type { Asker } from "../../answer/responder.ts";

/**
 * A line in which sites take turns, within a site its readers do, and a reader's own entries keep their order. Nobody
 * starves: while someone waits, no other site, and no other reader of the same site, has two turns.
 */
export interface Turns<T> {
  /** Waits from now on. */
  join(asker: Asker, entry: T): void;
  /** Waits before all others: its turn was had, and came to nothing. */
  rejoin(entry: T): void;
  /** Waits no longer, without a turn. */
  leave(asker: Asker, entry: T): void;
  /** Has its turn, which lasts until `end`. */
  begin(asker: Asker, entry: T): void;
  end(asker: Asker): void;
  /** Who waits, in the order in which they would have their turns if nobody came or left. */
  order(): T[];
}

/** A site or a reader: from the first of it that waits to the last that has ended. */
interface Party {
  /**
   * When it had its last turn, counted in turns. Who comes counts as having had one just now, but before whoever really
   * had it: one reader's many questions cannot hold up another's first, and a stream of newcomers cannot hold up the many.
   */
  servedAt: number;
  running: number;
}

interface Reader<T> extends Party {
  waiting: T[];
}

interface Site<T> extends Party {
  waiting: number;
  turns: number;
  readers: Map<string, Reader<T>>;
}

/** A line in which nobody stands yet. */
export function createTurns<T>(): Turns<T> {
  const sites = new Map<number, Site<T>>();
  const first: T[] = [];
  let turns = 0;

  const find = ({ siteId, reader: name }: Asker) => {
    const site = sites.get(siteId);
    const reader = site?.readers.get(name);
    return site === undefined || reader === undefined ? undefined : { site, reader };
  };
  const open = ({ siteId, reader: name }: Asker) => {
    const site = sites.get(siteId) ?? { servedAt: 0, running: 0, waiting: 0, turns: 0, readers: new Map() };
    const reader = site.readers.get(name) ?? { servedAt: 0, running: 0, waiting: [] };
    if (site.waiting === 0) arrive(sites, siteId, site, turns);
    if (reader.waiting.length === 0) arrive(site.readers, name, reader, site.turns);
    return { site, reader };
  };
  const forget = ({ siteId, reader: name }: Asker, site: Site<T>, reader: Reader<T>) => {
    if (reader.waiting.length === 0 && reader.running === 0) site.readers.delete(name);
    if (site.readers.size === 0) sites.delete(siteId);
  };
  const take = (asker: Asker, entry: T) => {
    const { site, reader } = find(asker) ?? {};
    const index = reader?.waiting.indexOf(entry) ?? -1;
    if (site === undefined || reader === undefined || index < 0) return undefined;
    reader.waiting.splice(index, 1);
    site.waiting -= 1;
    return { site, reader };
  };
  const takeFirst = (entry: T) => {
    const index = first.indexOf(entry);
    if (index >= 0) first.splice(index, 1);
    return index >= 0;
  };

  return {
    join(asker, entry) {
      const { site, reader } = open(asker);
      reader.waiting.push(entry);
      site.waiting += 1;
    },
    rejoin: (entry) => void first.push(entry),
    leave(asker, entry) {
      if (takeFirst(entry)) return;
      const { site, reader } = take(asker, entry) ?? {};
      if (site !== undefined && reader !== undefined) forget(asker, site, reader);
    },
    begin(asker, entry) {
      const again = takeFirst(entry);
      const { site, reader } = (again ? undefined : take(asker, entry)) ?? open(asker);
      site.running += 1;
      reader.running += 1;
      if (again) return;
      site.servedAt = ++turns + 0.5;
      reader.servedAt = ++site.turns + 0.5;
    },
    end(asker) {
      const { site, reader } = find(asker) ?? {};
      if (site === undefined || reader === undefined) return;
      site.running -= 1;
      reader.running -= 1;
      forget(asker, site, reader);
    },
    order: () => [
      ...first,
      ...inTurns(bySeniority(sites).map((site) => inTurns(bySeniority(site.readers).map((r) => r.waiting)))),
    ],
  };
}

/** Puts a party that begins to wait behind all that came before it. */
function arrive<K, P extends Party>(parties: Map<K, P>, key: K, party: P, turns: number): void {
  party.servedAt = Math.max(party.servedAt, turns);
  parties.delete(key);
  parties.set(key, party);
}

const bySeniority = <P extends Party>(parties: Map<unknown, P>): P[] =>
  [...parties.values()].sort((one, other) => one.servedAt - other.servedAt);

/** The first of each list, then the second of each, and so on. */
function inTurns<T>(lists: T[][]): T[] {
  const merged: T[] = [];
  for (let index = 0, left = lists; left.length > 0; index++) {
    left = left.filter((list) => index < list.length);
    for (const list of left) merged.push(...list.slice(index, index + 1));
  }
  return merged;
}
