import type { Parts } from "../app.ts";
import type { Log } from "../lib/log.ts";
import { reasonFields } from "../lib/log-reason.ts";

/** Takes away what a server left that was killed: halves of uploads, and uploads of sources that are gone. */
export async function tidyUploads(
  { uploads, sourceRuns }: Pick<Parts, "uploads" | "sourceRuns">,
  log: Log,
): Promise<void> {
  try {
    uploads.removeHalves();
    await uploads.sweep(async (siteId, sourceId) =>
      (await sourceRuns.list(siteId)).some(({ id }) => id === sourceId),
    );
  } catch (error) {
    log.warn("what is left of uploads could not be removed", reasonFields(error));
  }
}
