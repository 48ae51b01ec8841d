import type { ShownEntry, Target } from "./entries.ts";

/** An entry as all pages together show it. */
export interface MergedEntry {
  label: string;
  target: Target | undefined;
  /** How many pages showed it, how many with something below it, and on how many of those the page itself was there. */
  shown: number;
  opened: number;
  held: number;
  children: MergedEntries;
}

/** Entries in their order, by label and target. */
export type MergedEntries = Map<string, MergedEntry>;

const ENTRIES_MAX = 50_000;

/** What may still be merged: pages may write new entries without end. */
export interface Room {
  entries: number;
}

export const newRoom = (): Room => ({ entries: ENTRIES_MAX });

export const keyOf = ({ label, target }: Pick<ShownEntry, "label" | "target">) =>
  JSON.stringify(
    target === undefined
      ? [label]
      : "href" in target
        ? [label, target.href]
        : [label, target.path, target.anchor],
  );

/** Adds what a page shows to what others showed: new entries come behind those that they follow there. */
export function mergeInto(
  merged: MergedEntries,
  shown: readonly ShownEntry[],
  path: string,
  room: Room,
): void {
  const known = new Map<string, number>();
  let before: string | undefined;
  const added: { key: string; entry: MergedEntry; before: string | undefined }[] = [];
  for (const each of shown) {
    const name = keyOf(each);
    const times = (known.get(name) ?? 0) + 1;
    known.set(name, times);
    // A menu may name a page twice.
    const key = times === 1 ? name : `${name} ${times}`;
    let entry = merged.get(key);
    if (entry === undefined) {
      room.entries -= 1;
      if (room.entries < 0) return;
      entry = { label: each.label, target: each.target, shown: 0, opened: 0, held: 0, children: new Map() };
      added.push({ key, entry, before });
    }
    entry.shown += 1;
    if (each.children.length > 0) {
      entry.opened += 1;
      if (holds(each.children, path)) entry.held += 1;
      mergeInto(entry.children, each.children, path, room);
    }
    before = key;
  }
  if (added.length > 0) insert(merged, added);
}

function insert(
  merged: MergedEntries,
  added: readonly { key: string; entry: MergedEntry; before: string | undefined }[],
): void {
  const behind = Map.groupBy(added, ({ before }) => before);
  const old = [...merged];
  merged.clear();
  const put = (key: string, entry: MergedEntry) => {
    merged.set(key, entry);
    for (const next of behind.get(key) ?? []) put(next.key, next.entry);
  };
  for (const { key, entry } of behind.get(undefined) ?? []) put(key, entry);
  for (const [key, entry] of old) put(key, entry);
}

/** Whether entries, or what is below them, lead to a page. */
export function holds(entries: readonly ShownEntry[], path: string): boolean {
  return entries.some(
    ({ target, children }) =>
      (target !== undefined && "path" in target && target.path === path) || holds(children, path),
  );
}

/** The pages that entries lead to, with all below them. */
export function pathsIn(entries: readonly ShownEntry[], found = new Set<string>()): Set<string> {
  for (const { target, children } of entries) {
    if (target !== undefined && "path" in target) found.add(target.path);
    pathsIn(children, found);
  }
  return found;
}
