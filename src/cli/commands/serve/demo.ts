import { AppError } from "@docent/kernel/errors";
import type { Parts } from "@docent/running/app/parts";
import { createEmbeddedReader } from "@docent/sites/ingest/ingest";
import { OWN_DOCS } from "../../own-docs.ts";

const DEMO_KEY_NAME = "demo";

/** Makes Docent's own documentation a site of this server. Returns a key for it. */
export async function prepareDemo(
  { people, sources }: Parts,
  domain: string,
  signal: AbortSignal,
): Promise<string> {
  const known = (await people.sites.list()).find((each) => each.domain === domain);
  if (known && !(await sources.ofSites.list(known.id)).some((source) => source.kind === "demo")) {
    throw new AppError("conflict", `There is a site ${domain} on this server that is not the demo.`, {
      hint: "Serve without --demo, or name another data directory with --data.",
    });
  }
  const site = known ?? (await people.sites.add({ domain, name: "Docent", settings: { public: true } }));
  await sources.ingest.run({
    source: { siteId: site.id, kind: "demo", location: "docs", version: "", language: "" },
    reader: createEmbeddedReader(OWN_DOCS),
    generation: site.generation,
    anchors: site.settings.anchors,
    signal,
  });
  const usable = (await people.keys.list()).find(
    (key) => key.name === DEMO_KEY_NAME && key.revokedAt === undefined && key.siteIds.includes(site.id),
  );
  const key =
    usable ??
    (await people.keys.create({
      organizationId: site.organizationId,
      name: DEMO_KEY_NAME,
      siteIds: [site.id],
    }));
  return key.key;
}
