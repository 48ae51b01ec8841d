import { describe, expect, test } from "bun:test";
import type { SearchQuery } from "../../../src/finding/search/search.ts";
import { asContinued, readContinued, termsOf, textOf } from "../../../src/finding/search/story/story.ts";
import { createBuiltinEmbedder, readBuiltinAsset } from "../../../src/models/builtin/builtin.ts";
import type { StagedPage } from "../../../src/sites/ingest/stores.ts";
import { stagedPage } from "../../helpers/page-data.ts";
import { publishedDocs } from "../../helpers/published-docs.ts";

const EMBEDDER = createBuiltinEmbedder(readBuiltinAsset);
const DOCS = [
  stagedPage("body", "To declare a request body, use pydantic models. They are decoded by themselves."),
  stagedPage("injection", "A very powerful but intuitive dependency injection system."),
];

async function opened(pages: StagedPage[]) {
  const docs = await publishedDocs(pages);
  const find = async (text: string, conversation: SearchQuery["conversation"]) =>
    (await docs.find(text, { conversation })).hits;
  return { ...docs, find };
}

describe("a question that goes on with a conversation", () => {
  const { lines } = readContinued("backups: how long are they kept? And where?", "backups");

  test("is read as a story that tells its topic first", () => {
    expect(lines.map(({ text }) => text)).toEqual(["backups", "how long are they kept?", "And where?"]);
    expect(asContinued(textOf({ lines }))).toBe("backups: how long are they kept? And where?");
  });

  test("counts what it asks for more than its topic", () => {
    const { shares } = termsOf(
      "zebra\nwhere is the stable?",
      readContinued("zebra: where is the stable?", "zebra"),
    );
    expect(shares.get("stabl") ?? 0).toBeGreaterThan(shares.get("zebra") ?? 0);
  });

  test("finds what has its own words before what has its topic", async () => {
    const herd = "The zebra herd walks. A zebra follows the herd, and the herd follows a zebra.";
    using it = await opened([
      stagedPage("zebra", herd, { title: "Zebra herd" }),
      stagedPage("stable", "The stable stays locked at night when a horse limps.", { title: "Evenings" }),
    ]);
    const text = "zebra herd: stable locked?";
    const first = async (topic: string | undefined) => (await it.find(text, { topic, cited: [] }))[0];
    expect((await first(undefined))?.path).toBe("zebra");
    expect((await first("zebra herd"))?.path).toBe("stable");
  });

  test("is as relevant as with all its words alike", async () => {
    using it = await opened([stagedPage("stable", "The stable of the zebra is locked at night.")]);
    const [alike, told] = [undefined, "zebra"].map((topic) =>
      it.find("zebra: stable locked?", { topic, cited: [] }),
    );
    expect((await told)?.[0]?.relevance).toBe((await alike)?.[0]?.relevance ?? 0);
  });

  test("is shown in one line where it is corrected", async () => {
    using it = await publishedDocs(DOCS, { embedder: EMBEDDER, isWord: EMBEDDER.isWord });
    const conversation = { topic: "request body", cited: [] };
    const { corrected } = await it.find("request body: how are pydantc models decoded?", { conversation });
    expect(corrected?.text).toBe("request body: how are pydantic models decoded?");
  });
});

describe("the pages that were cited last", () => {
  const twins = ["one", "two", "three"].map((path) => stagedPage(path, "the zebra runs", { title: "Zebra" }));

  test("come first among equals, with the ending of their address or without", async () => {
    using it = await opened(twins);
    for (const cited of [["two"], ["two.html"], ["nowhere", "two"]])
      expect((await it.find("zebra", { topic: undefined, cited }))[0]?.path).toBe("two");
  });
});
