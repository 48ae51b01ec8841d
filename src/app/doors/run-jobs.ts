import { createOrganizationTurns, createRunJobs, type RunJobs } from "../../ingest/ingest.ts";
import type { Parts } from "../parts.ts";
import type { Surroundings } from "../surroundings.ts";
import { requestedRuns } from "../upkeep/requested-runs.ts";

/** The runs that are asked for, at this server and at those that share its database. */
export const openRunJobs = (surroundings: Surroundings, parts: Parts): RunJobs =>
  createRunJobs({
    ...surroundings,
    work: requestedRuns(surroundings, parts),
    store: parts.storage.content.runJobs,
    isHere: parts.sources.ofSites.isHere,
    ids: parts.ids,
    order: createOrganizationTurns(surroundings.config.organizations_at_once),
  });
