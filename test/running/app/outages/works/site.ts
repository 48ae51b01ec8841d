import { openIngest } from "../../../../helpers/open-ingest.ts";
import { sourceSpec } from "../../../../helpers/page-data.ts";
import { type TrackedPages, trackedReader } from "../../../../helpers/tracked-reader.ts";
import { NEVER, type Opened, type Worker } from "../half-way.ts";

type IngestOptions = Parameters<typeof openIngest>[2];

/** Pages of one passage each. */
export const pagesOf = (count: number, about: string): TrackedPages =>
  Object.fromEntries(
    Array.from({ length: count }, (_, page) => [
      `${about}-${page}`,
      `# Page ${page}\n\nThe ${about} of page ${page} eats grass in the morning, and sleeps below the old tree.`,
    ]),
  );

/** Adds a site without pages. */
export async function addSite({ server }: Opened, domain: string) {
  const { sites } = server.parts.people;
  const site = await sites.add({ domain });
  return {
    ...site,
    /** The site alone, as whoever works on all sites lists it. */
    list: async () => (await sites.list()).filter(({ id }) => id === site.id),
  };
}

/** Reads pages in. What a run does besides is as the options say. */
export async function read(
  { parts }: Worker,
  { clock }: Opened,
  { siteId, pages, generation }: { siteId: number; pages: TrackedPages; generation: number },
  options: IngestOptions,
) {
  const [location = ""] = Object.keys(pages);
  return openIngest(parts.storage.content, clock, options).run({
    source: sourceSpec(siteId, { location }),
    reader: trackedReader(pages),
    generation,
    signal: NEVER,
  });
}
