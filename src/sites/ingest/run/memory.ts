import type { Remembered } from "@docent/reading/source-reader";
import type { LedgerEntry } from "../stores.ts";
import { isReadAsNow } from "./page-hash.ts";
import type { Pass } from "./pass.ts";

// Looks up what runs before this one left: in the index, and in the ledger.

/** The revisions of a page in the index. */
export function revisionsOf({ known }: Pass, path: string) {
  const revisions = known.get(path) ?? [];
  return { visible: revisions.find((page) => !page.staged), staged: revisions.find((page) => page.staged) };
}

/** What the last run noted of a location, where the index still holds what was read then. */
export function remembered(pass: Pass, location: string): Remembered | undefined {
  const entry = pass.noted.get(location);
  if (!entry) return undefined;
  const { path, format, validator, links, reason, detail } = entry;
  if (entry.decision === "skipped" && reason !== undefined && detail !== undefined)
    return { path: path ?? "", format: format ?? "md", validator, links, skipped: { reason, detail } };
  if (path === undefined || format === undefined || !isHeld(pass, entry)) return undefined;
  return { path, format, validator, links, skipped: undefined };
}

/** All that the last run noted, where nothing of it has to be asked for again. */
export function settled(pass: Pass): ReadonlyMap<string, Remembered> | undefined {
  if (!pass.wasWhole) return undefined;
  const all = new Map<string, Remembered>();
  for (const [location, { decision, reason }] of pass.noted) {
    if (decision === "removed") continue;
    const known = remembered(pass, location);
    if (known === undefined || decision === "kept" || reason === "failed") return undefined;
    all.set(location, known);
  }
  return all;
}

/** Whether the index holds what was noted, read as it would be read now. */
export function isHeld(pass: Pass, { location, path, format = "md", contentHash }: LedgerEntry): boolean {
  if (path === undefined || contentHash === undefined) return false;
  if (!isReadAsNow(contentHash, { location, format }, pass.reading)) return false;
  const { visible, staged } = revisionsOf(pass, path);
  return visible?.contentHash === contentHash || staged?.contentHash === contentHash;
}

/** Pages of the index that the source no longer lists. */
export function unlisted({ known, seen }: Pass): { location: string; path: string; isVisible: boolean }[] {
  return [...known]
    .filter(([path]) => !seen.has(path))
    .map(([path, revisions]) => ({
      path,
      location: revisions[0]?.location ?? path,
      isVisible: revisions.some((page) => !page.staged),
    }));
}
