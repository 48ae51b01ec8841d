import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, realpathSync, rmSync, symlinkSync, truncateSync } from "node:fs";
import { dirname, join } from "node:path";
import { isSkipped } from "../../../src/reading/source-reader.ts";
import { createFolderReader } from "../../../src/reading/sources/folder/folder.ts";
import { listContext } from "../../helpers/list-context.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

/** Writes files below a folder, each with its own name as its text unless told otherwise. */
async function write(root: string, files: string[] | Record<string, string>): Promise<void> {
  const entries = Array.isArray(files) ? files.map((name) => [name, name] as const) : Object.entries(files);
  for (const [name, text] of entries) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    await Bun.write(join(root, name), text);
  }
}

async function read(root: string, { fileBytesMax = 1000, signal = new AbortController().signal } = {}) {
  const paths: Record<string, string> = {};
  const skipped: Record<string, string> = {};
  for await (const item of createFolderReader({ root, fileBytesMax }).list(listContext(signal))) {
    if (isSkipped(item)) skipped[item.location] = item.detail;
    else paths[item.path] = item.location;
  }
  return { paths, skipped };
}

describe("folder reader", () => {
  test("a page's path is its file's, without the extension", async () => {
    using folder = temporaryDirectory();
    await write(folder.path, [
      "a.md",
      "b.mdx",
      "c.markdown",
      "guide/Install Me.md",
      "guide/über.MD",
      "v1.2/x.y.md",
    ]);
    expect(await read(folder.path)).toEqual({
      paths: {
        a: "a.md",
        b: "b.mdx",
        c: "c.markdown",
        "guide/Install Me": "guide/Install Me.md",
        "guide/über": "guide/über.MD",
        "v1.2/x.y": "v1.2/x.y.md",
      },
      skipped: {},
    });
  });

  test("a page is read as the bytes of its file, and as what its name says", async () => {
    using folder = temporaryDirectory();
    await write(folder.path, { "a.md": "# Größe", "b.mdx": "<X/>", "c.MDX": "" });
    const items = await Array.fromAsync(
      createFolderReader({ root: folder.path, fileBytesMax: 1000 }).list(listContext()),
    );
    const found = items.flatMap((item) => (isSkipped(item) ? [] : [item]));
    expect(found.map(({ format }) => format)).toEqual(["md", "mdx", "mdx"]);
    expect(new TextDecoder().decode(await found[0]?.read())).toBe("# Größe");
  });

  test("an index file stands for its folder", async () => {
    using folder = temporaryDirectory();
    await write(folder.path, [
      "index.md",
      "guide/index.mdx",
      "guide/deep/Index.md",
      "indexes.md",
      "my-index.md",
    ]);
    expect((await read(folder.path)).paths).toEqual({
      "": "index.md",
      guide: "guide/index.mdx",
      "guide/deep": "guide/deep/Index.md",
      indexes: "indexes.md",
      "my-index": "my-index.md",
    });
  });

  test("a README stands for its folder where there is no index, and for itself where there is one", async () => {
    using folder = temporaryDirectory();
    await write(folder.path, ["README.md", "a/readme.md", "b/README.md", "b/index.md"]);
    await write(folder.path, ["c.md", "c/README.md"]);
    expect(await read(folder.path)).toEqual({
      paths: {
        "": "README.md",
        a: "a/readme.md",
        b: "b/index.md",
        "b/README": "b/README.md",
        c: "c.md",
        "c/README": "c/README.md",
      },
      skipped: {},
    });
  });

  test("names that begin with a dot, node_modules and other files are left out", async () => {
    using folder = temporaryDirectory();
    await write(folder.path, [
      "a.md",
      ".hidden.md",
      ".git/b.md",
      "node_modules/c.md",
      "x/node_modules/d.md",
      "e.text",
      "f.md.bak",
      "g",
      "md",
      "h.json",
    ]);
    expect(await read(folder.path)).toEqual({ paths: { a: "a.md" }, skipped: {} });
  });

  test("two files of one path: Markdown counts before the others, and what is left out is said", async () => {
    using folder = temporaryDirectory();
    await write(folder.path, ["guide.md", "guide/index.md", "guide.mdx", "index.html", "index.mdx"]);
    await write(folder.path, ["a.html", "a.rst", "a.txt", "b.txt", "b.htm"]);
    const { paths, skipped } = await read(folder.path);
    expect(paths).toEqual({ guide: "guide.md", "": "index.mdx", a: "a.rst", "b.htm": "b.htm" });
    expect(Object.keys(skipped).sort()).toEqual([
      "a.html",
      "a.txt",
      "b.txt",
      "guide.mdx",
      "guide/index.md",
      "index.html",
    ]);
    expect(skipped["index.html"]).toContain("same path as index.mdx");
  });

  test("a file that is too large is said, up to the limit it is read", async () => {
    using folder = temporaryDirectory();
    await write(folder.path, { "at.md": "x".repeat(1000), "over.md": "x".repeat(1001) });
    const { paths, skipped } = await read(folder.path);
    expect(paths).toEqual({ at: "at.md" });
    expect(skipped["over.md"]).toContain("1000 bytes");
  });

  test("a file that grows while it is ingested is not read beyond the limit", async () => {
    using folder = temporaryDirectory();
    await write(folder.path, ["a.md"]);
    const reader = createFolderReader({ root: folder.path, fileBytesMax: 1000 });
    const [item] = await Array.fromAsync(reader.list(listContext()));
    truncateSync(join(folder.path, "a.md"), 5_000_000);
    const read = async () => (item && !isSkipped(item) ? (await item.read()).length : 0);
    const size = await read().catch(() => 0);
    expect(size).toBeLessThanOrEqual(1001);
  });

  test("a link to a file inside the folder is read, one that leaves it is said and not followed", async () => {
    using folder = temporaryDirectory();
    using outside = temporaryDirectory();
    await write(outside.path, ["secret.md", "deep/secret.md"]);
    await write(folder.path, ["a.md", "sub/b.md"]);
    symlinkSync(join(folder.path, "a.md"), join(folder.path, "sub", "same.md"));
    symlinkSync("../a.md", join(folder.path, "sub", "relative.md"));
    symlinkSync(join(outside.path, "secret.md"), join(folder.path, "secret.md"));
    symlinkSync(outside.path, join(folder.path, "outside"));
    symlinkSync("../..", join(folder.path, "sub", "up"));
    symlinkSync("/etc/passwd", join(folder.path, "passwd.md"));
    symlinkSync(join(folder.path, "gone.md"), join(folder.path, "dangling.md"));
    const { paths, skipped } = await read(folder.path);
    expect(Object.keys(paths).sort()).toEqual(["a", "sub/b", "sub/relative", "sub/same"]);
    expect(Object.keys(skipped).sort()).toEqual([
      "dangling.md",
      "outside",
      "passwd.md",
      "secret.md",
      "sub/up",
    ]);
    expect(skipped["outside"]).toContain("leaves the folder");
  });

  test("a link to a folder whose name begins like the root's leaves the root", async () => {
    using parent = temporaryDirectory();
    await write(parent.path, ["docs/a.md", "docs-secret/b.md"]);
    symlinkSync(join(parent.path, "docs-secret", "b.md"), join(parent.path, "docs", "b.md"));
    expect(Object.keys((await read(join(parent.path, "docs"))).paths)).toEqual(["a"]);
  });

  test("links that go round end", async () => {
    using folder = temporaryDirectory();
    await write(folder.path, ["a.md", "sub/b.md"]);
    symlinkSync(folder.path, join(folder.path, "sub", "round"));
    symlinkSync(join(folder.path, "sub"), join(folder.path, "again"));
    symlinkSync("self.md", join(folder.path, "self.md"));
    expect(Object.keys((await read(folder.path)).paths).sort()).toEqual(["a", "sub/b"]);
  });

  test("the folder itself may be a link", async () => {
    using parent = temporaryDirectory();
    await write(parent.path, ["docs/a.md"]);
    symlinkSync(join(parent.path, "docs"), join(parent.path, "link"));
    expect((await read(join(parent.path, "link"))).paths).toEqual({ a: "a.md" });
  });

  test("folders that are nested too deeply are said", async () => {
    using folder = temporaryDirectory();
    const deep = Array.from({ length: 70 }, () => "d").join("/");
    await write(folder.path, [`${deep}/a.md`, "b.md"]);
    const { paths, skipped } = await read(folder.path);
    expect(paths).toEqual({ b: "b.md" });
    expect(Object.values(skipped)).toEqual(["is nested too deeply"]);
  });

  test("an empty folder has nothing", async () => {
    using folder = temporaryDirectory();
    expect(await read(folder.path)).toEqual({ paths: {}, skipped: {} });
  });

  test("a folder that is not there, and one in a file, are not found", async () => {
    using folder = temporaryDirectory();
    await write(folder.path, ["a.md"]);
    for (const root of [join(folder.path, "none"), join(folder.path, "a.md", "x")]) {
      const error = await appErrorOf(() => read(root));
      expect([error.code, error.message]).toEqual(["not_found", expect.stringContaining(root)]);
    }
  });

  test("a file that goes away before it is read is named", async () => {
    using folder = temporaryDirectory();
    await write(folder.path, ["a.md"]);
    const reader = createFolderReader({ root: folder.path, fileBytesMax: 1000 });
    const [item] = await Array.fromAsync(reader.list(listContext()));
    rmSync(join(folder.path, "a.md"));
    const error = await appErrorOf(() => item && !isSkipped(item) && item.read());
    expect(error.message).toContain("a.md");
    expect(error.hint).toBeString();
  });

  test.skipIf(process.getuid?.() === 0)(
    "a folder that may not be read is named: its pages are not taken for gone",
    async () => {
      using folder = temporaryDirectory();
      await write(folder.path, ["a.md", "closed/b.md"]);
      chmodSync(join(folder.path, "closed"), 0o000);
      const error = await appErrorOf(() => read(folder.path));
      chmodSync(join(folder.path, "closed"), 0o700);
      expect(error.message).toContain("closed");
    },
  );

  test("reading stops when it is told to", async () => {
    using folder = temporaryDirectory();
    await write(folder.path, ["a.md"]);
    await expect(read(folder.path, { signal: AbortSignal.abort() })).rejects.toThrow();
  });
});

describe("a folder that is a part of a generator's docs", () => {
  test("is read as its files lie, and the folder to name instead is said", async () => {
    using folder = temporaryDirectory();
    await write(folder.path, { "repo/mkdocs.yml": "site_name: Acme", "repo/docs/en/a.md": "# A" });
    const { paths, skipped } = await read(join(folder.path, "repo", "docs", "en"));
    expect(paths).toEqual({ a: "a.md" });
    expect(skipped).toEqual({ "../..": expect.stringContaining("looks like docs of MkDocs") });
    expect(skipped["../.."]).toContain(`name ${join(folder.path, "repo")} instead`);
  });

  test("is read without a word where it is what the generator has built", async () => {
    using folder = temporaryDirectory();
    await write(folder.path, {
      "repo/mkdocs.yml": "site_name: Acme",
      "repo/docs/a.md": "# A",
      ...built("repo/site"),
    });
    const { paths, skipped } = await read(join(folder.path, "repo", "site"));
    expect(Object.keys(paths).sort()).toEqual(["", "a", "b.html"]);
    expect(skipped).toEqual({});
  });

  test("says nothing of a folder above that may not be read", async () => {
    using folder = temporaryDirectory();
    await write(folder.path, { "repo/mkdocs.yml": "site_name: Acme", "repo/docs/a.md": "# A" });
    const root = realpathSync(join(folder.path, "repo", "docs"));
    const isInside = (place: string) => place.startsWith(root);
    const items = await Array.fromAsync(
      createFolderReader({ root, fileBytesMax: 1000, isInside }).list(listContext()),
    );
    expect(items.map(({ location }) => location)).toEqual(["a.md"]);
  });
});

const built = (folder: string) =>
  Object.fromEntries(
    ["index", "a/index", "b"].map((name) => [
      `${folder}/${name}.html`,
      `<h1>${name}</h1><p>About ${name}.</p>`,
    ]),
  );

describe("docs that have been built beside their source", () => {
  test.each([
    ["site", { "mkdocs.yml": "site_name: Acme", "docs/index.md": "# A", ".gitignore": "site/" }, "MkDocs"],
    [
      "docs/_build/html",
      {
        "docs/conf.py": "project = 'A'\nextensions = []\nhtml_theme = 'alabaster'",
        "docs/index.rst": "A\n=\n",
      },
      "Sphinx",
    ],
    [
      "build/html",
      {
        "source/conf.py": "project = 'A'\nextensions = []\nhtml_theme = 'alabaster'",
        "source/index.rst": "A\n=\n",
      },
      "Sphinx",
    ],
  ])("are named, with what reads them: %s", async (place, files, generator) => {
    using folder = temporaryDirectory();
    await write(folder.path, { ...files, ...built(place) });
    const { skipped } = await read(folder.path);
    expect(skipped[place]).toStartWith(`holds HTML that ${generator} seems to have built`);
    expect(skipped[place]).toContain(`"docent ingest <domain> ${join(realpathSync(folder.path), place)}"`);
  });

  test.each([
    ["few pages", { "site/index.html": "<p>A</p>", "site/a.html": "<p>B</p>" }],
    ["no first page", { ...built("site"), "site/index.html": undefined }],
    [
      "what is written",
      { ...built("site"), "site/a.md": "# A", "site/b.md": "# B", "site/c.md": "# C", "site/d.md": "# D" },
    ],
  ])("are not taken for it where a folder has %s", async (_, files) => {
    using folder = temporaryDirectory();
    const there = Object.entries(files).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]]));
    await write(folder.path, {
      "mkdocs.yml": "site_name: Acme",
      "docs/index.md": "# A",
      ".gitignore": "site/",
      ...Object.fromEntries(there),
    });
    expect((await read(folder.path)).skipped).toEqual({});
  });

  test("are not looked for where a link leads", async () => {
    using folder = temporaryDirectory();
    await write(folder.path, {
      "repo/mkdocs.yml": "site_name: Acme",
      "repo/docs/index.md": "# A",
      ...built("away"),
    });
    symlinkSync(join(folder.path, "away"), join(folder.path, "repo", "site"));
    const { skipped } = await read(join(folder.path, "repo"));
    expect(skipped["site"]).toBe("is a link that leaves the folder");
  });
});
