import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Seal, UNSEALED } from "../../src/kernel/lib/seal/seal.ts";
import { createOwnReading } from "../../src/reading/document-process/documents.ts";
import { ownAsciidoc } from "../../src/reading/markdown/asciidoc/asciidoc.ts";
import {
  createOpenPublishedSite,
  createOpenSourceReader,
  type SourceReaderOptions,
} from "../../src/reading/sources/sources.ts";
import { createFindCited } from "../../src/sites/ingest/cited-page.ts";
import { createLinkCheck } from "../../src/sites/ingest/link-check.ts";
import { createSiteSources, type RunOptions } from "../../src/sites/ingest/site-sources.ts";
import { openIngestSite } from "./ingest-site.ts";
import { openIngest } from "./open-ingest.ts";
import { sourceSpec } from "./page-data.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

interface PublishedSourceOptions {
  /** The folder that is read; a new one where none is named. */
  folder?: string;
  pagesMax?: number;
  pageBytesMax?: number;
  privateHosts?: string[];
  seal?: Seal;
}

const signal = new AbortController().signal;

/** A folder as a source of a site, opened as the program opens it, that may be published somewhere. Use it with `using`. */
export async function openPublishedSource({
  folder,
  pagesMax = 1000,
  pageBytesMax = 100_000,
  privateHosts = ["127.0.0.1"],
  seal = UNSEALED,
}: PublishedSourceOptions = {}) {
  const it = await openIngestSite();
  const place = temporaryDirectory();
  const location = folder ?? join(place.path, "docs");
  const readers: SourceReaderOptions = {
    seal: UNSEALED,
    cacheFolder: place.path,
    pageBytesMax,
    documents: createOwnReading(pageBytesMax),
    asciidoc: ownAsciidoc,
    pagesMax,
    certificateAuthorities: [],
    fetchMs: 5_000,
    fetchesAtOnce: 4,
    environment: {},
    credentials: [],
    clock: it.clock,
  };
  const runs = createSiteSources({
    seal,
    sources: it.storage.sources,
    published: it.storage.published,
    ingest: openIngest(it.storage, it.clock, { pagesMax }),
    openSourceReader: createOpenSourceReader(readers),
    openPublishedSite: createOpenPublishedSite({ ...readers, seal }),
    openSiteFetch: () => () => Promise.reject(new Error("nothing asks for addresses")),
    permissions: { of: async () => ({ folders: [], privateHosts }) },
    uploads: { fileOf: async () => undefined, remove: async () => {} },
    checkLinks: createLinkCheck(it.storage.pages),
    findCited: createFindCited(it.storage.pages),
    isShared: false,
    clock: it.clock,
  });
  return {
    it,
    runs,
    add: (published?: string) =>
      runs.add(sourceSpec(it.site.id, { kind: "folder", location }), { published }),
    /** Reads it, published at an address where one is named. */
    async run({
      published,
      url,
      ...options
    }: { published?: string; url?: string } & Partial<RunOptions> = {}) {
      it.advance(1000);
      const source = await runs.add(sourceSpec(it.site.id, { kind: "folder", location }), { published });
      return runs.run({ ...it.site, url, generation: await it.generation() }, source, { signal, ...options });
    },
    write(files: Record<string, string>) {
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(location, name)), { recursive: true });
        writeFileSync(join(location, name), text);
      }
    },
    remove: (name: string) => rmSync(join(location, name)),
    /** The anchors that citations of each page lead to. */
    anchors: () => anchorsIn(it.storage.database),
    [Symbol.dispose]() {
      place[Symbol.dispose]();
      it[Symbol.dispose]();
    },
  };
}

function anchorsIn(database: Awaited<ReturnType<typeof openIngestSite>>["storage"]["database"]) {
  const rows = database
    .query<{ path: string; anchor: string; inner: string }, []>(
      `SELECT pages.path, anchor, inner_headings_json AS inner FROM pages JOIN passages ON passages.page_id = pages.id
       WHERE pages.died IS NULL ORDER BY pages.path, position`,
    )
    .all();
  const anchors: Record<string, string[]> = {};
  for (const { path, anchor, inner } of rows) {
    const further = JSON.parse(inner).map((each: { anchor: string }) => each.anchor);
    anchors[path] = [...(anchors[path] ?? []), anchor, ...further];
  }
  return anchors;
}
