import { createEmbeddedReader } from "../../src/sites/ingest/embedded-reader.ts";
import type { TestDocent } from "./docent.ts";

/** Adds a site with these pages, by file name. */
export async function addSiteWithPages(
  docent: TestDocent,
  domain: string,
  pages: Record<string, string>,
  { isPublic = true, url = "" } = {},
): Promise<void> {
  const name = `${domain.charAt(0).toUpperCase()}${domain.slice(1)}`;
  await docent.app.parts.people.sites.add({ domain, name, url, settings: { public: isPublic } });
  await readPages(docent, domain, pages);
}

/** Makes these the pages of the site, or those of one of its versions: a new generation. */
export async function readPages(
  { app: { parts } }: TestDocent,
  domain: string,
  pages: Record<string, string>,
  version = "",
): Promise<void> {
  const site = await parts.people.sites.get(domain);
  await parts.sources.ingest.run({
    source: { siteId: site.id, kind: "demo", location: domain + version, version, language: "" },
    reader: createEmbeddedReader(pages),
    generation: site.generation,
    signal: new AbortController().signal,
  });
}
