import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openParts } from "../../src/running/app.ts";
import type { RunOptions } from "../../src/sites/ingest/ingest.ts";
import { type DocentOptions, testSurroundings } from "./docent.ts";
import { databaseSettings } from "./shared-database.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

/** Docs whose questions have one page each. */
export const GOLDEN_DOCS: Readonly<Record<string, string>> = {
  "install.md": "# Install Acme\n\nInstall Acme on Linux with the zebra package: run acme-install.",
  "backup.md": "# Back up the database\n\nA backup of the database is written with acme backup every night.",
  "proxy.md": "# Behind a reverse proxy\n\nSet the forwarded header where nginx stands in front of Acme.",
};

/** Writes files below a folder; undefined takes one away. */
export function writeDocs(folder: string, files: Readonly<Record<string, string | undefined>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    if (text === undefined) rmSync(file);
    else writeFileSync(file, text);
  }
}

/** Everything that works on a data directory, with a site whose docs are a folder that has been read. */
export async function openGoldenSite(
  files: Readonly<Record<string, string>> = GOLDEN_DOCS,
  options: DocentOptions = {},
) {
  const directory = temporaryDirectory();
  const docs = join(directory.path, "docs");
  const data = join(directory.path, "data");
  writeDocs(docs, files);
  await databaseSettings(data);
  const parts = await openParts(testSurroundings(data, options));
  const added = await parts.people.sites.add({
    domain: "acme",
    name: "Acme",
    url: "https://docs.acme.example",
  });
  const spec = { siteId: added.id, kind: "folder", location: docs, version: "", language: "" } as const;
  const site = () => parts.people.sites.get("acme");
  const source = await parts.sources.ofSites.add(spec);

  async function run(
    change: Readonly<Record<string, string | undefined>> = {},
    options: Partial<RunOptions> = {},
  ) {
    writeDocs(docs, change);
    const { signal = new AbortController().signal } = options;
    return parts.sources.ofSites.run(await site(), source, { ...options, signal });
  }

  await run();
  return {
    parts,
    golden: parts.golden,
    siteId: added.id,
    site,
    source,
    docs,
    data,
    run,
    /** Keeps a question with the page that answers it. */
    keep: async (question: string, ...expected: string[]) =>
      parts.golden.questions.add(await site(), { question, expected }),
    lastRun: async () => (await parts.sources.ledger.runs(source.id, 1))[0],
    async [Symbol.asyncDispose]() {
      await parts.close();
      directory[Symbol.dispose]();
    },
  };
}
