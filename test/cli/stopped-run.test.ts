import { expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pagesReached } from "../../src/cli/commands/run-report/run-report.ts";
import { runInProcess } from "../helpers/run-in-process.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";

test("a run that somebody stops says what becomes of what it read, and the next one takes it up", async () => {
  using folder = temporaryDirectory();
  const environment = { DOCENT_DATA: join(folder.path, "data"), DOCENT_PRELOAD: "off" };
  mkdirSync(join(folder.path, "docs"));
  // So many that they are not read before the first line of progress, on any machine.
  const pages = Array.from({ length: 5000 }, (_, page) => join(folder.path, "docs", `page-${page}.md`));
  const section = (_: unknown, index: number) => `## Section ${index}\n\n${"Some words. ".repeat(20)}\n`;
  for (const page of pages)
    writeFileSync(page, `# Page\n\n${Array.from({ length: 12 }, section).join("\n")}`);
  await runInProcess(["sites", "add", "acme"], { environment });
  const words = ["ingest", "acme", join(folder.path, "docs")];
  const stopped = await runInProcess(words, { environment, columns: 80, until: /of 5000 pages|passages/ });
  expect(stopped.code).toBe(130);
  expect(stopped.err).toEndWith("Stopped. What was read stays staged: run this again to go on.\n");
  for (const page of pages.slice(0, -100)) rmSync(page);
  const { out } = await runInProcess(words, { environment });
  expect(out).toContain("An interrupted run was taken up again.");
});

test.each([
  [{ pages: 97, all: 533 }, "97 of 533 pages"],
  [{ pages: 1, all: 1 }, "1 of 1 page"],
  [{ pages: 1, all: undefined }, "1 page"],
  // More than was listed is no share of it.
  [{ pages: 3, all: 2 }, "3 pages"],
])("progress says how far a run is: %p", (reached, shown) => expect(pagesReached(reached)).toBe(shown));
