import { createGolden, type Golden } from "../golden/golden.ts";
import type { Answers } from "./answers/answers.ts";
import type { Content } from "./content.ts";
import type { Ground } from "./parts.ts";
import type { Reports } from "./reports.ts";

interface Uses {
  content: Content;
  answers: Answers;
  reports: Reports;
}

/** Opens the golden questions of sites, which runs are asked with, and the reports of generations. */
export function openGolden({ config, clock, ids, storage }: Ground, uses: Uses): Golden {
  const { golden, generationReports } = storage.reports;
  const { search, pages } = uses.content;
  return createGolden({
    settings: config,
    stores: { golden, generationReports },
    search,
    pages,
    siteOf: async (siteId) => (await storage.people.sites.listSites()).find(({ id }) => id === siteId),
    analytics: uses.reports.analytics,
    curated: uses.answers.curated,
    clock,
    ids,
  });
}
