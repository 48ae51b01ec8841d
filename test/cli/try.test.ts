import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runInProcess } from "../helpers/run-in-process.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";

const folder = temporaryDirectory();
const data = join(folder.path, "data");
const environment = { DOCENT_DATA: data, DOCENT_PRELOAD: "off" };
const docs = join(folder.path, "Loom Works/docs");
beforeAll(() => {
  mkdirSync(docs, { recursive: true });
  writeFileSync(join(docs, "shuttle.md"), "# Shuttle\n\nThe shuttle of the loom is oiled every 40 hours.\n");
  writeFileSync(join(docs, "warp.md"), "# Warp\n\n## Thread\n\nThe warp has 600 threads of linen.\n");
});
afterAll(() => folder[Symbol.dispose]());

describe("docent try", () => {
  test("reads a folder, answers a question, says where it can be read, and keeps nothing in the data directory", async () => {
    const { code, out, err } = await runInProcess(["try", docs, "how often is the shuttle oiled?"], {
      environment,
    });
    expect(code).toBe(0);
    expect(out).toContain("oiled every 40 hours");
    expect(out).toContain("[quoted from the docs]");
    expect(err).toMatch(/http:\/\/127\.0\.0\.1:\d+\/sites\/loom-works/);
    expect(existsSync(data)).toBeFalse();
  });

  test("answers each line that is piped in, as one conversation", async () => {
    const { code, out } = await runInProcess(["try", docs], {
      environment,
      input: "how often is the shuttle oiled?\n\nhow many threads has the warp?\n",
    });
    expect(code).toBe(0);
    expect(out).toMatch(/every 40 hours[\s\S]*600 threads/);
    expect(out.match(/quoted from the docs/g)).toHaveLength(2);
  });

  test("with --keep, leaves a site that a second try and a server find", async () => {
    const words = ["try", docs, "how many threads has the warp?", "--keep"];
    const first = await runInProcess(words, { environment });
    expect([first.code, first.err]).toEqual([0, expect.stringContaining(`docent serve --data ${data}`)]);
    const second = await runInProcess(words, { environment });
    expect(second.out).toContain("Nothing has changed: 2 pages");
    const { out } = await runInProcess(["sites", "list", "--json"], { environment });
    expect(JSON.parse(out)).toMatchObject([{ domain: "loom-works", pages: 2 }]);
  });

  test("of a place that is not there says so", async () => {
    const { code, err } = await runInProcess(["try", join(folder.path, "nowhere")], { environment });
    expect([code, err]).toEqual([1, expect.stringContaining("There is no folder")]);
  });
});

describe("docent ask without a question", () => {
  test("is a conversation: a follow-up is understood from what was asked before it", async () => {
    const { out } = await runInProcess(["ask", "loom-works", "--json"], {
      environment,
      input: "how often is the shuttle oiled?\nand the warp?\n",
    });
    const events = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const threads = events.filter(({ type }) => type === "start").map(({ threadId }) => threadId);
    expect(threads).toHaveLength(2);
    expect(new Set(threads).size).toBe(1);
  });

  test("asks nothing where nothing is typed", async () => {
    const { code, out } = await runInProcess(["ask", "loom-works"], { environment, input: "\n  \n" });
    expect([code, out]).toEqual([0, ""]);
  });
});
