import { describe, expect, test } from "bun:test";
import { z } from "zod";
import type { ServerAccess } from "../../../src/reading/connectors/connectors.ts";
import { createApi } from "../../../src/reading/connectors/outline/api.ts";
import { describeConnector } from "../../contract/connector.ts";
import { openServer, readTitled } from "./open-server.ts";
import { startOutline } from "./servers/outline.ts";

describeConnector("outline", async () => startOutline());

describe("connector: outline, its own ways", () => {
  function withPages(titles: readonly string[], manner: Parameters<typeof startOutline>[0] = {}) {
    const server = startOutline(manner);
    for (const title of titles) server.put({ title, words: `About ${title}.` });
    return server;
  }
  const titlesAt = async (server: ReturnType<typeof startOutline>, place: string) =>
    (await (await openServer("outline", server, { place })).list()).pages.map(({ title }) => title);

  test("what is not for all readers is left out, and said", async () => {
    await using server = withPages(["Guide", "Draft of it", "Archived", "Template", "Private plan"]);
    const { pages, leftOut } = await (await openServer("outline", server)).list();
    expect(pages.map(({ title }) => title)).toEqual(["Guide"]);
    expect(leftOut.map(({ detail }) => detail)).toEqual([
      "is a private collection: it is read where a source names it",
      "is a draft",
      "is archived",
      "is a template",
    ]);
    expect(server.requests.filter(({ path }) => path === "/api/documents.list")).toHaveLength(2);
  });

  test("an address names a collection, or a document with those below it", async () => {
    await using server = withPages(["Page A", "Page B", "Page C", "Private plan"], {
      below: { "Page B": "Page A", "Page C": "Page B" },
    });
    expect(await titlesAt(server, "/collection/renamed-2vPwyUOqMz/recent")).toEqual([
      "Page A",
      "Page B",
      "Page C",
    ]);
    expect(await titlesAt(server, "/collection/board-7hXkPqRsTu")).toEqual(["Board", "Private plan"]);
    expect(await titlesAt(server, "/doc/page-b-abcdefghi2/edit")).toEqual(["Page B", "Page C"]);
    expect(titlesAt(server, "/doc/nothing-0000000000")).rejects.toThrow("no such document");
  });

  test("the menu is the tree of the collection, from the named document on", async () => {
    await using server = withPages(["Page A", "Page B", "Draft of it", "Page C"], {
      below: { "Page B": "Page A", "Page C": "Draft of it" },
    });
    const labels = async (place: string) => {
      const { menu } = await (await openServer("outline", server, { place })).list();
      return JSON.parse(JSON.stringify(menu, (key, value) => (key === "address" ? undefined : value)));
    };
    expect(await labels("/")).toEqual([
      { label: "Page A", children: [{ label: "Page B", children: [] }] },
      { label: "Draft of it", children: [{ label: "Page C", children: [] }] },
    ]);
    expect(await labels("/doc/page-b-abcdefghi2")).toEqual([{ label: "Page B", children: [] }]);
  });

  test("a key that may only read documents is enough, and one that may not says what it lacks", async () => {
    await using server = withPages(["Page A"], { forbids: ["auth.info"] });
    expect(await titlesAt(server, "/")).toEqual(["Page A"]);
    await using closed = withPages(["Page A"], { forbids: ["documents.list"] });
    expect(titlesAt(closed, "/")).rejects.toMatchObject({
      code: "forbidden",
      hint: expect.stringContaining("documents.list"),
    });
  });

  test("pages have the address that the workspace gives itself", async () => {
    await using server = withPages(["Page A"], { url: "https://wiki.example.com" });
    const { pages } = await (await openServer("outline", server)).list();
    expect(pages[0]?.address).toBe("https://wiki.example.com/doc/page-a-abcdefghi1");
  });

  test("a list that begins anew ends", async () => {
    let asked = 0;
    const server: ServerAccess = {
      ask: () => Promise.reject(new Error("It is not asked")),
      keepApart() {},
      async json(_address, schema) {
        asked += 1;
        return schema.parse({ data: [{ id: "a" }, { id: "b" }], pagination: {} });
      },
    };
    const api = createApi("http://127.0.0.1", server);
    const found = await api.list("documents.list", z.object({ id: z.string() }), { itemsMax: 1000 });
    expect(found.map(({ id }) => id)).toEqual(["a", "b"]);
    expect(asked).toBe(2);
  });

  test("Outline's own marks become plain Markdown", async () => {
    await using server = withPages(["Page A"], {
      text: [
        "## Ärger & mehr",
        "",
        "## Ärger & mehr",
        "",
        "## Привет, мир",
        "",
        ":::warning",
        "Mind the ==gap==.",
        ":::",
        "",
        "+++",
        "Folded",
        "",
        "Inside\\nof it, not in `a==b==c\\n`.",
        "+++",
        "",
        "$\\nu$ and C:\\\\new, asked @[Tom](mention://1/user/2) of [this](/doc/page-a-abcdefghi1#h-first) and @[Page A](mention://1/document/0b0f1f7c-23a4-4f6c-8f57-000000000001).",
        "",
        ' ![](/api/attachments.redirect?id=1 "right-50 A caption =10x20")',
      ].join("\n"),
    });
    const pages = await openServer("outline", server);
    const markdown = await readTitled(pages, "Page A");
    const page = new URL("/doc/page-a-abcdefghi1", server.address).href;
    expect(markdown).toContain("## Ärger & mehr {#h-arger-and-mehr}\n");
    expect(markdown).toContain("## Ärger & mehr {#h-arger-and-mehr-1}\n");
    expect(markdown).toContain("{#h-privet-mir}");
    expect(markdown).toContain(":::warning\nMind the gap.\n:::");
    expect(markdown).not.toContain("+++");
    expect(markdown).toContain("Inside\\\nof it, not in `a==b==c\\n`.");
    expect(markdown).toContain("$\\nu$ and C:\\\\new, asked @Tom of");
    expect(markdown).toContain(`[this](${page}#h-first) and [Page A](${page}).`);
    expect(markdown).toContain(
      `![](${new URL("/api/attachments.redirect?id=1", server.address)} "A caption")`,
    );
  });
});
