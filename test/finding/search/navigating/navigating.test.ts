import { describe, expect, test } from "bun:test";
import type { SearchQuery } from "../../../../src/finding/search/search.ts";
import { openIngestSite } from "../../../helpers/ingest-site.ts";
import { openSearch } from "../../../helpers/open-search.ts";

type Docs = Record<string, string>;

/** A search box over these pages. Use it with `using`. */
async function opened(docs: Docs) {
  const site = await openIngestSite();
  await site.run(docs);
  const search = openSearch(site.storage);
  const ask = (text: string, change: Partial<SearchQuery> = {}) =>
    search.find({ siteId: site.site.id, audience: "everything", text, pageSize: 8, ...change });
  return {
    ask,
    /** Where the hits lead that a box shows for what was typed, best first. */
    async typed(text: string, change: Partial<SearchQuery> = {}): Promise<string[]> {
      const { hits } = await ask(text, { asYouType: true, order: "navigation", ...change });
      return hits.map(({ href }) => href);
    },
    [Symbol.dispose]: () => site[Symbol.dispose](),
  };
}

/** Says what was asked for again and again: for whoever asks in words, these are better passages. */
const saying = (words: string) => `${words}. `.repeat(12);

async function firstOf(text: string, docs: Docs): Promise<string | undefined> {
  using it = await opened(docs);
  return (await it.typed(text))[0];
}

describe("what is typed to get somewhere leads to", () => {
  test("the page of that title, before passages that say more of it", async () => {
    const docs = {
      long: `# Servers\n\n${saying("The installation of a server")}`,
      install: "# Installation\n\nDownload it.",
    };
    expect(await firstOf("installation", docs)).toBe("/install#installation");
    expect(await firstOf("insta", docs)).toBe("/install#installation");
  });

  test("a page whose title begins so before a section of that name", async () => {
    const docs = {
      a: "# Commands\n\nSome.\n\n## Server\n\nThis one serves.",
      b: "# Server options\n\nAll of them.",
    };
    expect(await firstOf("server", docs)).toBe("/b#server-options");
  });

  test("a section of that name before a page whose title has a word that only begins so", async () => {
    const docs = {
      a: "# Commands\n\nSome.\n\n## Filter\n\nThis one filters.",
      b: "# Filtering\n\nHow packages are chosen.",
    };
    expect(await firstOf("filter", docs)).toBe("/a#filter");
  });

  test("a section of that name before one whose name begins so, and that before one that has it inside", async () => {
    const docs = {
      a: "# One\n\nText.\n\n## The cache folder\n\nInside.",
      b: "# Two\n\nText.\n\n## Cache size\n\nBegins.",
      c: "# Three\n\nText.\n\n## Cache\n\nEqual.",
    };
    using it = await opened(docs);
    expect((await it.typed("cache")).slice(0, 3)).toEqual([
      "/c#cache",
      "/b#cache-size",
      "/a#the-cache-folder",
    ]);
  });

  test("words in their order before the same words in another", async () => {
    const docs = {
      a: "# One\n\nText.\n\n## Keys for the rotated team\n\nOther.",
      b: "# Two\n\nText.\n\n## The team and its keys\n\nIn order.",
    };
    expect(await firstOf("team keys", docs)).toBe("/b#the-team-and-its-keys");
  });

  test("of pages that have it inside, the one with the shorter title", async () => {
    const docs = {
      a: "# How the proxy of another company is set up\n\nLong.",
      b: "# About the proxy\n\nShort.",
    };
    expect(await firstOf("proxy", docs)).toBe("/b#about-the-proxy");
  });

  test("of pages of one title, the one that is less deep", async () => {
    const docs = { "a/b/c/d": "# Upgrading\n\nDeep.", "z/up": "# Upgrading\n\nHigh." };
    expect(await firstOf("upgrading", docs)).toBe("/z/up#upgrading");
  });

  test("a guide before the changes that name the same, unless those are asked for", async () => {
    const docs = {
      changelog: "# Changelog\n\nAll.\n\n## Redis\n\nFaster.",
      guide: "# Brokers\n\nAll.\n\n## Working with Redis\n\nConnect.",
    };
    using it = await opened(docs);
    expect((await it.typed("redis"))[0]).toBe("/guide#working-with-redis");
    expect((await it.typed("changelog"))[0]).toBe("/changelog#changelog");
  });

  test("the very word before another form of it", async () => {
    const docs = {
      a: "# One\n\nText.\n\n## Changeset\n\nOther form.",
      b: "# Two\n\nText.\n\n## About changesets\n\nThe word.",
    };
    expect(await firstOf("changesets", docs)).toBe("/b#about-changesets");
  });

  test("a page whose title begins so before a section that has it behind a namespace", async () => {
    const docs = {
      a: "# Keys\n\nText.\n\n## PrivateKey.sign(data)\n\nSigns.",
      b: "# Signals\n\nText.",
    };
    expect(await firstOf("sign", docs)).toBe("/b#signals");
  });

  test("an option rather than a title, where it is spelled as code", async () => {
    const docs = {
      a: "# Store and lockfile\n\nText.",
      c: "# Store disk\n\nText.",
      b: "# Options\n\nText.\n\n## storeDir\n\nWhere.\n\n## store\n\nWhether.",
    };
    using it = await opened(docs);
    expect((await it.typed("store"))[0]).toBe("/c#store-disk");
    expect((await it.typed("--store"))[0]).toBe("/b#store");
    expect((await it.typed("--store-d"))[0]).toBe("/b#storedir");
  });

  test("of names that begin alike, the one that is spelled as it was typed", async () => {
    const docs = {
      a: "# Signals\n\nText.\n\n## TaskPool\n\nA pool.\n\n## task_prerun\n\nA signal.",
    };
    expect(await firstOf("task_p", docs)).toBe("/a#task_prerun");
  });

  test("a page by the last part of its address", async () => {
    const docs = {
      faq: "# Frequently asked questions\n\nMany.",
      other: `# Other\n\n${saying("See the faq")}`,
    };
    expect(await firstOf("faq", docs)).toBe("/faq#frequently-asked-questions");
  });

  test("a command without the product's name before it, and an option with it", async () => {
    const commands = ["add", "run", "list", "link", "pack", "patch"];
    const docs = {
      ...Object.fromEntries(commands.map((name) => [`cli/${name}-it`, `# acme ${name}\n\nA command.`])),
      other: "# Other\n\nText.\n\n## Add\n\nHow to add.\n\n## result_backend\n\nWhere results are.",
      says: `# Results\n\n${saying("The acme result of a backend is in ACME_RESULT_BACKEND")}`,
    };
    using it = await opened(docs);
    expect((await it.typed("add"))[0]).toBe("/cli/add-it#acme-add");
    expect((await it.typed("ACME_RESULT_BACKEND"))[0]).toBe("/other#result_backend");
  });

  test("a page rather than one of many sections of the same name", async () => {
    const commands = ["one", "two", "three", "four"];
    const docs = {
      ...Object.fromEntries(
        commands.map((name) => [`cli/${name}`, `# ${name}\n\nText.\n\n## Filter\n\nFilters.`]),
      ),
      filtering: "# Filtering\n\nHow packages are chosen.",
    };
    expect(await firstOf("filter", docs)).toBe("/filtering#filtering");
  });
});

describe("an option is found by its name", () => {
  const docs = {
    store: `# Store\n\n${saying("A frozen store and a lockfile")}\n\n## frozenStore\n\nOne.`,
    install: "# Install\n\nIt installs.\n\n## --frozen-lockfile\n\nNo lockfile is written.",
    build: "# Build options\n\nAll.\n\n## build.outDir\n\nWhere to.\n\n## hot.accept(cb)\n\nAccepts.",
    titled: "# Accepting an out dir\n\nA guide.",
  };

  test("in any spelling", async () => {
    using it = await opened(docs);
    for (const spelling of [
      "frozen lockfile",
      "frozenLockfile",
      "--frozen-lockfile",
      "frozen_lockfile",
      "FROZEN_LOCKFILE",
      "frozenlockfile",
    ])
      expect([spelling, (await it.typed(spelling))[0]]).toEqual([spelling, "/install#--frozen-lockfile"]);
  });

  test("with its namespace and without, and without its arguments", async () => {
    using it = await opened(docs);
    for (const spelling of ["build.outDir", "build out dir", "outDir", "out-dir", "--out-dir"])
      expect([spelling, (await it.typed(spelling))[0]]).toEqual([spelling, "/build#buildoutdir"]);
    for (const spelling of ["hot.accept", "hot accept", "hotAccept"])
      expect([spelling, (await it.typed(spelling))[0]]).toEqual([spelling, "/build#hotacceptcb"]);
  });

  test("while it is typed, from the third letter on", async () => {
    using it = await opened(docs);
    for (let length = "--fro".length; length < "--frozen-l".length; length++)
      expect(await it.typed("--frozen-lockfile".slice(0, length))).toContain("/install#--frozen-lockfile");
    expect((await it.typed("frozen l"))[0]).toBe("/install#--frozen-lockfile");
  });

  test("with letters typed wrongly, only where no name has what was typed", async () => {
    const hoisting = { a: "# Installation\n\nOne.", b: "# Workspaces\n\nTwo.", d: "# Hoisting\n\nFour." };
    using it = await opened(hoisting);
    expect((await it.typed("instalation"))[0]).toBe("/a#installation");
    expect((await it.typed("instlal"))[0]).toBe("/a#installation");
    expect((await it.typed("worksapc"))[0]).toBe("/b#workspaces");
    expect((await it.typed("hosting"))[0]).toBe("/d#hoisting");
    expect(await firstOf("hosting", { ...hoisting, e: "# Where hosting costs\n\nFive." })).toBe(
      "/e#where-hosting-costs",
    );
  });
});

describe("the order by names", () => {
  const docs = {
    names: "# Backups\n\nText.\n\n## Restore a backup of the server\n\nHere.",
    says: `# Operations\n\n${saying("To restore a backup of the server quickly, stop it")}`,
    more: `# More\n\n${saying("Other operations")}`,
    most: `# Most\n\n${saying("Further operations")}`,
  };

  test("leaves questions, and every search without it, as they are", async () => {
    using it = await opened(docs);
    for (const text of [
      "how to restore backups",
      "restore a backup of the server",
      "backups?",
      "restore backup server quickly stop",
    ]) {
      const plain = await it.ask(text, { asYouType: true });
      expect(await it.ask(text, { asYouType: true, order: "navigation" })).toEqual(plain);
    }
    const { hits } = await it.ask("backups", { asYouType: true });
    expect((await it.ask("backups", { asYouType: true, order: undefined })).hits).toEqual(hits);
  });

  test("puts what else was found behind, each place once, and no more than are asked for", async () => {
    using it = await opened(docs);
    const found = await it.typed("backup");
    expect(found.slice(0, 2)).toEqual(["/names#backups", "/names#restore-a-backup-of-the-server"]);
    expect(found).toContain("/says#operations");
    expect(found.length).toBeGreaterThan(2);
    expect(new Set(found).size).toBe(found.length);
    for (const pageSize of [1, 2, 3]) {
      expect(await it.typed("backup", { pageSize })).toHaveLength(pageSize);
      expect(await it.typed("operations", { pageSize })).toHaveLength(pageSize);
    }
  });

  test("shows of a section its own text, however many were joined in one passage", async () => {
    using it = await opened({ a: "# Options\n\nAll.\n\n## cacheDir\n\nWhere.\n\n## cacheSize\n\nHow much." });
    const { hits } = await it.ask("cache size", { asYouType: true, order: "navigation" });
    expect(hits[0]).toMatchObject({ href: "/a#cachesize", headings: ["Options", "cacheSize"] });
    expect(hits[0]?.snippet).toContain("How much.");
    expect(hits[0]?.snippet).not.toContain("Where.");
  });

  test("follows each run of a source", async () => {
    using site = await openIngestSite();
    const search = openSearch(site.storage);
    const first = async (text: string) => {
      const query = { siteId: site.site.id, audience: "everything", text, pageSize: 8 } as const;
      return (await search.find({ ...query, asYouType: true, order: "navigation" })).hits[0]?.href;
    };
    await site.run({ a: "# Zebras\n\nOne." });
    expect(await first("zeb")).toBe("/a#zebras");
    await site.run({ b: "# Zebu\n\nTwo." });
    expect(await first("zeb")).toBe("/b#zebu");
  });
});

test("what is for a group is nowhere for others: not by its name, not by a typo of it, not as one of many", async () => {
  const group = (title: string, text = "Text.") => `---\ngroups: [staff]\n---\n\n# ${title}\n\n${text}`;
  const common = Object.fromEntries(
    ["p", "q", "r", "s"].map((path) => [path, group(path, "Text.\n\n## Filter\n\nFilters.")]),
  );
  const open = {
    a: "# Commands\n\nSome.\n\n## Filter\n\nOne.",
    b: "# Filtering\n\nTwo.\n\n## Acquire\n\nThree.",
  };
  using without = await opened(open);
  using it = await opened({ ...open, ...common, secret: group("Acquisition") });
  for (const text of ["acquisition", "acq", "acquisitoin", "filter", "acquire"])
    expect([text, await it.typed(text, { audience: [] })]).toEqual([text, await without.typed(text)]);
  expect((await it.typed("acquis", { audience: ["staff"] }))[0]).toBe("/secret#acquisition");
});
