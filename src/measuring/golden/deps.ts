import type { RelevanceSettings, Search, SearchElsewhere } from "@docent/finding/search/search";
import type { Site } from "@docent/sites/site/sites";
import type { QuestionsDeps } from "./questions.ts";
import type { GenerationReportStore, GoldenStore } from "./stores.ts";

export interface GoldenDeps extends Omit<QuestionsDeps, "store"> {
  settings: RelevanceSettings;
  stores: { golden: GoldenStore; generationReports: GenerationReportStore };
  search: Pick<Search, "find"> & SearchElsewhere;
  siteOf(siteId: number): Promise<Pick<Site, "domain" | "settings"> | undefined>;
}
