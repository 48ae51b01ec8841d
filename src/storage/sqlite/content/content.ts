import { heldLease, type Lease } from "@docent/kernel/lib/lease";
import type { OwnContent } from "../../content/content.ts";
import type { OwnChanges } from "../changes.ts";
import type { TakeLock } from "../files/files.ts";
import { stagePages } from "./page-writer.ts";

interface ContentOptions {
  lockSource: TakeLock;
  lockIndex: TakeLock;
  /** Whether sqlite-vec is there to measure with. */
  hasVectors: boolean;
  /** Told when a site shows another generation. */
  siteChanges: OwnChanges;
}

/** What the docs say: where it comes from, how it came, and how it is found. */
export function createOwnContent({
  lockSource,
  lockIndex,
  hasVectors,
  siteChanges,
}: ContentOptions): OwnContent {
  return {
    serverId: undefined,
    running: {
      locks: { take: async (ids) => takeAll(ids, lockSource) },
      // biome-ignore lint/correctness/useYield: on SQLite there is nothing to run.
      *noteChange() {
        siteChanges.note();
      },
      stagePages,
      newId: undefined,
    },
    hasVectors,
    async lockIndex(siteId) {
      const release = lockIndex(siteId);
      return release && heldLease(release);
    },
    uploads: undefined,
    runJobs: undefined,
  };
}

/** Takes the locks of sources, or none of them where another run has one. */
function takeAll(sourceIds: readonly number[], lockSource: TakeLock): Lease | { id: number } {
  const held: (() => void)[] = [];
  const release = () => {
    for (const each of held) each();
  };
  for (const id of sourceIds) {
    const lock = lockSource(id);
    if (lock === undefined) {
      release();
      return { id };
    }
    held.push(lock);
  }
  return heldLease(release);
}
