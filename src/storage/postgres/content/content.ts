import type { OwnContent } from "../../content/content.ts";
import { noteChange } from "../changes.ts";
import type { Database } from "../database/database.ts";
import type { Leases } from "../leases.ts";
import { stagePages } from "./page-writer.ts";
import { createRunJobStore } from "./run-jobs.ts";
import { createUploadStore } from "./uploads.ts";

interface ContentOptions {
  leases: Leases;
  /** The server that reads sources when they are due, if one does. */
  serverId: string | undefined;
  /** Makes a name that nobody else has. */
  newId(): string;
}

/** What the docs say: where it comes from, how it came, and how it is found. */
export function createOwnContent(
  database: Database,
  { leases, serverId, newId }: ContentOptions,
): OwnContent {
  return {
    serverId,
    running: {
      locks: { take: (ids) => leases.take("source", ids) },
      noteChange: () => noteChange("sites"),
      stagePages,
      newId,
    },
    hasVectors: false,
    async lockIndex(siteId) {
      const lease = await leases.take("index", [siteId]);
      return "heldBy" in lease ? undefined : lease;
    },
    uploads: createUploadStore(database),
    runJobs: serverId === undefined ? undefined : createRunJobStore(database, serverId),
  };
}
