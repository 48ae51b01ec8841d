import { describe, expect, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { AppError } from "../../../src/kernel/errors.ts";
import { systemClock } from "../../../src/kernel/lib/clock.ts";
import { type FoundDocs, isSkipped, type SourceReader } from "../../../src/reading/source-reader.ts";
import { createArchiveReader } from "../../../src/reading/sources/archive/archive.ts";
import { boundsOf, createAccessRules, itemsOfTree } from "../../../src/reading/sources/files/files.ts";
import { createFolderReader } from "../../../src/reading/sources/folder/folder.ts";
import { createGitReader } from "../../../src/reading/sources/git/git.ts";
import { tarBytes, zipBytes } from "../../helpers/archive-bytes.ts";
import { listContext } from "../../helpers/list-context.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

const FILES = {
  "README.md": "# About this repository",
  "docusaurus.config.js": "module.exports = { presets: [['classic', {}]] };",
  "docs/02-usage.md":
    "---\nslug: /use\n---\n# Using it\n\n## Setup {#begin}\n\nSee [the start](./01-start.mdx#same-1).",
  "docs/01-start.mdx": "import Part from './_part.mdx';\n\n# Start\n\n<Part />\n\n## Same\n\n## Same\n",
  "docs/_part.mdx": "A part of others.",
  "docs/answers/reset.md": "---\nquestions: [How do I reset it?]\n---\nTurn it off.",
  "docs/large.md": "Words. ".repeat(2000),
};

async function writeFiles(root: string, files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    await Bun.write(join(root, name), text);
  }
}

const run = async (...command: string[]) => {
  const child = Bun.spawn(command, { stdio: ["ignore", "ignore", "inherit"] });
  expect(await child.exited).toBe(0);
};

/** What a reader lists, with the text of each page. */
async function listed(reader: SourceReader) {
  const pages: Record<string, string> = {};
  const skipped: Record<string, string> = {};
  const recognized: FoundDocs[] = [];
  const context = { ...listContext(), onRecognized: (docs: FoundDocs) => void recognized.push(docs) };
  for await (const item of reader.list(context)) {
    if (isSkipped(item)) skipped[item.location] = item.detail;
    else pages[item.path] = new TextDecoder().decode(await item.read());
  }
  return { pages, skipped, recognized };
}

const EXPECTED = {
  pages: {
    "docs/start":
      '---\n{"title":"Start"}\n---\n# Start {#}\n\nA part of others.\n\n## Same {#same}\n\n## Same {#same-1}\n',
    "docs/use":
      '---\n{"slug":"/use","title":"Using it"}\n---\n# Using it {#}\n\n## Setup {#begin}\n\nSee [the start](/docs/start#same-1).',
    "docs/answers/reset": expect.stringContaining("Turn it off."),
  },
  skipped: {
    "README.md": "is no page of the site that Docusaurus makes",
    "docs/_part.mdx": expect.stringContaining("as parts of other pages are"),
    "docs/large.md": "is larger than 10000 bytes",
  },
  recognized: [expect.objectContaining({ generator: "Docusaurus", unknowns: [] })],
};

describe("a wiki in which no page is for everyone", () => {
  const wiki = {
    "conf/acl.auth.php": "*  @ALL  0\n*  @user  8\n",
    "data/pages/plan.txt": "====== Plan ======\n\nSecret.",
    "data/pages/ops/keys.txt": "====== Keys ======\n\nSecret.",
    "data/media/a.png": "x",
  };

  test("has no page, and its files are not taken as they lie", async () => {
    using folder = temporaryDirectory();
    await writeFiles(folder.path, wiki);
    const { pages, skipped } = await listed(createFolderReader({ root: folder.path, fileBytesMax: 10_000 }));
    expect(pages).toEqual({});
    expect(skipped["data/pages/plan.txt"]).toContain("is not for everyone");
  });

  test("has none in a part of it either", async () => {
    const files = Object.entries(wiki).map(([location, text]) => ({
      location,
      sizeBytes: text.length,
      read: async () => new TextEncoder().encode(text),
    }));
    const tree = {
      files: files.filter(({ location }) => location.endsWith(".txt")),
      others: files.filter(({ location }) => !location.endsWith(".txt")),
    };
    const options = {
      ...boundsOf({ fileBytesMax: 10_000 }),
      access: createAccessRules(),
      found: "git",
      clock: systemClock,
    };
    const found: string[] = [];
    for await (const item of itemsOfTree(tree, { ...options, subfolder: "data/pages/ops" }))
      if (!isSkipped(item)) found.push(item.path);
    expect(found).toEqual([]);
  });

  test("has none in a tar that is too large to be held", async () => {
    using folder = temporaryDirectory();
    const file = join(folder.path, "wiki.tar");
    await Bun.write(file, tarBytes(Object.entries(wiki).map(([name, text]) => ({ name, text }))));
    const { pages, skipped } = await listed(
      createArchiveReader({ file, fileBytesMax: 10_000, heldBytesMax: 10 }),
    );
    expect(pages).toEqual({});
    expect(skipped["."]).toContain("has more than 10 bytes");
  });
});

describe("files that are no generator's docs", () => {
  test("are said to be that, with the addresses that they get", async () => {
    using folder = temporaryDirectory();
    await writeFiles(folder.path, { "guide/install.md": "# Install", "README.md": "# Home" });
    const { recognized } = await listed(createFolderReader({ root: folder.path, fileBytesMax: 10_000 }));
    const samples = [
      { location: "README.md", path: "" },
      { location: "guide/install.md", path: "guide/install" },
    ];
    expect(recognized).toEqual([{ generator: undefined, pages: 2, samples }]);
  });
});

describe("the docs of a generator", () => {
  test("in a folder of the source are named with it, and those beside them that are not read", async () => {
    using folder = temporaryDirectory();
    await writeFiles(folder.path, {
      "a/mkdocs.yml": "site_name: A",
      "a/docs/one.md": "# One",
      "b/mkdocs.yml": "site_name: B",
      "b/docs/one.md": "# One",
      "b/docs/two.md": "# Two",
    });
    const { recognized } = await listed(createFolderReader({ root: folder.path, fileBytesMax: 10_000 }));
    expect(recognized).toMatchObject([
      {
        root: "b",
        pages: 2,
        beside: [{ generator: expect.stringContaining("MkDocs"), root: "a", pages: 1 }],
      },
    ]);
  });

  test("are recognized in a folder, and read as they are published", async () => {
    using folder = temporaryDirectory();
    await writeFiles(folder.path, FILES);
    expect(await listed(createFolderReader({ root: folder.path, fileBytesMax: 10_000 }))).toEqual(EXPECTED);
  });

  test("are the same in a git repository", async () => {
    using folder = temporaryDirectory();
    const root = join(folder.path, "repository");
    await writeFiles(root, FILES);
    const git = ["git", "-C", root, "-c", "user.name=t", "-c", "user.email=t@t.invalid"];
    await run("git", "init", "-q", root);
    await run(...git, "add", ".");
    await run(...git, "commit", "-q", "-m", "docs");
    const reader = createGitReader({
      location: root,
      cacheFolder: join(folder.path, "cache"),
      fileBytesMax: 10_000,
      environment: process.env,
      allowsLocal: true,
      privateHosts: [],
      certificateAuthorities: [],
    });
    expect(await listed(reader)).toEqual(EXPECTED);
  });

  const entries = Object.entries(FILES).map(([name, text]) => ({ name: `repository/${name}`, text }));

  test.each([
    ["zip", zipBytes(entries)],
    ["tar", tarBytes(entries)],
    ["packed tar", gzipSync(tarBytes(entries))],
  ])("are the same in a %s", async (_, bytes) => {
    using folder = temporaryDirectory();
    const file = join(folder.path, "docs");
    await Bun.write(file, bytes);
    expect(await listed(createArchiveReader({ file, fileBytesMax: 10_000 }))).toEqual(EXPECTED);
  });

  test("are taken as their files lie in a tar that is too large to be held, and the ledger says so", async () => {
    using folder = temporaryDirectory();
    const file = join(folder.path, "docs.tar");
    await Bun.write(file, tarBytes(entries));
    const { pages, skipped } = await listed(
      createArchiveReader({ file, fileBytesMax: 10_000, heldBytesMax: 100 }),
    );
    expect(Object.keys(pages)).toContain("docs/02-usage");
    expect(skipped["."]).toStartWith("has more than 100 bytes: in a tar of that size");
  });

  test("are read with what is usual where their configuration cannot be, and the ledger says so", async () => {
    using folder = temporaryDirectory();
    await writeFiles(folder.path, { ...FILES, "docusaurus.config.js": "module.exports = {{{" });
    const { pages, skipped } = await listed(createFolderReader({ root: folder.path, fileBytesMax: 10_000 }));
    expect(Object.keys(pages)).toContain("docs/use");
    expect(skipped["."]).toStartWith(
      "is configured for Docusaurus, and not all of that can be known. docusaurus.config.js cannot be read: ",
    );
  });

  test("are taken as their files lie where nothing is found by the configuration, and the ledger says so", async () => {
    using folder = temporaryDirectory();
    const nowhere =
      "module.exports = { presets: [['classic', { docs: { path: 'nowhere' }, blog: false }]] };";
    await writeFiles(folder.path, { ...FILES, "docusaurus.config.js": nowhere });
    const { pages, skipped, recognized } = await listed(
      createFolderReader({ root: folder.path, fileBytesMax: 10_000 }),
    );
    expect(Object.keys(pages)).toContain("docs/02-usage");
    expect(skipped["."]).toEndWith("No page was found by it: the files are taken as they lie.");
    expect(recognized).toMatchObject([{ generator: undefined }]);
  });

  test("are read although a file of theirs cannot be: its page stays as it was, and the ledger says why", async () => {
    const failing = ["docs/02-usage.md", "docs/_part.mdx"];
    const files = [...Object.entries(FILES), ["docs/binary.md", "\u0001".repeat(99)] as const].map(
      ([location, text]) => ({
        location,
        sizeBytes: text.length,
        async read() {
          if (failing.includes(location)) throw new AppError("unavailable", `${location} cannot be read.`);
          return new TextEncoder().encode(text);
        },
      }),
    );
    const large = { location: "docs/large.md", sizeBytes: 20_000, read: async () => new Uint8Array() };
    const tree = { files: [...files, large], others: [] };
    const items = await Array.fromAsync(
      itemsOfTree(tree, {
        found: "folder",
        ...boundsOf({ fileBytesMax: 10_000 }),
        access: createAccessRules(),
        clock: systemClock,
      }),
    );
    const pages = items.flatMap((item) => (isSkipped(item) ? [] : [item]));
    const usage = pages.find(({ location }) => location === "docs/02-usage.md");
    expect(await appErrorOf(async () => usage?.read())).toMatchObject({
      message: "docs/02-usage.md cannot be read.",
    });
    const start = pages.find(({ path }) => path === "docs/start");
    expect(new TextDecoder().decode(await start?.read())).toContain("## Same {#same-1}");
    const binary = pages.find(({ location }) => location === "docs/binary.md");
    expect(await binary?.read()).toEqual(new Uint8Array(99).fill(1));
    const reasons = items.flatMap((item) => (isSkipped(item) ? [[item.location, item.reason]] : []));
    expect(reasons).toContainEqual(["docs/large.md", "too_large"]);
  });

  test("stop being looked at when the run is stopped", async () => {
    using folder = temporaryDirectory();
    await writeFiles(folder.path, FILES);
    const stop = new AbortController();
    const files = Object.entries(FILES).map(([location, text]) => ({
      location,
      sizeBytes: text.length,
      async read() {
        stop.abort(new DOMException("stopped", "AbortError"));
        return new TextEncoder().encode(text);
      },
    }));
    const options = {
      found: "folder",
      ...boundsOf({ fileBytesMax: 10_000 }),
      access: createAccessRules(),
      clock: systemClock,
      signal: stop.signal,
    };
    const reading = Array.fromAsync(itemsOfTree({ files, others: [] }, options));
    expect(await reading.catch((error: unknown) => error)).toMatchObject({ name: "AbortError" });
  });

  test("are no longer those of a generator when its configuration is gone", async () => {
    using folder = temporaryDirectory();
    await writeFiles(folder.path, FILES);
    rmSync(join(folder.path, "docusaurus.config.js"));
    const { pages, recognized } = await listed(
      createFolderReader({ root: folder.path, fileBytesMax: 10_000 }),
    );
    expect(recognized).toMatchObject([{ generator: undefined }]);
    expect(Object.keys(pages)).toContain("docs/02-usage");
  });
});
