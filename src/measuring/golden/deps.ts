import type { RelevanceSettings, Search, SearchElsewhere } from "@docent/finding/search/search";
import type { PageStore } from "@docent/sites/pages/pages";
import type { Site } from "@docent/sites/site/sites";
import type { QuestionsDeps } from "./questions.ts";
import type { GenerationReportStore, GoldenStore } from "./stores.ts";

export interface GoldenDeps extends Omit<QuestionsDeps, "store"> {
  settings: RelevanceSettings;
  stores: { golden: GoldenStore; generationReports: GenerationReportStore };
  pages: Pick<PageStore, "findPages" | "listRedirects" | "visibleGeneration">;
  search: Pick<Search, "find"> & SearchElsewhere;
  siteOf(siteId: number): Promise<Pick<Site, "domain" | "settings"> | undefined>;
}
