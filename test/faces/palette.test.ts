import { describe, expect, test } from "bun:test";
import { createAsker } from "../../src/faces/palette/asker.ts";
import { groupHits, readOperationReply, readReaderReply } from "../../src/faces/palette/hits.ts";
import { createRecents } from "../../src/faces/palette/recents.ts";

const result = (href: string, more: object = {}) => ({
  content: "Text.",
  path: "a",
  metadata: { title: "A", href, headings: ["A", "Below"], highlights: [[0, 4]], ...more },
});

describe("what was found", () => {
  test("leads to the site's own address, or nowhere where that is not known", () => {
    const hrefOf = (siteUrl: string | undefined) =>
      readOperationReply([result("/guide/a#b")], siteUrl).hits[0]?.url;
    expect(hrefOf("https://docs.example.com/v2/")).toBe("https://docs.example.com/v2/guide/a#b");
    expect(hrefOf(undefined)).toBeUndefined();
    expect(hrefOf("javascript:alert(1)")).toBeUndefined();
  });

  test("leads to pages of the reader's own server alone", () => {
    const urlOf = (href: string) =>
      readReaderReply(
        { results: [{ title: "A", headings: [], content: "", highlights: [], href }] },
        "http://docent.test/sites/a/search.json",
      ).hits[0]?.url;
    expect(urlOf("/sites/a/b")).toBe("http://docent.test/sites/a/b");
    expect(urlOf("//elsewhere.test/b")).toBeUndefined();
    expect(urlOf("javascript:alert(1)")).toBeUndefined();
  });

  test("is by page, in the order of the best of each, without the page's title in every trail", () => {
    const { hits, corrected } = readOperationReply(
      [result("/a#one", { corrected: "words" }), result("/b", { title: "B" }), result("/a#two")],
      "https://docs.example.com",
    );
    expect(groupHits(hits).map(({ title, hits: own }) => [title, own.length])).toEqual([
      ["A", 2],
      ["B", 1],
    ]);
    expect(hits.map(({ headings }) => headings)).toEqual([["Below"], ["A", "Below"], ["Below"]]);
    expect(corrected).toBe("words");
  });

  test("does not begin with its heading, and is marked in the right places", () => {
    const metadata = {
      highlights: [
        [0, 5],
        [14, 18],
      ],
    };
    const { hits } = readOperationReply(
      [{ ...result("/a", metadata), content: "Below Some of text" }],
      undefined,
    );
    expect(hits[0]?.content).toBe("Some of text");
    expect(hits[0]?.highlights.map(([start, end]) => hits[0]?.content.slice(start, end))).toEqual(["text"]);
  });

  test("is nothing where the reply is not as it should be", () => {
    for (const reply of [undefined, {}, "x", [{}], [{ content: 1 }], [null]])
      expect(readOperationReply(reply, "https://docs.example.com").hits).toEqual([]);
  });
});

describe("searching while one types", () => {
  test("asks for the first letter at once, then for the latest words, and shows no reply that is out of date", async () => {
    const asked: string[] = [];
    const shown: string[] = [];
    const done = Promise.withResolvers<void>();
    const asker = createAsker(
      async (query) => {
        asked.push(query);
        return { hits: [], corrected: undefined };
      },
      {
        reply(query) {
          shown.push(query);
          if (query === "install") done.resolve();
        },
        failed: () => {},
      },
    );
    for (const query of ["i", "in", "inst", "install"]) asker.ask(query, 10);
    await done.promise;
    expect(asked).toEqual(["i", "install"]);
    expect(shown).toEqual(["install"]);
  });

  test("shows nothing after it was left, and says when it failed", async () => {
    const replies: string[] = [];
    const failed = Promise.withResolvers<string>();
    const held = Promise.withResolvers<{ hits: []; corrected: undefined }>();
    const asker = createAsker(
      (query) => (query === "held" ? held.promise : Promise.reject(new Error("away"))),
      { reply: (query) => replies.push(query), failed: (query) => failed.resolve(query) },
    );
    asker.ask("held", 10);
    asker.leave();
    held.resolve({ hits: [], corrected: undefined });
    asker.ask("next", 10);
    expect(await failed.promise).toBe("next");
    expect(replies).toEqual([]);
  });
});

test("what was chosen is kept five times over, the latest first, and once", () => {
  let text: string | null = '[{"words": 1}, {"words": "bad", "url": "javascript:x"}, 7]';
  const recents = createRecents({
    get: () => text,
    set: (value) => {
      text = value;
    },
  });
  expect(recents.all()).toEqual([]);
  for (const words of ["a", "b", "c", "d", "e", "f", "b"]) recents.add({ words, url: undefined });
  expect(recents.all().map(({ words }) => words)).toEqual(["b", "f", "e", "d", "c"]);
});
