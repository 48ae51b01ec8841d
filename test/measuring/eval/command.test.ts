import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { createWorkplace, type Workplace } from "../../helpers/program.ts";

const lines = (...values: unknown[]) => `${values.map((value) => JSON.stringify(value)).join("\n")}\n`;
const qrels = (...rows: string[][]) =>
  `query-id\tcorpus-id\tscore\n${rows.map((row) => row.join("\t")).join("\n")}\n`;

const DOCS = {
  "docs/install.md": "# Install\n\n## Linux\n\nRun the tarball script.\n\n## Windows\n\nRun the wizard.\n",
  "docs/backup.md": "# Backups\n\nA snapshot copies the ledger every night.\n",
  "docs/limits.md": "# Limits\n\nA quota bounds the requests of a tenant.\n",
};
const SET = {
  ...DOCS,
  "queries.jsonl": lines(
    { _id: "1", text: "How do I run the wizard?", subset: "how" },
    { _id: "2", text: "What does a snapshot copy?", subset: "what" },
    { _id: "3", text: "Which quota is there for requests?", subset: "what" },
  ),
  "qrels_pages.tsv": qrels(["1", "install.md", "1"], ["2", "backup.md", "1"], ["3", "limits.md", "1"]),
};

let place: Workplace;
beforeAll(async () => {
  place = createWorkplace();
  for (const [file, text] of Object.entries(SET)) {
    mkdirSync(dirname(join(place.folder, "small", file)), { recursive: true });
    await Bun.write(join(place.folder, "small", file), text);
  }
});
afterAll(() => place.dispose());

const run = (...words: string[]) => place.run("eval", ...words, "--eval-data", "cache");

describe("docent eval", () => {
  test("measures a set's folder by every system, and by kind of question", async () => {
    const { code, out, err } = await run("small", "--json");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const report = JSON.parse(out);
    expect({ name: report.name, pages: report.pages }).toEqual({ name: "small", pages: 3 });
    const [byPage] = report.reports;
    expect([byPage.unit, byPage.questions]).toEqual(["page", 3]);
    const names = byPage.systems.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(["baseline", "keyword", "fused builtin"]));
    for (const { name, scores, subsets } of byPage.systems) {
      const perfect = { ndcg10: 1, recall5: 1, recall10: 1, mrr10: 1, hit1: 1 };
      if (name === "baseline" || name === "keyword") expect(scores).toEqual(perfect);
      expect(Object.keys(subsets)).toEqual(["how", "what"]);
    }
    expect(report.misses).toEqual([]);
  });

  test("a second run finds the pages read already, in a folder of its own below the cache", async () => {
    const folder = join(place.folder, "cache", ".docent");
    await run("small");
    const [name = ""] = readdirSync(folder);
    const { out } = await run("small");
    expect(out).toMatch(/by page, 3 questions\n\s+nDCG@10 .*\nbaseline +1\.000/);
    const data = join(folder, name);
    const again = await place.run("ingest", "eval", join("small", "docs"), "--data", data, "--json");
    expect(JSON.parse(again.out)).toMatchObject({ added: 0, unchanged: 3, generation: 1 });
    expect(existsSync(join(place.folder, "docent-data"))).toBe(false);
  });

  test("--subset asks only one kind of question, and names the kinds there are", async () => {
    expect((await run("small", "--subset", "what")).out).toContain("by page, 2 questions");
    const { code, err } = await run("small", "--subset", "why");
    expect([code, err]).toEqual([1, expect.stringContaining("There are: how, what.")]);
  });

  test("--sample asks fewer questions, from the whole list", async () => {
    expect((await run("small", "--sample", "2")).out).toContain("by page, 2 questions");
    const { code, err } = await run("small", "--sample", "none");
    expect([code, err]).toEqual([1, expect.stringContaining("--sample is a number from 1, not none.")]);
  });

  test("--gate tells how many questions pass with their page and without it", async () => {
    const { code, out } = await run("small", "--gate", "--json");
    const { gate } = JSON.parse(out);
    expect([code, gate.questions, gate.steps.length]).toEqual([0, 3, 9]);
    // Nothing else speaks of these words, so the pages' absence shows.
    expect(gate.auc).toBe(1);
    expect((await run("small", "--gate")).out).toContain("passes, its page taken out");
  });

  test("--identifiers asks a folder for its own names, and lists where words alone did better", async () => {
    const docs = join(place.folder, "named");
    mkdirSync(docs, { recursive: true });
    await Bun.write(join(docs, "a.md"), "# Errors\n\nE1234 means that the disk is full.\n");
    await Bun.write(join(docs, "b.md"), "# Flags\n\nWith --dry-run nothing is written to the disk.\n");
    const { code, out } = await run("named", "--identifiers", "--json");
    const { reports, losses } = JSON.parse(out);
    expect([code, losses]).toEqual([0, []]);
    const [keyword, , fused] = reports[0].systems;
    expect([keyword.name, keyword.subsets["error code: bare"].hit1]).toEqual(["keyword", 1]);
    expect([fused.name, fused.subsets["flag: bare"].hit1]).toEqual(["fused builtin", 1]);
    expect((await run("named", "--identifiers")).out).toContain("by how it is asked for: error code");
    const absent = await run("nowhere", "--identifiers");
    expect([absent.code, absent.err]).toEqual([1, expect.stringContaining("There is no folder nowhere")]);
  });

  test("a set that is not there, or not one, is an error that says what a set looks like", async () => {
    const { code, err } = await run("nowhere");
    expect(code).toBe(1);
    expect(err).toContain("There is no set of questions nowhere");
    expect(err).toContain("queries.jsonl");
  });
});

describe("docent eval with an owner's questions", () => {
  beforeAll(async () => {
    await place.run("sites", "add", "acme");
    await place.run("ingest", "acme", join(place.folder, "small", "docs"));
    await Bun.write(
      join(place.folder, "own.jsonl"),
      lines(
        { question: "How do I run the wizard?", expected: ["install#windows"] },
        { question: "Where is the snapshot?", expected: ["backup.md"] },
        { question: "What bounds the requests?", expected: ["pricing.md"] },
        { question: "Is there a quota?", expected: ["limits#no-such-heading"] },
      ),
    );
  });

  test("pages and sections are scored, and what was missed is listed with what was first instead", async () => {
    const { code, out, err } = await place.run("eval", "own.jsonl", "--site", "acme");
    expect(code).toBe(0);
    expect(out).toContain("by page, 4 questions");
    expect(out).toContain("by section, 1 questions");
    expect(out).toContain(
      "missed: What bounds the requests?\n  expected pricing: not found; first was limits\n",
    );
    expect(out).not.toContain("missed: Where");
    expect(err).toContain("expected, and not in acme: pricing\n");
    expect(err).toContain("expected, and not in acme: limits#no-such-heading\n");
  });

  test("a questions file without a site, or that is not there, is an error that says what to do", async () => {
    const alone = await place.run("eval", "own.jsonl");
    expect([alone.code, alone.err]).toEqual([
      1,
      expect.stringContaining("docent eval own.jsonl --site <domain>"),
    ]);
    const absent = await place.run("eval", "absent.jsonl", "--site", "acme");
    expect([absent.code, absent.err]).toEqual([1, expect.stringContaining("There is no file absent.jsonl")]);
    const unknown = await place.run("eval", "own.jsonl", "--site", "other");
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining("There is no site other")]);
  });
});
