import { describe, expect, test } from "bun:test";
import type { RecognizedDocs, SourceReader } from "../../../src/reading/source-reader.ts";
import { openIngestSite } from "../../helpers/ingest-site.ts";
import { openIngest } from "../../helpers/open-ingest.ts";
import { sourceSpec } from "../../helpers/page-data.ts";

const { signal } = new AbortController();
const DOCS: RecognizedDocs = {
  generator: "Docusaurus",
  pages: 1,
  samples: [{ location: "docs/a.md", path: "docs/a" }],
  menu: [
    {
      label: "Guide",
      children: Array.from({ length: 10 }, (_, n) => ({ label: `Page ${n}`, children: [] })),
    },
  ],
  redirects: [],
  unknowns: [{ name: "path", question: "What is path?", guess: "docs" }],
};

/** A source whose page notes that it was read. */
function source({ docs }: { docs: RecognizedDocs | undefined }) {
  const reads: string[] = [];
  const reader: SourceReader = {
    async *list({ onRecognized }) {
      if (docs) onRecognized?.(docs);
      yield {
        path: "docs/a",
        location: "docs/a.md",
        found: "folder",
        format: "md",
        async read() {
          reads.push("docs/a");
          return new TextEncoder().encode("# A zebra\n\nEats hay.");
        },
      };
    },
  };
  return { reader, reads };
}

async function opened() {
  const it = await openIngestSite();
  const ingest = openIngest(it.storage, it.clock);
  const run = (reader: SourceReader, preview: boolean) =>
    ingest.run({ source: sourceSpec(it.site.id), reader, generation: 0, preview, signal });
  const lastRun = async () => {
    const [source] = await it.storage.sources.list(it.site.id);
    return source?.lastRun;
  };
  return { it, run, lastRun, [Symbol.dispose]: () => it[Symbol.dispose]() };
}

describe("a preview", () => {
  test("ends before the first page, publishes nothing, and keeps what was recognized", async () => {
    using site = await opened();
    const { reader, reads } = source({ docs: DOCS });
    expect(await site.run(reader, true)).toMatchObject({ previewed: true, generation: 0, added: 0 });
    expect(reads).toEqual([]);
    expect(await site.lastRun()).toMatchObject({
      outcome: "previewed",
      generator: "Docusaurus",
      docs: {
        pages: 1,
        menu: [{ label: "Guide", below: expect.arrayContaining(["Page 0"]), more: 2 }],
        samples: [{ location: "docs/a.md", path: "docs/a" }],
        unknowns: [{ name: "path", question: "What is path?", guess: "docs" }],
      },
    });
  });

  test("is followed by a run that reads everything", async () => {
    using site = await opened();
    const { reader, reads } = source({ docs: DOCS });
    await site.run(reader, true);
    expect(await site.run(reader, false)).toMatchObject({ previewed: false, added: 1, resumed: false });
    expect(reads).toEqual(["docs/a"]);
    expect((await site.lastRun())?.docs?.pages).toBe(1);
  });

  test("reads what is no generator's", async () => {
    using site = await opened();
    const { reader } = source({ docs: undefined });
    expect(await site.run(reader, true)).toMatchObject({ previewed: false, added: 1 });
    expect(await site.lastRun()).toMatchObject({ outcome: "published", docs: undefined });
  });
});
