import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { isSkipped } from "../../../src/reading/source-reader.ts";
import { createArchiveReader } from "../../../src/reading/sources/archive/archive.ts";
import { paxLine, signed, tarBytes, zipBytes } from "../../helpers/archive-bytes.ts";
import { listContext } from "../../helpers/list-context.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

interface Reading {
  pages: Record<string, string>;
  skipped: Record<string, string>;
  validators: (string | undefined)[];
}

async function readArchive(
  bytes: Uint8Array,
  options: { fileBytesMax?: number; totalBytesMax?: number } = {},
) {
  using folder = temporaryDirectory();
  const file = join(folder.path, "archive.bin");
  writeFileSync(file, bytes);
  const result: Reading = { pages: {}, skipped: {}, validators: [] };
  for await (const item of createArchiveReader({ file, fileBytesMax: 1000, ...options }).list(
    listContext(),
  )) {
    if (isSkipped(item)) result.skipped[item.location] = `${item.reason}: ${item.detail}`;
    else {
      result.pages[item.path] = new TextDecoder().decode(await item.read());
      result.validators.push(item.validator);
    }
  }
  return result;
}

const FILES = [
  { name: "docs-1.2/", text: "", type: "5" },
  { name: "docs-1.2/index.md", text: "# Home" },
  { name: "docs-1.2/guide/über.md", text: "Größe" },
  { name: "docs-1.2/guide/_part.md", text: "part" },
  { name: "docs-1.2/logo.png", text: "png" },
  { name: "docs-1.2/.gitignore", text: "draft.md\n" },
  { name: "docs-1.2/draft.md", text: "no" },
];
const EXPECTED = { "": "# Home", "guide/über": "Größe" };

describe("archive reader", () => {
  const FORMS: [name: string, bytes: Buffer][] = [
    ["zip", zipBytes(FILES)],
    ["stored zip", zipBytes(FILES.map((file) => ({ ...file, stored: true })))],
    [
      "zip64",
      zipBytes(
        FILES.map((file) => ({ ...file, zip64: true })),
        { zip64: true },
      ),
    ],
    ["zip that was written to a pipe", zipBytes(FILES.map((file) => ({ ...file, descriptor: true })))],
    ["zip with a comment", zipBytes(FILES, { comment: "PK\x05\x06 is how the end begins" })],
    [
      "zip whose names do not say that they are UTF-8",
      zipBytes(FILES.map((file) => ({ ...file, flags: 0 }))),
    ],
    ["tar", tarBytes(FILES)],
    ["tar.gz", gzipSync(tarBytes(FILES))],
    [
      "tar.gz of two parts",
      Buffer.concat([gzipSync(tarBytes(FILES).subarray(0, 1000)), gzipSync(tarBytes(FILES).subarray(1000))]),
    ],
  ];
  for (const [name, bytes] of FORMS) {
    test(`a ${name} is read: without its top folder, and by its ignore files`, async () => {
      const { pages, skipped } = await readArchive(bytes);
      expect(pages).toEqual(EXPECTED);
      expect(Object.keys(skipped)).toEqual(["guide/_part.md"]);
    });
  }

  const page = (name: string) => `<link rel="canonical" href="https://docs.example/${name}"><h1>${name}</h1>`;
  const BUILT = [
    { name: "./index.html", text: page("") },
    { name: "./library/os.html", text: page("library/os") },
    { name: "./howto/logging.html", text: page("howto/logging") },
    { name: "./genindex.html", text: page("genindex") },
    { name: "./objects.inv", text: "" },
  ];
  test.each([
    ["zip", zipBytes(BUILT)],
    ["tar", tarBytes(BUILT)],
    ["tar.gz", gzipSync(tarBytes(BUILT))],
  ])("built HTML in a %s is read as in a folder", async (_, bytes) => {
    const { pages, skipped } = await readArchive(bytes);
    expect(Object.keys(pages).sort()).toEqual(["", "howto/logging", "library/os"]);
    expect(skipped).toEqual({ "genindex.html": expect.stringContaining("is made by Sphinx for itself") });
  });

  test.each([
    ["zip", zipBytes],
    ["tar", tarBytes],
  ])("docs in a %s that were built beside their source are named", async (_, pack) => {
    const built = ["index", "a", "b"].map((name) => ({ name: `site/${name}.html`, text: `<p>${name}</p>` }));
    const written = [
      { name: "mkdocs.yml", text: "site_name: Acme" },
      { name: "docs/index.md", text: "# A" },
    ];
    const { skipped } = await readArchive(pack([...written, ...built]));
    expect(skipped["site"]).toContain("with an archive of that folder alone in place of this source");
  });

  test("a folder is kept where it does not hold all", async () => {
    const { pages } = await readArchive(
      zipBytes([{ name: "docs/a.md" }, { name: "b.md" }, { name: ".x/c.md" }]),
    );
    expect(Object.keys(pages)).toEqual(["b", "docs/a"]);
  });

  test("a zip's validator is what its directory says of the content, a tar has none", async () => {
    const [one, same, other] = await Promise.all(
      ["text", "text", "next"].map((text) => readArchive(zipBytes([{ name: "a.md", text }]))),
    );
    expect(one?.validators).toEqual([expect.any(String)]);
    expect(same?.validators).toEqual(one?.validators ?? []);
    expect(other?.validators).not.toEqual(one?.validators ?? []);
    expect((await readArchive(tarBytes([{ name: "a.md" }]))).validators).toEqual([undefined]);
  });

  test("pages of an archive can be read in any order, and after it was listed", async () => {
    for (const bytes of [zipBytes(FILES), gzipSync(tarBytes(FILES))]) {
      using folder = temporaryDirectory();
      const file = join(folder.path, "a");
      writeFileSync(file, bytes);
      const items = await Array.fromAsync(
        createArchiveReader({ file, fileBytesMax: 1000 }).list(listContext()),
      );
      const pages = items.flatMap((item) => (isSkipped(item) ? [] : [item])).reverse();
      const texts = await Promise.all(pages.map(async (page) => new TextDecoder().decode(await page.read())));
      expect(texts.sort()).toEqual(["# Home", "Größe"]);
    }
  });

  test("a description of an API in an archive becomes its pages", async () => {
    const text = JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Pets" },
      paths: { "/pets": { get: {} } },
    });
    for (const bytes of [
      zipBytes([{ name: "openapi.json", text }]),
      tarBytes([{ name: "openapi.json", text }]),
    ]) {
      const { pages } = await readArchive(bytes);
      expect(Object.keys(pages)).toEqual(["api", "api/get-pets"]);
    }
  });

  test("a tar's long names are read, as pax and as GNU write them", async () => {
    const deep = `${"d".repeat(90)}/${"e".repeat(90)}/ü.md`;
    const { pages } = await readArchive(
      tarBytes([
        { name: "pax_global_header", type: "g", text: paxLine("comment", "0123456789abcdef") },
        { name: "PaxHeaders/x", type: "x", text: paxLine("path", `pax/${deep}`) + paxLine("mtime", "1.5") },
        { name: "pax/short.md", text: "pax" },
        { name: "././@LongLink", type: "L", text: `gnu/${deep}\0` },
        { name: "gnu/short.md", text: "gnu" },
        { name: "plain.md", text: "plain" },
        { name: "b.md", prefix: "pre/fix", text: "ustar" },
      ]),
    );
    expect(pages).toEqual({
      [`pax/${deep.slice(0, -3)}`]: "pax",
      [`gnu/${deep.slice(0, -3)}`]: "gnu",
      plain: "plain",
      "pre/fix/b": "ustar",
    });
  });
});

describe("what an archive must not do", () => {
  const NAMES = ["../up.md", "a/../../up.md", "/etc/up.md", "C:\\up.md", "a\\..\\..\\up.md", "a\nb.md"];
  for (const name of NAMES) {
    test(`${JSON.stringify(name)} leads nowhere`, async () => {
      for (const bytes of [zipBytes([{ name }, { name: "a.md" }]), tarBytes([{ name }, { name: "a.md" }])]) {
        const { pages, skipped } = await readArchive(bytes);
        expect(Object.keys(pages)).toEqual(["a"]);
        expect(Object.values(skipped)).toEqual(["outside: has a name that leads out of the archive"]);
      }
    });
  }

  test("links, devices and encrypted entries are said, and not read", async () => {
    const zip = await readArchive(
      zipBytes([
        { name: "a.md", text: "a" },
        { name: "link.md", text: "/etc/passwd", mode: 0o120777 },
        { name: "locked.md", flags: 1 },
        { name: "lzma.md", method: 14 },
      ]),
    );
    expect(Object.keys(zip.pages)).toEqual(["a"]);
    expect(Object.values(zip.skipped).map((words) => words.split(":")[0])).toEqual([
      "outside",
      "refused",
      "refused",
    ]);
    const tar = await readArchive(
      tarBytes([
        { name: "a.md", text: "a" },
        { name: "soft.md", type: "2", link: "/etc/passwd" },
        { name: "hard.md", type: "1", link: "a.md" },
        { name: "device.md", type: "3" },
      ]),
    );
    expect(Object.keys(tar.pages)).toEqual(["a"]);
    expect(Object.keys(tar.skipped)).toEqual(["soft.md", "hard.md", "device.md"]);
  });

  test("of two entries of one name the later one counts, as if they were unpacked", async () => {
    const parts = [
      { name: "a.md", text: "old" },
      { name: "b.md", text: "b" },
      { name: "a.md", text: "new" },
    ];
    for (const bytes of [zipBytes(parts), tarBytes(parts)]) {
      const { pages, skipped } = await readArchive(bytes);
      expect(pages).toEqual({ a: "new", b: "b" });
      expect(skipped["a.md (entry 1)"]).toStartWith("duplicate");
    }
  });

  test("a page that is too large is said", async () => {
    const parts = [
      { name: "at.md", text: "x".repeat(1000) },
      { name: "over.md", text: "x".repeat(1001) },
    ];
    for (const bytes of [zipBytes(parts), tarBytes(parts)]) {
      const { pages, skipped } = await readArchive(bytes);
      expect(Object.keys(pages)).toEqual(["at"]);
      expect(skipped["over.md"]).toStartWith("too_large");
    }
  });

  test("a bomb is not unpacked, even where it lies about its size", async () => {
    const zeros = "0".repeat(5_000_000);
    const honest = await readArchive(zipBytes([{ name: "a.md", text: zeros }]), { fileBytesMax: 10_000_000 });
    expect(honest.skipped["a.md"]).toContain("unpack");
    const liar = zipBytes([{ name: "a.md", text: zeros, sizeBytes: 100 }]);
    expect((await appErrorOf(() => readArchive(liar))).message).toContain("a.md cannot be unpacked");
    const many = tarBytes([{ name: "a.bin", text: zeros.repeat(6) }]);
    expect((await appErrorOf(() => readArchive(gzipSync(many)))).code).toBe("too_large");
  });

  test("many entries cannot add up to more than all may be", async () => {
    const parts = Array.from({ length: 10 }, (_, index) => ({ name: `${index}.md`, text: "x".repeat(500) }));
    for (const bytes of [zipBytes(parts), tarBytes(parts)])
      expect((await appErrorOf(() => readArchive(bytes, { totalBytesMax: 4_000 }))).code).toBe("too_large");
  });
});

describe("a damaged archive", () => {
  test("wherever it was cut off, it says so before its first page", async () => {
    for (const whole of [zipBytes(FILES), tarBytes(FILES), gzipSync(tarBytes(FILES))]) {
      for (const share of [0.3, 0.6, 0.9]) {
        // Of a tar's end one empty block is enough.
        const cut = whole.subarray(
          0,
          Math.floor((whole.length - 1024 * Number(whole.length > 3000)) * share),
        );
        const error = await appErrorOf(() => readArchive(cut));
        expect([error.code, error.message]).toEqual(["invalid_request", expect.stringContaining("damaged")]);
        expect(error.hint).toBeString();
      }
    }
    expect((await appErrorOf(() => readArchive(tarBytes(FILES, { isEnded: false })))).message).toContain(
      "too early",
    );
  });

  test("content that is not what the directory says is told by the page", async () => {
    const error = await appErrorOf(() => readArchive(zipBytes([{ name: "a.md", text: "a", crc: 1 }])));
    expect(error.message).toContain("a.md is not what its directory says");
    const short = zipBytes([{ name: "a.md", text: "a", sizeBytes: 2 }]);
    expect((await appErrorOf(() => readArchive(short))).message).toContain("a.md");
  });

  test("flipped bytes anywhere end in an AppError or in pages, never in another error", async () => {
    for (const whole of [zipBytes(FILES), tarBytes(FILES), gzipSync(tarBytes(FILES))]) {
      const step = Math.max(1, Math.floor(whole.length / 60));
      for (let at = 0; at < whole.length; at += step) {
        const bytes = Buffer.from(whole);
        bytes[at] = (bytes[at] ?? 0) ^ 0xff;
        const outcome = await appErrorOf(() => readArchive(bytes)).catch((error: Error) => error.message);
        if (typeof outcome === "string") expect(outcome).toContain("an AppError was expected");
      }
    }
  });

  test("a tar's header that lies about its size is refused", async () => {
    const tar = tarBytes([{ name: "a.md", text: "a" }]);
    for (const size of ["77777777777\0", "-0000000001\0", "nonsense"]) {
      tar.write(size.padEnd(12, "\0"), 124);
      signed(tar.subarray(0, 512));
      expect((await appErrorOf(() => readArchive(tar))).message).toContain("damaged");
    }
  });

  test("a file that is no archive is called what it is", async () => {
    const cases: [Uint8Array, string][] = [
      [Buffer.from("# Markdown"), "neither a zip nor a tar"],
      [Buffer.alloc(0), "neither a zip nor a tar"],
      [Buffer.from("BZh91AY&SY"), "bzip2"],
      [Buffer.from("\x28\xb5\x2f\xfd....", "latin1"), "zstd"],
    ];
    for (const [bytes, words] of cases) {
      const error = await appErrorOf(() => readArchive(bytes));
      expect([error.code, error.message]).toEqual(["unsupported_media_type", expect.stringContaining(words)]);
    }
    expect((await appErrorOf(() => readArchive(gzipSync("just text")))).message).toContain("damaged");
  });

  test("an archive that is not there, and a folder, are not found", async () => {
    using folder = temporaryDirectory();
    for (const file of [join(folder.path, "none.zip"), folder.path]) {
      const error = await appErrorOf(() =>
        Array.fromAsync(createArchiveReader({ file, fileBytesMax: 1 }).list(listContext())),
      );
      expect([error.code, error.message]).toEqual(["not_found", expect.stringContaining(file)]);
    }
  });

  test("empty archives have nothing", async () => {
    for (const bytes of [zipBytes([]), tarBytes([]), gzipSync(tarBytes([]))])
      expect(await readArchive(bytes)).toEqual({ pages: {}, skipped: {}, validators: [] });
  });
});
