import { AppError } from "../errors.ts";
import type { Clock } from "../lib/clock.ts";
import { parsePage } from "../markdown/page.ts";
import { isSkipped, type Skipped, type SourceItem, type SourceReader } from "./source-reader.ts";
import type { IngestStore, KnownPage, RunCounts, Source, SourceSpec, StagedPage } from "./store.ts";

/** Raised whenever the same file gives other passages than before: every page is then read again. */
const PARSER_REVISION = 1;
const PAGES_AT_ONCE = 20;
/** Generations that can be returned to, the visible one included. */
const GENERATIONS_KEPT = 3;

/** How far a run is. */
export interface IngestProgress {
  pages: number;
  /** The page that was just stored, kept or left out. */
  location: string;
}

export interface IngestReport extends RunCounts {
  /** The generation that readers see now. */
  generation: number;
  /** An interrupted run was taken up again. */
  resumed: boolean;
  skipped: Skipped[];
}

export interface IngestRequest {
  source: SourceSpec;
  reader: SourceReader;
  /** The generation that readers see before the run. */
  generation: number;
  signal: AbortSignal;
  onProgress?: (progress: IngestProgress) => void;
}

export interface Ingest {
  sources(siteId: number): Promise<Source[]>;
  run(request: IngestRequest): Promise<IngestReport>;
}

/** Reads a source into the index. Nothing of a run is visible before all of it is there. */
export function createIngest(deps: { store: IngestStore; clock: Clock; pagesMax: number }): Ingest {
  const { store, clock, pagesMax } = deps;
  return {
    sources: (siteId) => store.listSources(siteId),

    async run(request) {
      const source = await store.openSource(request.source, clock());
      const release = await store.lock(source);
      try {
        return await runLocked(source, request);
      } finally {
        release();
      }
    },
  };

  async function runLocked(source: Source, request: IngestRequest): Promise<IngestReport> {
    const { runId, resumed } = await store.openRun(source, clock());
    const known = Map.groupBy(await store.knownPages(source, runId), (page) => page.path);
    const run = new Run(store, source, runId, known, request.onProgress);
    for await (const item of request.reader.list(request.signal)) {
      request.signal.throwIfAborted();
      if (isSkipped(item)) run.skip(item);
      else await run.take(item);
      if (run.listed > pagesMax) throw tooMany(pagesMax);
    }
    if (run.listed === 0) throw nothingFound(source);
    const counts = await run.end();
    const changed = counts.added + counts.changed + counts.removed > 0;
    if (!changed) await store.discard(runId);
    const generation = changed ? await store.publish(source, runId, counts, clock()) : request.generation;
    await store.prune(source.siteId, GENERATIONS_KEPT);
    return { ...counts, generation, resumed, skipped: run.skipped };
  }
}

/** One pass over a source's items: what is new is staged, what is the same is kept, what is gone is dropped. */
class Run {
  readonly skipped: Skipped[] = [];
  private pages = 0;
  private readonly counts: RunCounts = { added: 0, changed: 0, unchanged: 0, removed: 0, passages: 0 };
  private readonly seen = new Set<string>();
  private waiting: { page: StagedPage; location: string }[] = [];

  constructor(
    private readonly store: IngestStore,
    private readonly source: Source,
    private readonly runId: number,
    private readonly known: Map<string, KnownPage[]>,
    private readonly onProgress: ((progress: IngestProgress) => void) | undefined,
  ) {}

  /** How many pages the source has shown so far. */
  get listed(): number {
    return this.seen.size;
  }

  skip(item: Skipped): void {
    this.skipped.push(item);
  }

  async take(item: SourceItem): Promise<void> {
    const content = await item.read();
    const contentHash = hashOf(content, item.location);
    const revisions = this.known.get(item.path) ?? [];
    const visible = revisions.find((page) => !page.staged);
    const staged = revisions.find((page) => page.staged);
    this.seen.add(item.path);
    if (visible?.contentHash === contentHash) {
      if (visible.dropped || staged) await this.store.keep(this.source, this.runId, [item.path]);
      this.counts.unchanged++;
      this.passed(item.location);
      return;
    }
    this.counts[visible ? "changed" : "added"]++;
    if (staged?.contentHash === contentHash) {
      this.passed(item.location);
      return;
    }
    const page = toStagedPage(item, content, contentHash);
    this.waiting.push({ page, location: item.location });
    if (this.waiting.length >= PAGES_AT_ONCE) await this.flush();
  }

  /** Stores what is waiting and marks what was not listed. */
  async end(): Promise<RunCounts> {
    await this.flush();
    const gone = [...this.known].filter(([path]) => !this.seen.has(path));
    this.counts.removed = gone.filter(([, revisions]) => revisions.some((page) => !page.staged)).length;
    await this.store.drop(
      this.source,
      this.runId,
      gone.map(([path]) => path),
    );
    return this.counts;
  }

  private async flush(): Promise<void> {
    const batch = this.waiting;
    this.waiting = [];
    await this.store.stage(
      this.source,
      this.runId,
      batch.map(({ page }) => page),
    );
    for (const { page, location } of batch) {
      this.counts.passages += page.passages.length;
      this.passed(location);
    }
  }

  private passed(location: string): void {
    this.pages++;
    this.onProgress?.({ pages: this.pages, location });
  }
}

function toStagedPage(item: SourceItem, content: Uint8Array, contentHash: string): StagedPage {
  const source = new TextDecoder("utf-8", { fatal: false }).decode(content);
  const fallbackTitle = item.path.split("/").at(-1) || "Home";
  const page = parsePage(source, { fallbackTitle, format: item.format });
  const { title, description, frontMatter, hidden, markdown, passages } = page;
  return {
    path: item.path,
    location: item.location,
    title,
    description,
    frontMatter,
    hidden,
    markdown,
    contentHash,
    passages,
  };
}

/** What a page is made from: its text, and where it was found, which says its format and what its links mean. */
function hashOf(content: Uint8Array, location: string): string {
  return new Bun.CryptoHasher("sha256")
    .update(`${PARSER_REVISION} ${location}\n`)
    .update(content)
    .digest("hex");
}

function nothingFound(source: Source): AppError {
  return new AppError("invalid_request", `There are no Markdown pages in ${source.location}.`, {
    hint: "Name the folder that holds the .md or .mdx files. What was ingested before is still there.",
  });
}

function tooMany(pagesMax: number): AppError {
  return new AppError("too_large", `The source has more than ${pagesMax} pages.`, {
    hint: "Name a smaller folder, or raise the setting pages_per_source.",
  });
}
