import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { cosine } from "../../../src/kernel/vectors/quantize.ts";
import { createBuiltinEmbedder, readBuiltinAsset } from "../../../src/models/builtin/builtin.ts";
import { readHead } from "../../../src/models/builtin/vector-table.ts";
import { describeEmbedder } from "../../contract/embedder.ts";

const never = new AbortController().signal;
const shared = createBuiltinEmbedder(readBuiltinAsset);

describeEmbedder("builtin", async () => ({
  embedder: createBuiltinEmbedder(readBuiltinAsset),
  [Symbol.asyncDispose]: async () => {},
}));

async function vectorOf(text: string): Promise<Float32Array> {
  const [vector] = await shared.embed([text], "passage", never);
  if (vector === undefined) throw new Error(`no vector for ${text}`);
  return vector;
}

describe("the asset", () => {
  const MEGABYTES_MAX = 10;

  test("it is the one that the README of its script names", async () => {
    const asset = await readBuiltinAsset(0);
    const hash = new Bun.CryptoHasher("sha256").update(asset).digest("hex");
    const readme = await Bun.file(join(import.meta.dir, "../../../scripts/embedder/README.md")).text();
    expect(readme).toContain(hash);
    expect(asset.byteLength).toBeLessThanOrEqual(MEGABYTES_MAX * 1_000_000);
  });

  test("its identity is the hash of its content", async () => {
    const content = (await readBuiltinAsset(0)).subarray(64);
    const hash = new Bun.CryptoHasher("sha256").update(content).digest("hex");
    const { identity, dimensions } = await shared.describe(never);
    expect(identity).toBe(`builtin:docs-256:${hash.slice(0, 12)}`);
    expect(dimensions).toBe(256);
  });

  /** An embedder, and the parts of the asset that it read, by their lengths. */
  function recorded() {
    const lengths: number[] = [];
    const embedder = createBuiltinEmbedder(async (from, end) => {
      const read = await readBuiltinAsset(from, end);
      lengths.push(read.byteLength);
      return read;
    });
    return { lengths, embed: (...texts: string[]) => embedder.embed(texts, "passage", never), embedder };
  }

  test("its vocabulary is read with the first text, a vector with its first word; who made it is in its first bytes", async () => {
    const { lengths, embed, embedder } = recorded();
    await embedder.describe(never);
    expect(lengths).toEqual([64]);
    const { vocabularyBytes } = readHead(await readBuiltinAsset(0));
    await embed("page");
    expect(lengths).toEqual([64, vocabularyBytes, 256]);
    await embed("page another page", "another");
    expect(lengths).toEqual([64, vocabularyBytes, 256, 256]);
  });

  test("texts that wait for the same vectors get the same sums as one that has them", async () => {
    const { embed } = recorded();
    const text = "connection refused by the server";
    const [first, second] = await Promise.all([embed(text), embed(text)]);
    expect(first).toEqual(second);
    expect(await embed(text, "server")).toEqual([await vectorOf(text), await vectorOf("server")]);
  });

  test("a vector that could not be read is read with the next text that needs it", async () => {
    let isGone = true;
    const embedder = createBuiltinEmbedder(async (from, end) => {
      if (isGone && from > 64 && end !== undefined) throw new Error("disk is gone");
      return readBuiltinAsset(from, end);
    });
    expect(embedder.embed(["a page"], "passage", never)).rejects.toThrow("disk is gone");
    isGone = false;
    expect(await embedder.embed(["a page"], "passage", never)).toEqual([await vectorOf("a page")]);
  });

  test("after it could not be read, it is tried again", async () => {
    let reads = 0;
    const embedder = createBuiltinEmbedder(async () => {
      reads++;
      if (reads === 1) throw new Error("disk is gone");
      return readBuiltinAsset(0, 64);
    });
    expect(embedder.describe(never)).rejects.toThrow("disk is gone");
    expect((await embedder.describe(never)).dimensions).toBe(256);
  });
});

describe("nearness follows meaning", () => {
  test.each([
    ["remove a file", "delete a document", "start the server"],
    ["sign in with a password", "user authentication and login", "draw a chart of the data"],
    ["how do I make it faster?", "performance tuning and optimization", "licence and copyright notice"],
    [
      "run several tasks at the same time",
      "concurrency and parallel execution",
      "change the background color",
    ],
    ["the connection was refused", "network error when connecting to a host", "sort an array of numbers"],
    ["upgrade to a new version", "migration guide for releases", "encrypt a message with a public key"],
  ])("%p is nearer to %p than to %p", async (question, near, far) => {
    const asked = await vectorOf(question);
    expect(cosine(asked, await vectorOf(near))).toBeGreaterThan(cosine(asked, await vectorOf(far)) + 0.05);
  });

  test("case, accents and punctuation do not matter, nor how an identifier joins its words", async () => {
    const plain = await vectorOf("parse config file resume");
    for (const other of ["parse_config_file: résumé!", "PARSE-CONFIG-FILE Resume", "parseConfigFile resume"])
      expect(cosine(plain, await vectorOf(other))).toBeCloseTo(1, 5);
  });
});

describe("of a language that it does not know it says nothing", () => {
  test.each([
    ["German", "Wie wird eine Datei gelöscht, die schreibgeschützt ist?"],
    ["Chinese", "如何删除只读文件？请先检查权限。"],
    ["Japanese", "読み取り専用のファイルを削除するにはどうすればよいですか"],
    ["Arabic", "كيف يمكن حذف ملف للقراءة فقط؟"],
    ["Thai", "จะลบไฟล์ที่อ่านได้อย่างเดียวได้อย่างไร"],
    ["Hindi", "केवल पढ़ने योग्य फ़ाइल कैसे हटाएँ?"],
    ["Russian", "Как удалить файл, доступный только для чтения?"],
    ["numbers and signs alone", "--- 0x7f3a9bc41e22d8 !!"],
  ])("%s", async (_, text) => {
    expect(await shared.embed([text], "question", never)).toEqual([undefined]);
  });

  test("English with a few words of another language is still known", async () => {
    const texts = ["Install the package, then set the locale to 日本語 or Français in the settings file."];
    const [vector] = await shared.embed(texts, "passage", never);
    expect(vector).toBeDefined();
  });
});

describe("bounds", () => {
  const PARAGRAPH = "The server reads its settings once when it starts, and keeps them until it ends. ";

  test("a huge text costs no more than its beginning", async () => {
    const beginning = PARAGRAPH.repeat(1_000).slice(0, 16_000);
    const huge = beginning + "unrelated astronomy ".repeat(500_000);
    expect(await vectorOf(huge)).toEqual(await vectorOf(beginning));
  });

  test("others get their turn while many texts are embedded, and an abort between them ends the work", async () => {
    const stop = new AbortController();
    const reason = new Error("the reader left");
    await shared.describe(never);
    let turns = 0;
    const timer = setInterval(() => {
      turns++;
      if (turns === 3) stop.abort(reason);
    }, 0);
    const texts = Array.from({ length: 20_000 }, () => PARAGRAPH.repeat(15));
    const failed = await shared.embed(texts, "passage", stop.signal).catch((error: unknown) => error);
    clearInterval(timer);
    expect(failed).toBe(reason);
    expect(turns).toBe(3);
  });
});
