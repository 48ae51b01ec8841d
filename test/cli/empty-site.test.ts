import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runInProcess } from "../helpers/run-in-process.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";

const folder = temporaryDirectory();
const environment = { DOCENT_DATA: join(folder.path, "data"), DOCENT_PRELOAD: "off" };
const run = (...words: string[]) => runInProcess(words, { environment });
beforeAll(async () => void (await run("sites", "add", "acme")));
afterAll(() => folder[Symbol.dispose]());

test.each([[["ask", "acme", "what now?"]], [["ask", "acme"]], [["search", "acme", "what"]]])(
  "%p says that there are no pages, and what brings some",
  async (words) => {
    const { code, out, err } = await run(...words);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toBe("docent: There are no pages in acme yet.\n  → docent ingest acme <folder>\n");
  },
);

test("what people wrote is given before there are pages", async () => {
  const file = join(folder.path, "opening.md");
  writeFileSync(file, "---\nquestions:\n  - When is the shop open?\n---\nIt is open from nine to five.\n");
  expect((await run("answers", "add", "acme", file)).code).toBe(0);
  expect((await run("ask", "acme", "When is the shop open?")).out).toContain("from nine to five");
});
