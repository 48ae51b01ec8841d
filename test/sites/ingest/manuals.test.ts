import { expect, test } from "bun:test";
import { linkSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { isSkipped, type SourceReader } from "../../../src/reading/source-reader.ts";
import { createArchiveReader } from "../../../src/reading/sources/archive/archive.ts";
import { createFolderReader } from "../../../src/reading/sources/folder/folder.ts";
import { resolveLink } from "../../../src/sites/pages/page-link.ts";
import { tarBytes, zipBytes } from "../../helpers/archive-bytes.ts";
import { listContext } from "../../helpers/list-context.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

const page = (name: string, words: string) =>
  `.TH ${name.toUpperCase()} 1\n.SH NAME\n${name} \\- says ${words}\n.SH SEE ALSO\n.BR one (1),\n.BR two (5),\n.BR other (1),\n.BR none (1)\n`;

const FILES: Record<string, string | Uint8Array> = {
  "man1/one.1": page("one", "a"),
  "man5/two.5.gz": gzipSync(page("two", "b")),
  "man1/other.1": '.\\" Another name.\n.so man5/two.5\n',
  "man1/gone.1": ".so man1/nowhere.1\n",
  "de/man1/one.1": page("one", "ein"),
  "app.log.1": "2024-01-01 started\n",
  "libx.so.1": new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1]),
  "app.log.2.gz": gzipSync("2024-01-01 started\n"),
  "broken.1.gz": "no gzip",
  "photo.3gp": "x",
};

async function fill(root: string, files: Record<string, string | Uint8Array> = FILES): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    await Bun.write(join(root, name), content);
  }
}

async function listed(reader: SourceReader) {
  const pages: Record<string, string> = {};
  const languages: Record<string, string | undefined> = {};
  const skipped: Record<string, string> = {};
  let redirects: unknown;
  const context = {
    ...listContext(),
    onRecognized: (docs: { redirects?: unknown }) => (redirects = docs.redirects),
  };
  for await (const item of reader.list(context)) {
    if (isSkipped(item)) skipped[item.location] = item.detail;
    else {
      expect(item.format).toBe("written");
      pages[item.path] = new TextDecoder().decode(await item.read());
      languages[item.path] = item.marks?.language;
    }
  }
  return { pages, languages, skipped, redirects };
}

const said = (name: string, section: number, words: string, links: string) =>
  `---\n{"title":"${name}(${section})","description":"says ${words}"}\n---\n## NAME {#NAME}\n\n${name} - says ${words}\n\n## SEE ALSO {#SEE_ALSO}\n\n${links}`;

const EXPECTED = {
  pages: {
    "man1/one.1": said("one", 1, "a", "one(1), [two(5)](../man5/two.5), [other(1)](../man5/two.5), none(1)"),
    "man5/two.5": said("two", 5, "b", "[one(1)](../man1/one.1), two(5), other(1), none(1)"),
    "de/man1/one.1": said(
      "one",
      1,
      "ein",
      "one(1), [two(5)](../../man5/two.5), [other(1)](../../man5/two.5), none(1)",
    ),
  },
  languages: { "man1/one.1": undefined, "man5/two.5": undefined, "de/man1/one.1": "de" },
  skipped: {
    "man1/other.1": "is another name of man5/two.5.gz",
    "man1/gone.1": "stands for man1/nowhere.1, which is not in this source",
  },
  redirects: [{ from: "man1/other.1", to: "man5/two.5" }],
};

test("manual pages in a folder are known by what they begin with, packed or not", async () => {
  using folder = temporaryDirectory();
  await fill(folder.path);
  expect(await listed(createFolderReader({ root: folder.path, fileBytesMax: 100_000 }))).toEqual(EXPECTED);
});

test("manual pages in an archive are the same", async () => {
  using folder = temporaryDirectory();
  const file = join(folder.path, "docs.zip");
  await Bun.write(file, zipBytes(Object.entries(FILES).map(([name, text]) => ({ name, text }))));
  expect(await listed(createArchiveReader({ file, fileBytesMax: 100_000 }))).toEqual(EXPECTED);
});

test("of a tar that is too large to be held, manual pages are read without links, and logs are not", async () => {
  using folder = temporaryDirectory();
  const file = join(folder.path, "docs.tar");
  const texts = Object.entries(FILES).flatMap(([name, text]) =>
    typeof text === "string" ? [{ name, text }] : [],
  );
  const symbolic = ["lib/a.so.1", "man1/a.1"].map((name) => ({ name, type: "2", link: "b" }));
  await Bun.write(file, tarBytes([...texts, ...symbolic]));
  const { pages } = await listed(createArchiveReader({ file, fileBytesMax: 100_000, heldBytesMax: 10 }));
  const links = "one(1), two(5), other(1), none(1)";
  expect(pages).toEqual({
    "man1/one.1": said("one", 1, "a", links),
    "de/man1/one.1": said("one", 1, "ein", links),
  });
  const held = await listed(createArchiveReader({ file, fileBytesMax: 100_000 }));
  expect(held.skipped).toEqual({
    "man1/other.1": "stands for man5/two.5, which is not in this source",
    "man1/gone.1": "stands for man1/nowhere.1, which is not in this source",
    // Of a link that is called so, and may be a library's, nothing is said.
    "man1/a.1": "is a link, which is not followed in an archive",
  });
});

test("names of one file are one page, which is called as its title says", async () => {
  using folder = temporaryDirectory();
  await fill(folder.path, { "man1/gzip.1": page("gzip", "a") });
  symlinkSync("gzip.1", join(folder.path, "man1/gunzip.1"));
  linkSync(join(folder.path, "man1/gzip.1"), join(folder.path, "man1/zcat.1"));
  const { pages, redirects } = await listed(createFolderReader({ root: folder.path, fileBytesMax: 100_000 }));
  expect(Object.keys(pages)).toEqual(["man1/gzip.1"]);
  expect(redirects).toEqual([
    { from: "man1/gunzip.1", to: "man1/gzip.1" },
    { from: "man1/zcat.1", to: "man1/gzip.1" },
  ]);
});

test("what unpacks to more than a page may have is said of manual pages, and of nothing else", async () => {
  using folder = temporaryDirectory();
  const zeros = "\n".repeat(3_000_000);
  await fill(folder.path, {
    "man1/bomb.1.gz": gzipSync(page("bomb", "a") + zeros),
    "app.log.1.gz": gzipSync(`a log${zeros}`),
    "man1/large.1": page("large", "a") + zeros,
    "large.log.1": zeros,
  });
  const { pages, skipped } = await listed(createFolderReader({ root: folder.path, fileBytesMax: 100_000 }));
  expect(pages).toEqual({});
  expect(skipped).toEqual({
    "man1/bomb.1.gz": "is larger than 100000 bytes when it is unpacked",
    "man1/large.1": "is larger than 100000 bytes",
  });
});

test("links between manual pages lead to pages, whatever they are called", async () => {
  using folder = temporaryDirectory();
  await fill(folder.path, {
    "man3/File::Spec.3pm": page("x", "a"),
    "man3/one.3": ".TH ONE 3\n.SH SEE ALSO\nFile::Spec(3pm), File::Spec(3)\n",
  });
  const { pages } = await listed(createFolderReader({ root: folder.path, fileBytesMax: 100_000 }));
  const hrefs = [...(pages["man3/one.3"] ?? "").matchAll(/\]\(([^)]+)\)/g)].map(([, href = ""]) => href);
  expect(hrefs).toHaveLength(2);
  for (const href of hrefs)
    expect(resolveLink(href, { path: "man3/one.3", location: "man3/one.3" })).toEqual({
      kind: "page",
      path: "man3/File::Spec.3pm",
      anchor: "",
    });
});

test("a page is read again when there is another one to lead to", async () => {
  using folder = temporaryDirectory();
  await fill(folder.path, { "one.1": page("one", "a") });
  const clock = () => Date.now() + 60_000;
  const validators = async () => {
    const all: (string | undefined)[] = [];
    for await (const item of createFolderReader({ root: folder.path, fileBytesMax: 100_000, clock }).list(
      listContext(),
    ))
      if (!isSkipped(item) && item.location === "one.1") all.push(item.validator);
    return all;
  };
  const before = await validators();
  expect(before[0]).toBeString();
  expect(await validators()).toEqual(before);
  await fill(folder.path, { "two.5": page("two", "b") });
  expect(await validators()).not.toEqual(before);
});

test("pages in Org include files of the folder, and lead to sections of others by their ids", async () => {
  using folder = temporaryDirectory();
  await fill(folder.path, {
    "docs/a.org":
      '#+TITLE: A\n#+INCLUDE: "parts/p.org"\n#+INCLUDE: "../secret.org"\n[[id:77][b]] [[file:b.org::#c][c]]\n',
    "docs/b.org": "* Part\n:PROPERTIES:\n:ID: 77\n:END:\nx\n",
    "docs/parts/p.org": "words\n",
    "secret.org": "secret",
  });
  const faults: Record<string, readonly string[] | undefined> = {};
  const pages: Record<string, string> = {};
  for await (const item of createFolderReader({ root: join(folder.path, "docs"), fileBytesMax: 1000 }).list(
    listContext(),
  ))
    if (!isSkipped(item)) {
      pages[item.path] = new TextDecoder().decode(await item.read());
      faults[item.path] = item.faults;
    }
  expect(pages["a"]).toBe('---\n{"title":"A"}\n---\nwords\n\n[b](b.org#part) [c](b.org#c)');
  expect(faults["a"]).toEqual(["../secret.org, which it includes, is not in this source"]);
  expect(resolveLink("b.org#part", { path: "a", location: "a.org" })).toEqual({
    kind: "page",
    path: "b",
    anchor: "part",
  });
});
