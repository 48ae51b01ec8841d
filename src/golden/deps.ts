import type { RelevanceSettings, Search, SearchElsewhere } from "../search/search.ts";
import type { Site } from "../sites/sites.ts";
import type { QuestionsDeps } from "./questions.ts";
import type { GenerationReportStore, GoldenStore } from "./stores.ts";

export interface GoldenDeps extends Omit<QuestionsDeps, "store"> {
  settings: RelevanceSettings;
  stores: { golden: GoldenStore; generationReports: GenerationReportStore };
  search: Pick<Search, "find"> & SearchElsewhere;
  siteOf(siteId: number): Promise<Pick<Site, "domain" | "settings"> | undefined>;
}
