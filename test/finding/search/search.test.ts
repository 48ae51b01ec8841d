import { describe, expect, test } from "bun:test";
import type { SearchQuery } from "../../../src/finding/search/search.ts";
import type { StagedPage } from "../../../src/sites/ingest/stores.ts";
import { TEST_TIME } from "../../helpers/fake-clock.ts";
import { openIngestSite } from "../../helpers/ingest-site.ts";
import { openSearch } from "../../helpers/open-search.ts";
import { publishPages, sourceSpec, stagedPage } from "../../helpers/page-data.ts";
import { publishedDocs } from "../../helpers/published-docs.ts";
import { addSite } from "../../helpers/site-data.ts";

/** The default of the setting relevance_min: below it the docs do not cover the question. */
const RELEVANCE_MIN = 0.35;

const DOCS = [
  stagedPage("install", "Install the server with npm. Run the installer and choose a port.", {
    title: "Installation",
  }),
  stagedPage("guide/config", "Every setting has an environment variable. The port is DOCENT_PORT.", {
    title: "Configuration",
  }),
  stagedPage("guide/backup", "A backup is one file. Restore puts it in place of the database.", {
    title: "Backups",
  }),
  stagedPage("guide/errors", "E1234 means that the disk is full. Free some space.", { title: "Error codes" }),
  stagedPage("api/keys", "Create a key with keys create. Revoke it when it leaks.", { title: "Keys" }),
];

async function opened(pages: StagedPage[] = DOCS) {
  const docs = await publishedDocs(pages);
  const paths = async (text: string, change: Partial<SearchQuery> = {}) =>
    (await docs.find(text, change)).hits.map(({ path }) => path);
  return { ...docs, paths };
}

describe("search", () => {
  test("a question finds the page that answers it first", async () => {
    using it = await opened();
    expect((await it.paths("How do I install it?"))[0]).toBe("install");
    expect((await it.paths("what does e1234 mean"))[0]).toBe("guide/errors");
    expect((await it.paths("Can I restore a backup?"))[0]).toBe("guide/backup");
  });

  test("the generation that was searched is named", async () => {
    using it = await opened();
    expect((await it.find("port")).generation).toBe(1);
    await publishPages(it.storage.ingest, it.source, [stagedPage("more", "port")]);
    expect((await it.find("port")).generation).toBe(2);
    expect((await it.find("the nothing unicorn")).generation).toBe(2);
  });

  test("a site without pages has no hits", async () => {
    using it = await opened([]);
    expect(await it.find("install")).toEqual({
      generation: 0,
      hits: [],
      corrected: undefined,
      spelled: undefined,
      isAgreed: false,
    });
  });

  test("no more hits than were asked for", async () => {
    using it = await opened(Array.from({ length: 80 }, (_, index) => stagedPage(`p${index}`, "zebra")));
    for (const pageSize of [1, 5, 60, 80])
      expect(await it.paths("zebra", { pageSize })).toHaveLength(pageSize);
  });

  test("a very long question is searched", async () => {
    using it = await opened();
    const question = `install ${Array.from({ length: 5000 }, (_, index) => `word${index}`).join(" ")}`;
    expect(await it.paths(question)).toEqual(["install"]);
  });
});

describe("search: others on the same thread", () => {
  test("run between its steps, so that a stream waits for one step and never for a whole search", async () => {
    using it = await openIngestSite();
    await it.run({
      install: "Install the server.",
      port: "The port of the server.",
      disk: "The disk is full.",
    });
    let turn = 0;
    const turnOf = new Map<string, number>();
    const noting = <Store extends object>(store: Store): Store =>
      new Proxy(store, {
        get(target, name, receiver) {
          turnOf.set(String(name), turn);
          return Reflect.get(target, name, receiver);
        },
      });
    const { search: store, segments } = it.storage;
    // All of it is read from the database, vectors and passages too.
    const memory = { vectorMemoryBytes: 0, passageMemoryBytes: 0 };
    const search = openSearch({ search: noting(store), segments }, memory);
    const query = {
      audience: "everything" as const,
      siteId: it.site.id,
      text: "install the server",
      pageSize: 10,
    };
    await search.find(query);
    const count = () => {
      turn++;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    const { hits } = await search.find(query);
    turnOf.set("hits", turn);
    clearImmediate(next);
    const steps = ["state", "similarities", "load", "hits"].map((name) => turnOf.get(name) ?? 0);
    expect(hits[0]?.path).toBe("install");
    expect(steps).toEqual([...new Set(steps)].sort((a, b) => a - b));
  });
});

describe("search: relevance", () => {
  test("is between 0 and 1, whatever is asked", async () => {
    using it = await opened();
    const questions = [
      "install",
      "install the server port",
      "port",
      "the",
      "E1234 unicorn",
      "key key key",
      "zzz install",
      "a",
    ];
    for (const question of questions) {
      for (const { relevance } of (await it.find(question)).hits) {
        expect(relevance).toBeGreaterThanOrEqual(0);
        expect(relevance).toBeLessThanOrEqual(1);
      }
    }
  });

  test("is between 0 and 1 where every passage has the word, and where many were removed", async () => {
    using it = await opened([stagedPage("a", "zebra lion"), stagedPage("b", "zebra")]);
    for (const text of ["zebra one", "zebra two", "zebra three", "zebra four"]) {
      await publishPages(it.storage.ingest, it.source, [stagedPage("a", text)], ["b"]);
      for (const { relevance } of (await it.find("zebra lion one")).hits) {
        expect(relevance).toBeGreaterThanOrEqual(0);
        expect(relevance).toBeLessThanOrEqual(1);
      }
    }
  });

  test("is near 1 where the passage speaks of all that was asked", async () => {
    using it = await opened();
    expect(await it.relevanceOf("server port")).toBeGreaterThan(0.95);
  });

  test("a covered question is above the gate, one that the docs do not cover below it", async () => {
    using it = await opened();
    for (const question of [
      "How do I install the server?",
      "Which variable sets the port?",
      "what is E1234",
      "revoke a key",
    ]) {
      expect([question, (await it.relevanceOf(question)) >= RELEVANCE_MIN]).toEqual([question, true]);
    }
    for (const question of [
      "Who won the football match in Berlin?",
      "How tall is the space needle tower?",
      "Do you support GraphQL subscriptions on a server?",
    ]) {
      expect([question, (await it.relevanceOf(question)) >= RELEVANCE_MIN]).toEqual([question, false]);
    }
  });

  test("a rare word tells more than a frequent one", async () => {
    const frequent = Array.from({ length: 30 }, (_, index) => stagedPage(`p${index}`, "server"));
    using it = await opened([...frequent, stagedPage("rare", "telescope")]);
    const { hits } = await it.find("server telescope");
    const of = (path: string) => hits.find((hit) => hit.path === path)?.relevance ?? 0;
    expect(hits[0]?.path).toBe("rare");
    expect(of("rare")).toBeGreaterThan(0.6);
    expect(of("p0")).toBeLessThan(0.4);
  });

  test("words of the title and the headings count", async () => {
    using it = await opened();
    expect(await it.relevanceOf("configuration")).toBeGreaterThan(0.95);
  });
});

describe("search: filters", () => {
  async function versioned() {
    const it = await opened([stagedPage("shared", "zebra")]);
    for (const [version, language] of [
      ["1", "en"],
      ["2", "en"],
      ["2", "de"],
    ] as const) {
      const source = await it.storage.sources.open(sourceSpec(it.site.id, { version, language }), TEST_TIME);
      await publishPages(it.storage.ingest, source, [stagedPage(`v${version}-${language}`, "zebra")]);
    }
    return it;
  }

  test("a page without a version or language matches every filter", async () => {
    using it = await versioned();
    expect((await it.paths("zebra", { filter: { version: "1" } })).sort()).toEqual(["shared", "v1-en"]);
    expect((await it.paths("zebra", { filter: { language: "de" } })).sort()).toEqual(["shared", "v2-de"]);
    expect((await it.paths("zebra", { filter: { version: "2", language: "en" } })).sort()).toEqual([
      "shared",
      "v2-en",
    ]);
    expect((await it.paths("zebra", { filter: {} })).length).toBe(4);
  });

  test("with a filter that nothing matches there is no result, not a fallback", async () => {
    using it = await opened([]);
    const source = await it.storage.sources.open(
      sourceSpec(it.site.id, { version: "2", language: "en" }),
      TEST_TIME,
    );
    await publishPages(it.storage.ingest, source, [stagedPage("a", "zebra")]);
    for (const filter of [
      { version: "3" },
      { language: "fr" },
      { version: "2", language: "fr" },
      { version: "2' OR 1=1" },
    ]) {
      expect(await it.paths("zebra", { filter })).toEqual([]);
    }
  });
});

describe("search: the page the reader is on", () => {
  const twins = ["a/one", "b/two", "b/three"].map((path) =>
    stagedPage(path, "the zebra runs", { title: "Zebra" }),
  );

  test("comes first among equals, then its neighbours", async () => {
    using it = await opened(twins);
    expect((await it.paths("zebra", { currentPath: "b/three" })).slice(0, 2)).toEqual(["b/three", "b/two"]);
    expect((await it.paths("zebra", { currentPath: "b/two" })).slice(0, 2)).toEqual(["b/two", "b/three"]);
    expect((await it.paths("zebra", { currentPath: "a/one" }))[0]).toBe("a/one");
    expect((await it.paths("zebra", { currentPath: "b/other" }))[2]).toBe("a/one");
  });

  test("is the same with the ending of its address or without", async () => {
    using it = await opened([...twins, stagedPage("b/four.html", "the zebra runs", { title: "Zebra" })]);
    for (const currentPath of ["b/four", "b/four.html"])
      expect((await it.paths("zebra", { currentPath }))[0]).toBe("b/four.html");
    expect((await it.paths("zebra", { currentPath: "b/two.html" }))[0]).toBe("b/two");
  });

  test("an ending says nothing of what a page is about", async () => {
    using it = await opened([
      stagedPage("b/four.html", "the zebra writes html", { title: "Zebra" }),
      stagedPage("b/html", "the zebra writes html", { title: "Zebra" }),
    ]);
    expect((await it.paths("zebra html"))[0]).toBe("b/html");
  });

  test("does not push aside what answers much better", async () => {
    using it = await opened([
      stagedPage(
        "here/now",
        "Long words about many things, among them one horse and nothing else of interest to anyone.",
      ),
      stagedPage("there/best", "horse horse horse", { title: "Horse" }),
    ]);
    expect((await it.paths("horse", { currentPath: "here/now" }))[0]).toBe("there/best");
  });

  test("is nothing when it is unknown or strange", async () => {
    using it = await opened(twins);
    const plain = await it.paths("zebra");
    for (const currentPath of ["", "nowhere/at/all", "/", "\u0000", "b"]) {
      expect((await it.paths("zebra", { currentPath })).sort()).toEqual(plain.toSorted());
    }
  });
});

describe("search: text that is an order elsewhere", () => {
  const STRANGE = [
    '"',
    '""',
    '"unfinished',
    "*",
    "inst*",
    "OR",
    "AND NOT",
    "install OR",
    "NEAR(",
    "NEAR(install port, 2)",
    "title:install",
    "site:s1",
    "{title body}:(",
    "^install",
    "-install",
    "install - port",
    "--",
    "-- comment",
    "'; DROP TABLE passages; --",
    "\\",
    "(",
    ")",
    "((((((((",
    "install\u0000port",
    "\u0000",
    "\uD800",
    "\uDC00install",
    "\u202E",
    "\u{1F600}",
    "\u0301\u0301",
    "%",
    "_",
    "$1",
    "?1",
    ":site",
    "@",
    "+",
    "a".repeat(100_000),
    "a ".repeat(50_000),
    "-".repeat(100_000),
    "数".repeat(50_000),
  ];
  for (const text of STRANGE) {
    test(`${JSON.stringify(text.slice(0, 30))} finds what it finds, and breaks nothing`, async () => {
      using it = await opened();
      const { generation, hits } = await it.find(text);
      expect(generation).toBe(1);
      for (const { relevance } of hits) expect(relevance).toBeWithin(0, 1.0001);
    });
  }

  test("no question reaches another site's pages", async () => {
    using it = await opened();
    const other = await addSite(it.storage.sites, "other");
    const source = await it.storage.sources.open(sourceSpec(other.id), TEST_TIME);
    await publishPages(it.storage.ingest, source, [stagedPage("secret", "zebra s1 s2 site")]);
    for (const text of [
      "zebra",
      `site:s${other.id}`,
      `s${other.id}`,
      `zebra OR site:s${other.id}`,
      '" OR site:"s2',
    ]) {
      expect(await it.paths(text)).not.toContain("secret");
    }
  });
});

test("a question whose generation runs have removed meanwhile is answered from the one that readers see now", async () => {
  using it = await opened();
  let asked = 0;
  const search = {
    ...it.storage.search,
    async isKept(scope: { siteId: number; generation: number }) {
      if (++asked === 1) {
        const page = stagedPage("install", "A zebra is what installs it.");
        await publishPages(it.storage.ingest, it.source, [page]);
        await it.storage.ingest.prune(it.site.id, 1);
        // This search indexes what a test has published by itself.
        await it.find("zebra");
      }
      return it.storage.search.isKept(scope);
    },
  };
  const { generation, hits } = await openSearch({ ...it.storage, search }).find({
    audience: "everything",
    siteId: it.site.id,
    text: "install",
    pageSize: 1,
  });
  expect([asked, generation, hits.map(({ text }) => text)]).toEqual([2, 2, ["A zebra is what installs it."]]);
});
