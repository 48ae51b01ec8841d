import { expect, test } from "bun:test";
import type { SourceItem } from "../../../src/reading/source-reader.ts";
import { asPublished } from "../../../src/sites/ingest/run/published/as-published.ts";
import { listContext } from "../../helpers/list-context.ts";

test("a document stays as it is, with the file that readers download", async () => {
  const item: SourceItem = {
    path: "manual.pdf",
    location: "manual.pdf",
    found: "folder",
    format: "document",
    async read() {
      item.original = { hash: "h", type: "application/pdf", content: new Uint8Array(1) };
      return new TextEncoder().encode("words");
    },
  };
  const page = {
    path: "guide.html",
    address: "a",
    title: "",
    validator: undefined,
    headings: [],
    places: [],
  };
  const found = new Map([["guide", { page, isKept: false }]]);
  const reader = {
    async *list() {
      yield item;
    },
  };
  const [listed] = await Array.fromAsync(
    asPublished(reader, { found, siteUrl: undefined }).list(listContext()),
  );
  if (listed === undefined || !("read" in listed)) throw new Error("the document is not listed");
  await listed.read();
  expect(listed.original?.hash).toBe("h");
});
