import type { Asker } from "@docent/answering/answer/responder";

/**
 * A fair queue: sites alternate, within a site its readers alternate, and a reader's own entries keep their
 * order. Nobody starves: while someone waits, no other site, and no other reader of the same site, is served
 * twice.
 */
export interface FairOrder<T> {
  /** Adds an entry to the queue. */
  join(asker: Asker, entry: T): void;
  /** Puts an entry before all others: it was served, but in vain. */
  rejoin(entry: T): void;
  /** Removes an entry that no longer waits. */
  leave(asker: Asker, entry: T): void;
  /** Starts to serve an entry, until `end`. */
  begin(asker: Asker, entry: T): void;
  end(asker: Asker): void;
  /** The waiting entries, in the order in which they would be served if nobody came or left. */
  list(): T[];
}

/** A site or a reader, from its first waiting entry to the end of its last. */
interface Party {
  /**
   * When it was last served, in a count of services. A newcomer counts as served just now, but before those
   * who really were: one reader's many questions cannot hold up another's first, and a stream of newcomers
   * cannot hold up the many.
   */
  servedAt: number;
  running: number;
}

interface Reader<T> extends Party {
  waiting: T[];
}

interface Site<T> extends Party {
  waiting: number;
  served: number;
  readers: Map<string, Reader<T>>;
}

/** All parties that wait or run. */
interface Parties<T> {
  sites: Map<number, Site<T>>;
  /** Entries that wait before all others. */
  first: T[];
  served: number;
}

export function createFairOrder<T>(): FairOrder<T> {
  const parties: Parties<T> = { sites: new Map(), first: [], served: 0 };
  return {
    join(asker, entry) {
      const { site, reader } = open(parties, asker);
      reader.waiting.push(entry);
      site.waiting += 1;
    },
    rejoin: (entry) => void parties.first.push(entry),
    leave(asker, entry) {
      if (takeFirst(parties, entry)) return;
      const left = take(parties, asker, entry);
      if (left !== undefined) forget(parties, asker, left);
    },
    begin: (asker, entry) => begin(parties, asker, entry),
    end(asker) {
      const found = find(parties, asker);
      if (found === undefined) return;
      found.site.running -= 1;
      found.reader.running -= 1;
      forget(parties, asker, found);
    },
    list() {
      const ofSite = ({ readers }: Site<T>) => interleave(bySeniority(readers).map(({ waiting }) => waiting));
      return [...parties.first, ...interleave(bySeniority(parties.sites).map(ofSite))];
    },
  };
}

interface Found<T> {
  site: Site<T>;
  reader: Reader<T>;
}

function find<T>({ sites }: Parties<T>, { siteId, reader: name }: Asker): Found<T> | undefined {
  const site = sites.get(siteId);
  const reader = site?.readers.get(name);
  return site === undefined || reader === undefined ? undefined : { site, reader };
}

/** Finds or adds the site and reader of an entry that waits or runs. */
function open<T>({ sites, served }: Parties<T>, { siteId, reader: name }: Asker): Found<T> {
  const site = sites.get(siteId) ?? { servedAt: 0, running: 0, waiting: 0, served: 0, readers: new Map() };
  const reader = site.readers.get(name) ?? { servedAt: 0, running: 0, waiting: [] };
  if (site.waiting === 0) arrive(sites, siteId, site, served);
  if (reader.waiting.length === 0) arrive(site.readers, name, reader, site.served);
  return { site, reader };
}

function begin<T>(parties: Parties<T>, asker: Asker, entry: T): void {
  const again = takeFirst(parties, entry);
  const { site, reader } = (again ? undefined : take(parties, asker, entry)) ?? open(parties, asker);
  site.running += 1;
  reader.running += 1;
  if (again) return;
  site.servedAt = ++parties.served + 0.5;
  reader.servedAt = ++site.served + 0.5;
}

/** Removes an entry from its reader's line; undefined where it is not there. */
function take<T>(parties: Parties<T>, asker: Asker, entry: T): Found<T> | undefined {
  const found = find(parties, asker);
  const index = found?.reader.waiting.indexOf(entry) ?? -1;
  if (found === undefined || index < 0) return undefined;
  found.reader.waiting.splice(index, 1);
  found.site.waiting -= 1;
  return found;
}

function takeFirst<T>({ first }: Parties<T>, entry: T): boolean {
  const index = first.indexOf(entry);
  if (index >= 0) first.splice(index, 1);
  return index >= 0;
}

/** Drops a reader that neither waits nor runs, and a site without readers. */
function forget<T>({ sites }: Parties<T>, { siteId, reader: name }: Asker, { site, reader }: Found<T>): void {
  if (reader.waiting.length === 0 && reader.running === 0) site.readers.delete(name);
  if (site.readers.size === 0) sites.delete(siteId);
}

/** Puts a party that begins to wait behind all that came before it. */
function arrive<K, P extends Party>(parties: Map<K, P>, key: K, party: P, served: number): void {
  party.servedAt = Math.max(party.servedAt, served);
  parties.delete(key);
  parties.set(key, party);
}

const bySeniority = <P extends Party>(parties: Map<unknown, P>): P[] =>
  [...parties.values()].sort((one, other) => one.servedAt - other.servedAt);

/** The first of each list, then the second of each, and so on. */
function interleave<T>(lists: T[][]): T[] {
  const merged: T[] = [];
  for (let index = 0, left = lists; left.length > 0; index++) {
    left = left.filter((list) => index < list.length);
    for (const list of left) merged.push(...list.slice(index, index + 1));
  }
  return merged;
}
