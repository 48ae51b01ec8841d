import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { traceCalls } from "./trace.ts";

// Takes one page or one question on its way: `bun scripts/house/way.ts page|question <root>` prints the calls between rooms.

const DOMAIN = "docs.example.com";
const PAGE =
  "# Backups\n\nThe server writes a backup every night.\n\n## Restore\n\nRun `restore` with the file:\n\n```sh\nrestore backup.db\n```\n";

/** Reads a folder with one page into a storage in memory, with the code of `root`. */
async function takePage(root: string, folder: string): Promise<void> {
  const of = (path: string) => import(join(root, path));
  const { openIngest } = await of("test/helpers/open-ingest.ts");
  const { openTestStorage } = await of("test/helpers/test-storage.ts");
  const { addSite } = await of("test/helpers/site-data.ts");
  const { createFolderReader } = await of("src/reading/sources/folder/folder.ts");
  const { openDocumentReading } = await of("src/reading/document-process/documents.ts");
  const { ownAsciidoc } = await of("src/reading/markdown/asciidoc/asciidoc.ts");
  using storage = await openTestStorage();
  const site = await addSite(storage.sites, "docs");
  const documents = openDocumentReading({
    bytesMax: 1e6,
    keptBytesMax: 1e6,
    documentMs: 1e4,
    memoryBytesMax: 1e9,
  });
  const reader = createFolderReader({
    root: folder,
    fileBytesMax: 1e6,
    documents,
    asciidoc: ownAsciidoc,
    apart: undefined,
    clock: Date.now,
  });
  const source = { siteId: site.id, kind: "folder", location: folder, version: "", language: "" };
  const signal = new AbortController().signal;
  await openIngest(storage, Date.now).run({ source, reader, generation: 0, signal });
}

/** Asks a site with one page a question, as `docent ask` does. */
async function takeQuestion(root: string, folder: string): Promise<void> {
  const data = join(folder, "data");
  const docs = join(folder, "docs");
  await Bun.write(join(docs, "backups.md"), PAGE);
  const main = join(root, "src/main.ts");
  const env = { ...process.env, DOCENT_DATA: data };
  for (const asked of [
    ["sites", "add", DOMAIN],
    ["ingest", DOMAIN, docs],
  ])
    await Bun.spawn([process.execPath, main, ...asked], { env, stdout: "ignore", stderr: "inherit" }).exited;
  process.env["DOCENT_DATA"] = data;
  process.argv.splice(2, process.argv.length, "ask", DOMAIN, "How do I restore a backup?");
  await import(main);
}

if (import.meta.main) {
  const [, , way = "page", root = process.cwd()] = process.argv;
  const folder = await mkdtemp(join(tmpdir(), "docent-way-"));
  const start =
    way === "page"
      ? { room: "src/sites/ingest/run", name: "readSource" }
      : { room: "src/answering/answer", name: "answer" };
  const trace = traceCalls(root, start);
  process.on("exit", () => process.stdout.write(`\n${JSON.stringify(trace.crossings)}\n`));
  if (way === "page") {
    await Bun.write(join(folder, "backups.md"), PAGE);
    await takePage(root, folder);
    await rm(folder, { recursive: true });
  } else await takeQuestion(root, folder);
}
