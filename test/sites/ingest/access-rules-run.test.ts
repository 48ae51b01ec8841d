import { describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SourceReader } from "../../../src/reading/source-reader.ts";
import { createArchiveReader } from "../../../src/reading/sources/archive/archive.ts";
import { createFolderReader } from "../../../src/reading/sources/folder/folder.ts";
import { createGitReader } from "../../../src/reading/sources/git/git.ts";
import { watchFolder } from "../../../src/sites/ingest/watch.ts";
import { NOBODY } from "../../../src/sites/pages/audience.ts";
import { tarBytes, zipBytes } from "../../helpers/archive-bytes.ts";
import { gitRepository, hasGit } from "../../helpers/git-repository.ts";
import { openIngestSite } from "../../helpers/ingest-site.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";
import { trackedReader } from "../../helpers/tracked-reader.ts";

type Files = Readonly<Record<string, string | undefined>>;

function write(root: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, name);
    if (text === undefined) {
      unlinkSync(path);
      continue;
    }
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

const RULE = '"**": [staff]\n"hr/**": [hr]\n"public/*.md": everyone\n"drafts/**": nobody\n';
const FILES = {
  "_access.yml": RULE,
  "index.md": "# Home",
  "hr/pay.md": "# Pay",
  "public/open.md": "# Open",
  "drafts/new.md": "# New",
};

/** A site whose one source is a folder with these files. */
async function openFolder(files: Files) {
  const folder = temporaryDirectory();
  write(folder.path, files);
  const it = await openIngestSite();
  const reads: string[] = [];
  // As if all had been written long ago: a file then says by when it was written what it holds.
  const clock = () => Date.now() + 60_000;
  const reader = counting(createFolderReader({ root: folder.path, fileBytesMax: 10_000, clock }), reads);
  return {
    ...it,
    root: folder.path,
    reads,
    write: (change: Files) => write(folder.path, change),
    run: (change: Parameters<typeof it.run>[2] = {}) => it.run(reader, {}, change),
    runOf: (other: SourceReader) => it.run(other),
    groups: () => groupsOf(it),
    async detail(location: string) {
      const entries = await it.storage.ledger.entries((await it.sourceOf()).id);
      return entries.find((entry) => entry.location === location)?.detail;
    },
    [Symbol.dispose]() {
      it[Symbol.dispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** The same source, which notes whose content was asked for. */
const counting = (reader: SourceReader, reads: string[]): SourceReader => ({
  async *list(context) {
    for await (const item of reader.list(context))
      yield "reason" in item
        ? item
        : {
            ...item,
            read() {
              reads.push(item.location);
              return item.read();
            },
          };
  },
});

/** Whom each page is for that readers see. */
async function groupsOf({
  storage,
  site,
}: Pick<Awaited<ReturnType<typeof openIngestSite>>, "storage" | "site">) {
  const pages = await storage.inventory.list({ siteId: site.id, query: "", limit: 100 });
  const all = await Promise.all(
    [...new Set(pages.map(({ path }) => path))].map((path) => storage.inventory.at(site.id, path)),
  );
  return Object.fromEntries(all.flat().map(({ path, groups }) => [path, groups]));
}

const AS_RULED = { "": ["staff"], "hr/pay": ["hr"], "public/open": [], "drafts/new": [NOBODY] };

describe("a folder's rule", () => {
  test("says whom the pages below it are for, and is no page itself", async () => {
    using it = await openFolder(FILES);
    expect(await it.run()).toMatchObject({ added: 4, skipped: [] });
    expect(await it.groups()).toEqual(AS_RULED);
    expect(await it.detail("drafts/new.md")).toBe("is for nobody, as _access.yml says");
  });

  test("that is changed is a change of the pages that are for others then, and of no other", async () => {
    using it = await openFolder(FILES);
    await it.run();
    expect(await it.run()).toMatchObject({ changed: 0, unchanged: 4, generation: 1 });
    it.reads.length = 0;
    it.write({ "_access.yml": RULE.replace("[hr]", "[board, hr]") });
    expect(await it.run()).toMatchObject({ changed: 1, unchanged: 3, generation: 2 });
    expect(await it.groups()).toEqual({ ...AS_RULED, "hr/pay": ["board", "hr"] });
    expect(it.reads).toEqual(["hr/pay.md"]);
    it.write({ "_access.yml": `# The same, in other words.\n${RULE.replace("[hr]", "hr, board")}` });
    expect(await it.run()).toMatchObject({ changed: 0, unchanged: 4 });
  });

  test("that is removed opens what it closed, and one in a deeper folder takes its place there", async () => {
    using it = await openFolder(FILES);
    await it.run();
    it.write({ "_access.yml": undefined, "hr/_access.yaml": '"**": [hr]' });
    expect(await it.run()).toMatchObject({ changed: 4 });
    expect(await it.groups()).toEqual({ "": [], "hr/pay": ["hr"], "public/open": [], "drafts/new": [] });
    it.write({ "hr/_access.yaml": undefined });
    expect(await it.run()).toMatchObject({ changed: 1 });
  });

  test("that cannot be read closes all below it, and the ledger says so with why", async () => {
    using it = await openFolder({ ...FILES, "hr/_access.yml": '"**": 5' });
    expect(await it.run()).toMatchObject({ added: 4 });
    expect(await it.groups()).toEqual({ ...AS_RULED, "hr/pay": [NOBODY] });
    expect(await it.detail("hr/_access.yml")).toBe(
      'has groups of which one is not a list of texts: "**". Nobody may read what is below its folder until it can be read',
    );
    expect(await it.detail("hr/pay.md")).toBe("is for nobody, as hr/_access.yml says");
    it.write({ "hr/_access.yml": '"**": [hr, board]' });
    await it.run();
    expect((await it.groups())["hr/pay"]).toEqual(["hr", "board"]);
  });

  test("that is a link out of the folder, a folder, or too large cannot be read", async () => {
    using outside = temporaryDirectory();
    write(outside.path, { "open.yml": '"**": everyone' });
    using it = await openFolder({ "a/x.md": "# A", "b/x.md": "# B", "c/x.md": "# C", "d/x.md": "# D" });
    symlinkSync(join(outside.path, "open.yml"), join(it.root, "a/_access.yml"));
    mkdirSync(join(it.root, "b/_access.yml"));
    it.write({ "c/_access.yml": `#${" ".repeat(100_000)}\n"**": everyone` });
    symlinkSync("nowhere.yml", join(it.root, "d/_access.yml"));
    await it.run();
    expect(await it.groups()).toEqual({ "a/x": [NOBODY], "b/x": [NOBODY], "c/x": [NOBODY], "d/x": [NOBODY] });
    expect(await it.detail("a/_access.yml")).toStartWith("is a link that leaves the folder.");
    expect(await it.detail("b/_access.yml")).toStartWith("is no file.");
    expect(await it.detail("c/_access.yml")).toStartWith("cannot be read: ");
    expect(await it.detail("d/_access.yml")).toStartWith("is a link to nothing.");
  });

  test("is not taken away by an ignore file", async () => {
    using it = await openFolder({ ...FILES, ".docentignore": "_access.yml\n", ".gitignore": "_*\n" });
    await it.run();
    expect(await it.groups()).toEqual(AS_RULED);
  });

  test("counts for a page that is another one by a link", async () => {
    using it = await openFolder({
      "_access.yml": '"hr/**": [hr]',
      "hr/pay.md": "# Pay",
      "open.md": "# Open",
    });
    symlinkSync("hr/pay.md", join(it.root, "money.md"));
    await it.run();
    expect(await it.groups()).toEqual({ "hr/pay": ["hr"], open: [], money: ["hr"] });
  });

  test("says of globs by which nothing is decided that it is so, and leaves nothing out", async () => {
    using it = await openFolder({ "_access.yml": '"**": [staff]\n"HR/**": [hr]', "hr/pay.md": "# Pay" });
    expect(await it.run()).toMatchObject({ added: 1 });
    expect(await it.detail("_access.yml")).toBe('has globs that decide of no page: "HR/**"');
  });

  test("decides of curated answers, documents of an API and what they show as of any page", async () => {
    const api = {
      openapi: "3.1.0",
      info: { title: "Pets", version: "1" },
      paths: { "/pets": { get: { summary: "List" } } },
    };
    using it = await openFolder({
      "_access.yml": '"answers/pay.md": [hr]\n"openapi.json": [devs]',
      "answers/pay.md": "---\nquestion: How much?\n---\nMuch.",
      "openapi.json": JSON.stringify(api),
    });
    await it.run();
    const { generation } = await it.storage.curated.state(it.site.id);
    const [answer] = await it.storage.curated.fromSources(it.site.id, generation, 10);
    expect(answer?.groups).toEqual(["hr"]);
    const pages = await it.groups();
    expect(Object.keys(pages).length).toBeGreaterThan(1);
    for (const groups of Object.values(pages)) expect(groups).toEqual(["devs"]);
  });

  test("is for where a page's file lies, and not for the address that its generator gives to it", async () => {
    using it = await openFolder({
      "docusaurus.config.js": "module.exports = { url: 'https://acme.example', presets: ['classic'] };",
      "docs/_access.yml": '"10-hr/**": [hr]',
      "docs/10-hr/pay.md": "---\nslug: /money\n---\n# Pay",
      "docs/intro.md": "# Intro",
    });
    await it.run();
    expect(await it.groups()).toEqual({ "docs/money": ["hr"], "docs/intro": [] });
  });

  test("above the folder that is read does not count, and the ledger says so", async () => {
    using it = await openFolder({ "_access.yml": '"**": [staff]', "docs/guide/a.md": "# A" });
    const part = createFolderReader({ root: join(it.root, "docs/guide"), fileBytesMax: 10_000 });
    const { skipped } = await it.runOf(part);
    expect(await it.groups()).toEqual({ a: [] });
    expect(skipped).toMatchObject([{ location: "../../_access.yml", reason: "outside" }]);
  });

  test.each([
    ["mdBook", { "book.toml": "[book]\n", "src/SUMMARY.md": "- [Pay](pay.md)\n" }, "src/pay.md"],
    ["Hugo", { "hugo.toml": "baseURL = 'https://acme.example/'\n" }, "content/pay.md"],
    ["Jekyll", { "_config.yml": "title: Acme\n", Gemfile: "", "_layouts/x.html": "" }, "pay.md"],
    ["MkDocs", { "mkdocs.yml": "site_name: Acme\n" }, "docs/pay.md"],
    ["VitePress", { ".vitepress/config.ts": "export default {}" }, "pay.md"],
    ["Docusaurus", { "docusaurus.config.js": "module.exports = { presets: ['classic'] };" }, "docs/pay.md"],
    ["Mintlify", { "docs.json": '{"name": "Acme", "navigation": {"pages": ["pay"]}}' }, "pay.mdx"],
    ["Docsify", { "index.html": "<script>window.$docsify = {}</script>", "README.md": "# Home" }, "pay.md"],
    ["DocFX", { "docfx.json": '{"build": {"content": [{"files": ["**/*.md"]}]}}' }, "pay.md"],
    ["GitBook", { ".gitbook.yaml": "root: ./\n", "SUMMARY.md": "* [Pay](pay.md)\n" }, "pay.md"],
    ["Sphinx", { "conf.py": "extensions = ['myst_parser']\n", "index.md": "# Home\n" }, "pay.md"],
    ["ExDoc", { "mix.exs": 'def project do\n[docs: [extras: [\n"pay.md",\n]]]\nend' }, "pay.md"],
    ["Eleventy", { ".eleventy.js": "module.exports = () => {};" }, "pay.md"],
    ["Rspress", { "rspress.config.ts": "export default {};" }, "docs/pay.mdx"],
    ["files as they lie", {}, "pay.md"],
  ])("and front matter are read of docs of %s", async (_, files: Files, page) => {
    const bad = page.replace("pay", "bad");
    using it = await openFolder({
      "_access.yml": '"**": [hr, board, staff]',
      ...Object.fromEntries(
        Object.entries(files).map(([name, text]) => [name, text?.replace(/^(.*)pay(.*)$/m, "$&\n$1bad$2")]),
      ),
      ...(page.endsWith(".mdx")
        ? { "docs.json": '{"name": "Acme", "navigation": {"pages": ["pay", "bad"]}}' }
        : {}),
      [page]: "---\ngroups: [hr, sales]\n---\n# Pay\n\nWords.\n",
      [bad]: "---\ngroups: [hr\n---\n# Bad\n\nWords.\n",
    });
    await it.run();
    const groups = Object.entries(await it.groups());
    const of = (name: string) => groups.find(([path]) => path.includes(name))?.[1];
    expect([of("pay"), of("bad")]).toEqual([["hr"], [NOBODY]]);
  });

  test("keeps pages out of the lists that a generator makes for those who may not read them", async () => {
    const category = (label: string) => JSON.stringify({ label, link: { type: "generated-index" } });
    using it = await openFolder({
      "docusaurus.config.js": "module.exports = { url: 'https://acme.example', presets: ['classic'] };",
      "docs/_access.yml": '"all/hr/**": [hr]',
      "docs/all/_category_.json": category("All"),
      "docs/all/hr/_category_.json": category("People"),
      "docs/all/hr/pay.md": "---\ndescription: Who earns what.\n---\n# Pay",
      "docs/all/intro.md": "# Intro",
    });
    await it.run();
    const groups = await it.groups();
    expect(groups).toMatchObject({ "docs/category/all": [], "docs/category/people": ["hr"] });
    const [all = ""] = await it.page("docs/category/all");
    expect(all).toContain("[Intro](");
    expect(all).not.toContain("People");
    expect((await it.page("docs/category/people"))[0]).toContain(
      "[Pay](</docs/all/hr/pay>): Who earns what.",
    );
  });

  test("is seen when it changes under a watch", async () => {
    using it = await openFolder(FILES);
    await it.run();
    const stop = new AbortController();
    const begun = Promise.withResolvers<void>();
    const changed = Promise.withResolvers<unknown>();
    let onChange = async () => begun.resolve();
    const ended = watchFolder(it.root, () => onChange(), {
      debounceMs: 40,
      retryMs: 40,
      // The first call says that it watches: what is written before that may never be seen.
      atOnce: true,
      signal: stop.signal,
      onError: changed.reject,
    });
    await begun.promise;
    onChange = () => it.run().then(changed.resolve, changed.reject);
    writeFileSync(join(it.root, "_access.yml"), '"**": [board]');
    expect(await changed.promise).toMatchObject({ changed: 4 });
    stop.abort();
    await ended;
    expect(Object.values(await it.groups())).toEqual([["board"], ["board"], ["board"], ["board"]]);
  });
});

describe("rules of other sources that are files", () => {
  const parts = Object.entries(FILES).map(([name, text]) => ({ name: `repo-main/${name}`, text }));
  const tar = Object.entries(FILES).map(([name, text]) => ({ name: `repo-main/${name}`, text }));

  test.each([
    ["zip", zipBytes(parts), {}],
    ["tar", tarBytes(tar), {}],
    ["packed tar", Bun.gzipSync(tarBytes(tar)), {}],
    ["tar that is too large to be held", tarBytes(tar), { heldBytesMax: 1 }],
  ])("count in a %s", async (_, content, bounds) => {
    using folder = temporaryDirectory();
    const file = join(folder.path, "docs.bin");
    writeFileSync(file, content);
    using it = await openIngestSite();
    await it.run(createArchiveReader({ file, fileBytesMax: 10_000, ...bounds }));
    expect(await groupsOf(it)).toEqual(AS_RULED);
  });

  test("cannot be read from an archive where they are links, or stand there twice", async () => {
    using folder = temporaryDirectory();
    const file = join(folder.path, "docs.zip");
    writeFileSync(
      file,
      zipBytes([
        { name: "a/_access.yml", text: "../open.yml", mode: 0o120777 },
        { name: "a/x.md", text: "# A" },
        { name: "b/_access.yml", text: '"**": [hr]' },
        { name: "b/x.md", text: "# B" },
        { name: "b/_access.yml", text: '"**": everyone' },
        { name: "c/x.md", text: "# C" },
      ]),
    );
    using it = await openIngestSite();
    await it.run(createArchiveReader({ file, fileBytesMax: 10_000 }));
    expect(await groupsOf(it)).toEqual({ "a/x": [NOBODY], "b/x": [NOBODY], "c/x": [] });
  });

  test.skipIf(!hasGit)("count in a repository, those above the folder that is read too", async () => {
    using repository = gitRepository({
      "_access.yml": '"docs/**": [staff]\n"docs/hr/**": [hr]\n"elsewhere/**": [x]',
      "docs/guide/a.md": "# A",
      "docs/guide/hr/b.md": "# B",
      "docs/guide/open/_access.yml": '"**": everyone',
      "docs/guide/open/c.md": "# C",
      "docs/hr/pay.md": "# Pay",
      "docs/open.yml": '"**": everyone',
    });
    symlinkSync("../open.yml", join(repository.path, "docs/hr/_access.yml"));
    repository.git("add", ".");
    repository.git("commit", "--quiet", "--message", "link");
    using cache = temporaryDirectory();
    const reader = (subfolder: string) =>
      createGitReader({
        location: repository.path,
        subfolder,
        cacheFolder: cache.path,
        fileBytesMax: 10_000,
        environment: process.env,
        allowsLocal: true,
        privateHosts: [],
        certificateAuthorities: [],
      });
    using it = await openIngestSite();
    await it.run(reader("docs/guide"));
    expect(await groupsOf(it)).toEqual({ a: ["staff"], "hr/b": ["staff"], "open/c": [] });
    expect(Object.keys(await it.decisions())).toEqual(["a.md", "hr/b.md", "open/c.md"]);
    await it.run(reader("docs"), { location: "/other" });
    expect(await groupsOf(it)).toMatchObject({ "hr/pay": [NOBODY], "guide/hr/b": ["staff"] });
  });
});

describe("what a source, a rule and a page say together", () => {
  const PAGES = {
    "_access.yml": '"hr/**": [hr, board]\n"open/**": everyone',
    "hr/own.md": "---\ngroups: [board, staff]\n---\n# Own",
    "hr/other.md": "---\ngroups: sales\n---\n# Other",
    "hr/plain.md": "# Plain",
    "hr/bad.md": "---\ngroups: 5\n---\n# Bad",
    "open/own.md": "---\ngroups: sales\n---\n# Own",
    "open/closed.md": "---\ngroups: (nobody)\n---\n# Closed",
  };

  test("is for those whom each of them admits, and for nobody where they have no group in common", async () => {
    using it = await openFolder(PAGES);
    await it.run();
    expect(await it.groups()).toEqual({
      "hr/own": ["board"],
      "hr/other": [NOBODY],
      "hr/plain": ["hr", "board"],
      "hr/bad": [NOBODY],
      "open/own": ["sales"],
      "open/closed": [NOBODY],
    });
    expect(await it.detail("hr/other.md")).toBe(
      "is for nobody: _access.yml names hr, board, its front matter names sales, and no group is in all of them",
    );
    expect(await it.detail("hr/bad.md")).toBe(
      "is for nobody: groups in its front matter is not a list of texts",
    );
    expect(await it.detail("open/closed.md")).toBe("is for nobody, as its front matter says");
  });

  test("and the groups of the source have the last word", async () => {
    using it = await openFolder(PAGES);
    await it.run({ groups: ["board", "sales"] });
    expect(await it.groups()).toEqual({
      "hr/own": ["board"],
      "hr/other": [NOBODY],
      "hr/plain": ["board"],
      "hr/bad": [NOBODY],
      "open/own": ["sales"],
      "open/closed": [NOBODY],
    });
  });
});

describe("a rule that is changed while not all can be read", () => {
  test("is what counts when an interrupted run goes on", async () => {
    const pages = Object.fromEntries(Array.from({ length: 45 }, (_, at) => [`hr/p${at}.md`, `# Page ${at}`]));
    using it = await openFolder({ ...pages, "_access.yml": '"**": everyone' });
    const stop = new AbortController();
    let staged = 0;
    const onProgress = () => void (++staged === 30 && stop.abort(new Error("the cable was pulled")));
    await expect(it.run({ signal: stop.signal, onProgress })).rejects.toThrow("the cable was pulled");
    it.write({ "_access.yml": '"hr/**": [hr]' });
    expect(await it.run()).toMatchObject({ added: 45, resumed: true });
    const groups = Object.values(await it.groups());
    expect(groups).toHaveLength(45);
    for (const each of groups) expect(each).toEqual(["hr"]);
  });

  test("takes a page away that cannot be read now, where it was for more than it is for now", async () => {
    using it = await openFolder({ "a.md": "# A", "b.md": "# B" });
    await it.run();
    // Half written: no text, which readers would go on seeing as it was.
    writeFileSync(join(it.root, "a.md"), new Uint8Array([0, 1, 2, 0, 255]));
    expect(await it.run()).toMatchObject({ removed: 0 });
    expect(Object.keys(await it.groups())).toEqual(["a", "b"]);
    it.write({ "_access.yml": '"**": [hr]' });
    expect(await it.run()).toMatchObject({ changed: 1, removed: 1 });
    expect(await it.groups()).toEqual({ b: ["hr"] });
    expect(await it.detail("a.md")).toBe(
      "is not text; does not stay as it was, which was for others than it is for now",
    );
  });

  test("leaves a page that cannot be read now, where it was for no others than it is for now", async () => {
    using it = await openFolder({ "_access.yml": '"**": [hr]', "a.md": "# A" });
    await it.run();
    writeFileSync(join(it.root, "a.md"), new Uint8Array([0, 1, 2, 0, 255]));
    it.write({ "_access.yml": '"**": [hr, staff]' });
    expect(await it.run()).toMatchObject({ removed: 0 });
    expect(await it.groups()).toEqual({ a: ["hr"] });
  });

  test("and a source that is for some now does not leave what it could not reach for everyone", async () => {
    using it = await openIngestSite();
    const pages = { a: "# A", b: "---\ngroups: hr\n---\n# B", c: "# C" };
    await it.run(pages);
    const { AppError } = await import("../../../src/kernel/errors.ts");
    const death = new AppError("unavailable", "The server is gone.");
    const report = await it.run(trackedReader({ a: "# A" }, { death }), {}, { groups: ["hr"] });
    expect(report).toMatchObject({ incomplete: "The server is gone.", changed: 1, removed: 1 });
    expect(await groupsOf(it)).toEqual({ a: ["hr"], b: ["hr"] });
    expect(await it.decisions()).toMatchObject({ "c.md": "removed" });
  });
});

test("a source of files that was for everyone is for whom its first rule names", async () => {
  using it = await openFolder({ "a.md": "# A", "b/c.md": "# C" });
  await it.run();
  it.write({ "_access.yml": '"b/": [hr]' });
  it.reads.length = 0;
  expect(await it.run()).toMatchObject({ changed: 1, unchanged: 1 });
  expect(await it.groups()).toEqual({ a: [], "b/c": ["hr"] });
  expect(it.reads).toEqual(["b/c.md"]);
  rmSync(join(it.root, "_access.yml"));
});
