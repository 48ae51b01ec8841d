import type { Passage } from "../../src/reading/markdown/page.ts";
import type { Source, SourceSpec } from "../../src/reading/source.ts";
import type { IngestStore, RunCounts, StagedPage } from "../../src/sites/ingest/stores.ts";
import { TEST_TIME } from "./fake-clock.ts";

export const NO_COUNTS: RunCounts = { added: 0, changed: 0, unchanged: 0, removed: 0, passages: 0 };

export function sourceSpec(siteId: number, change: Partial<SourceSpec> = {}): SourceSpec {
  return { siteId, kind: "folder", location: "/docs", version: "", language: "", ...change };
}

/** A passage of plain words. */
export const plainPassage = (text: string, change: Partial<Passage> = {}): Passage => ({
  position: 0,
  headingPath: [],
  anchor: "",
  innerHeadings: [],
  markdown: text,
  text,
  codeLanguages: [],
  identifiers: [],
  tokensEstimated: 10,
  ...change,
});

/** A page of one passage. */
export function stagedPage(path: string, text: string, change: Partial<StagedPage> = {}): StagedPage {
  return {
    path,
    kind: "page",
    title: path,
    description: undefined,
    frontMatter: {},
    tags: [],
    groups: [],
    hidden: false,
    markdown: text,
    location: "page.md",
    contentHash: `hash of ${text}`,
    passages: [plainPassage(text)],
    ...change,
  };
}

/** One whole run: stages pages, removes paths and makes the switch. Returns the generation's number. */
export async function publishPages(
  store: IngestStore,
  source: Source,
  pages: StagedPage[],
  removed: string[] = [],
): Promise<number> {
  const { runId } = await store.openRun(source, TEST_TIME);
  await store.stage(source, runId, pages);
  await store.drop(source, runId, removed);
  return store.publish(source, runId, { counts: NO_COUNTS, at: TEST_TIME });
}
