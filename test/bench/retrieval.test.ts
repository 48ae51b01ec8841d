import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Measure } from "../../scripts/bench/figures.ts";
import { openProgram } from "../../scripts/bench/processes.ts";
import { toPage, toText } from "../../scripts/bench/report.ts";
import { readDocentPages } from "../../scripts/bench/retrieval/docent-index.ts";
import { OPEN } from "../../scripts/bench/retrieval/engines.ts";
import { generatePages, generateQuestions } from "../../scripts/bench/retrieval/generated-pages.ts";
import { longestHeldMs } from "../../scripts/bench/retrieval/latency.ts";
import { pagesOfSet, questionsOfHeadings } from "../../scripts/bench/retrieval/real-sets.ts";
import { passageSchema } from "../../scripts/bench/retrieval/spec.ts";
import { writeCorpus } from "../../scripts/bench/retrieval/write-corpus.ts";
import { PROGRAM } from "../helpers/program.ts";

const place = mkdtempSync(join(tmpdir(), "docent-bench-test-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe("the corpora", () => {
  test("the generated pages and questions are the same each time", () => {
    expect([...generatePages(3)]).toEqual([...generatePages(3)]);
    expect(generateQuestions(5)).toEqual(generateQuestions(5));
  });

  test("a set without questions is asked for its own headings, always the same ones", () => {
    const folder = join(place, "set");
    mkdirSync(join(folder, "docs"), { recursive: true });
    writeFileSync(join(folder, "docs/one.md"), "# Compiler `Warning` C4996\n\nText.\n\n## Short\n");
    writeFileSync(join(folder, "docs/two.md"), "# Using the linker options\n\nText.\n");
    const questions = questionsOfHeadings(folder, 2);
    expect(questions.toSorted()).toEqual(["Compiler Warning C4996?", "Using the linker options?"]);
    expect(questionsOfHeadings(folder, 2)).toEqual(questions);
    expect([...pagesOfSet(folder)].map(({ path }) => path)).toEqual(["one", "two"]);
  });
});

describe("a small corpus", () => {
  test("is read by Docent, and found by every engine that runs in Bun", async () => {
    const corpus = await writeCorpus(join(place, "small"), generatePages(4), Number.POSITIVE_INFINITY);
    const data = join(place, "data");
    const passages = await readPassages(corpus.passages);
    const { path = "", text = "" } = passages.at(-1) ?? {};
    const [binary = "", ...rest] = PROGRAM;
    const program = openProgram(binary, place, { words: rest });
    const indexed = await readDocentPages(
      program,
      { data, pages: corpus.pages },
      { secondsMax: 60, settleMs: 0 },
    );
    expect(indexed.passages).toBe(corpus.passageCount);
    expect(Object.keys(indexed.tables)).toContain("keyword index");
    const held = Object.values(indexed.tables).reduce((sum, bytes) => sum + bytes, 0);
    expect(held).toBeLessThanOrEqual(indexed.bytes);
    for (const [name, open] of Object.entries(OPEN)) {
      const given = async function* () {
        yield* passages;
      };
      const engine = await open({ data, file: join(place, name), passages: given });
      const found = await engine.find(text.split(" ").slice(0, 12).join(" "), 10);
      engine.close();
      expect([name, found[0]]).toEqual([name, path]);
    }
  });
});

describe("how long a search holds the event loop", () => {
  test("is its longest step, not the whole of it", async () => {
    const step = (ms: number) => {
      const until = performance.now() + ms;
      while (performance.now() < until);
    };
    let turns = 0;
    const held = await longestHeldMs(
      {
        async find() {
          step(10);
          await Bun.sleep(0);
          step(40);
          await Bun.sleep(0);
          turns++;
          return [];
        },
      },
      "",
    );
    expect(held).toBeGreaterThanOrEqual(40);
    expect(turns).toBe(3);
  });
});

describe("the report", () => {
  test("shows engines side by side, and compares the first with the aim", () => {
    const measure: Measure = {
      title: "Searching",
      how: "How.",
      figures: [],
      compared: {
        columns: ["docent", "other"],
        rows: [
          { name: "a search", unit: "ms", values: [2, 3], aim: { below: 2.5 } },
          { name: "memory", unit: "MB", values: [2, "–"] },
        ],
      },
    };
    const text = toText(measure);
    expect(text).toContain("under 2.5 ms: met");
    const page = toPage([measure], []);
    expect(page).toContain("|  | docent | other | aim |\n| --- | --- | --- | --- |");
    expect(page).toContain("| memory | 2.00 MB | – |  |");
  });
});

async function readPassages(file: string) {
  const lines = (await Bun.file(file).text()).trimEnd().split("\n");
  return lines.map((line) => passageSchema.parse(JSON.parse(line)));
}
