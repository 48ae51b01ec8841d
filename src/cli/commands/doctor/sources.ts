import type { Parts } from "../../../app/parts.ts";
import type { ListedSource } from "../../../ingest/stores.ts";
import type { Site } from "../../../sites/sites.ts";
import { showTime } from "../../output.ts";
import type { Finding } from "./model.ts";

/** The sources whose last run did not end well. The others are not worth a line each. */
export async function sourceFindings({ people, sources }: Parts): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const site of await people.sites.list())
    for (const source of await sources.ofSites.list(site.id)) {
      // What is off, as while sealed, is not expected to be read.
      if (sources.ofSites.whyNotRead(source) === undefined) found.push(...findingsOf(site, source));
    }
  return found;
}

function findingsOf({ domain }: Site, { id, location, lastRun }: ListedSource): Finding[] {
  const { outcome, message, finishedAt } = lastRun ?? {};
  if (outcome !== "failed" && outcome !== "incomplete") return [];
  const what = outcome === "failed" ? "could not be read" : "could be read only in part";
  const said = message === undefined ? "" : `: ${message}`;
  return [
    {
      what: `source ${id} of ${domain}`,
      state: "warn",
      says: `${location} ${what} (${showTime(finishedAt)} UTC)${said}`,
      hint: `Readers see what was read before. docent sources ledger ${domain} ${id} says more; docent sources schedule ${domain} ${id} never takes it off its schedule.`,
    },
  ];
}
