import { createGuardedFetch, type GuardedFetch } from "../../src/kernel/lib/guarded-fetch/guarded-fetch.ts";
import { UNSEALED } from "../../src/kernel/lib/seal/seal.ts";
import type {
  ListContext,
  Remembered,
  Skipped,
  SourceItem,
  SourceReader,
} from "../../src/reading/source-reader.ts";
import { isSkipped } from "../../src/reading/source-reader.ts";
import { createWebsiteReader, type WebsiteOptions } from "../../src/reading/sources/website/website.ts";
import type { FakeSite } from "./fake-site.ts";
import { listContext } from "./list-context.ts";

/** What one run of a reader gave. */
export interface SiteRun {
  /** The paths of its pages, in order. */
  paths: string[];
  /** Their text by path; nothing for one that was unchanged, and so not read. */
  texts: Record<string, string>;
  items: Record<string, SourceItem>;
  skipped: Skipped[];
  /** `<path of the address>: <reason>` of what was left out. */
  reasons: string[];
  /** What the run ended in, where it did not end well. */
  error: unknown;
  /** What the next run is to remember. */
  memory: Record<string, Remembered>;
}

/** Fetches from these sites as if the operator had named them. */
export function fetchFrom(...sites: FakeSite[]): GuardedFetch {
  return createGuardedFetch({
    seal: UNSEALED,
    hosts: sites.map(({ host }) => host),
    privateHosts: ["127.0.0.1"],
  });
}

/** A reader of a fake site that waits for nothing. */
export function websiteReader(site: FakeSite, options: Partial<WebsiteOptions> = {}): SourceReader {
  return createWebsiteReader({
    start: `${site.url}/`,
    get: fetchFrom(site),
    pageBytesMax: 1_000_000,
    pagesMax: 1000,
    sleep: async () => {},
    random: () => 0.5,
    ...options,
  });
}

/** Runs a reader as an ingest does: what has the remembered validator is not read. */
export async function runReader(
  reader: SourceReader,
  memory: Record<string, Remembered> = {},
  context: ListContext = listContext(undefined, memory),
): Promise<SiteRun> {
  const run: SiteRun = {
    paths: [],
    texts: {},
    items: {},
    skipped: [],
    reasons: [],
    error: undefined,
    memory: {},
  };
  try {
    for await (const item of reader.list(context)) await note(run, item, memory);
  } catch (error) {
    run.error = error;
  }
  return run;
}

async function note(
  run: SiteRun,
  item: SourceItem | Skipped,
  memory: Record<string, Remembered>,
): Promise<void> {
  const { location, validator, links = [] } = item;
  if (isSkipped(item)) {
    const { reason, detail } = item;
    run.skipped.push(item);
    run.reasons.push(`${URL.canParse(location) ? new URL(location).pathname : location}: ${reason}`);
    if (item.keeps === undefined)
      run.memory[location] = { path: "", format: "html", validator, links, skipped: { reason, detail } };
    return;
  }
  const { path, format } = item;
  run.paths.push(path);
  run.items[path] = item;
  run.memory[location] = { path, format, validator, links, skipped: undefined };
  if (validator !== undefined && validator === memory[location]?.validator) return;
  run.texts[path] = new TextDecoder().decode(await item.read());
}
