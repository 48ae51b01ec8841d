import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openParts } from "../../../src/running/app.ts";
import { testSurroundings } from "../../helpers/docent.ts";
import { runInProcess } from "../../helpers/run-in-process.ts";
import { databaseSettings } from "../../helpers/shared-database.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

const NAMES = ["spool", "crank", "lever", "gauge"];
const textOf = (name: string) =>
  `The ${name} of the widget turns, and whoever turns the ${name} waits until the lamp is green and the widget is still.`;
const QUESTION = "bobbin unwinding";

/** A folder of docs, a data directory, and commands on them. */
async function opened() {
  const directory = temporaryDirectory();
  const docs = join(directory.path, "docs");
  mkdirSync(join(docs, ".docent"), { recursive: true });
  for (const name of NAMES) writeFileSync(join(docs, `${name}.md`), `# ${name}\n\n${textOf(name)}`);
  const run = async (data: string, ...words: string[]) => {
    const place = join(directory.path, data);
    const settings = Object.entries(await databaseSettings(place)).map(
      ([name, value]) => [`DOCENT_${name.toUpperCase()}`, String(value)] as const,
    );
    const { code, out, err } = await runInProcess([...words, "--data", place], {
      environment: Object.fromEntries(settings),
    });
    if (code !== 0) throw new Error(`${words.join(" ")}: ${err}`);
    return out;
  };
  const found = async (data: string) =>
    JSON.parse(await run(data, "search", "acme", QUESTION, "--json")).map(
      ({ path }: { path: string }) => path,
    );
  return {
    docs,
    run,
    found,
    file: (name: string) => join(directory.path, name),
    async add(data: string) {
      await run(data, "sites", "add", "acme", "--enrichment", "on");
      await run(data, "ingest", "acme", docs);
    },
    lines: (text: string) =>
      text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    [Symbol.dispose]: () => directory[Symbol.dispose](),
  };
}

test("questions that were written elsewhere serve a site without any model, and are carried to another", async () => {
  using it = await opened();
  await it.add("first");
  expect((await it.found("first"))[0]).not.toBe("lever");
  const missing = it.lines(await it.run("first", "enrichment", "export", "acme", "--missing"));
  expect(missing.map(({ page }) => page).sort()).toEqual(NAMES.toSorted());
  expect(missing[0].text).toContain("waits until the lamp is green");
  const written = missing.map(({ title: _, text: __, ...line }) =>
    line.page === "lever"
      ? { ...line, questions: ["Why is the bobbin unwinding?"], words: ["reel"] }
      : { ...line, questions: [`What is the ${line.page} for, and who turns it?`] },
  );
  writeFileSync(it.file("written.jsonl"), written.map((line) => JSON.stringify(line)).join("\n"));
  const imported = JSON.parse(
    await it.run("first", "enrichment", "import", "acme", it.file("written.jsonl"), "--json"),
  );
  expect(imported).toEqual({ lines: 4, unreadable: [], taken: 4, unchanged: 0, refused: 0 });
  expect((await it.found("first"))[0]).toBe("lever");
  expect(await it.run("first", "enrichment", "export", "acme", "--missing")).toBe("");

  const exported = await it.run("first", "enrichment", "export", "acme");
  expect(it.lines(exported).find(({ page }) => page === "lever")).toMatchObject({
    questions: ["Why is the bobbin unwinding?"],
    words: ["reel"],
  });
  // Beside the docs, where a run of the source finds them.
  writeFileSync(join(it.docs, ".docent", "questions.jsonl"), exported);
  await it.add("second");
  expect((await it.found("second"))[0]).toBe("lever");
  const again = JSON.parse(
    await it.run("second", "enrichment", "import", "acme", it.file("written.jsonl"), "--json"),
  );
  expect(again).toMatchObject({ taken: 0, unchanged: 4 });
});

test("a line that was changed takes the place of what it said before, and one for other content is not used", async () => {
  using it = await opened();
  await it.add("first");
  const write = (questions: string[], change: object = {}) =>
    writeFileSync(
      it.file("written.jsonl"),
      JSON.stringify({ page: "lever", headings: ["lever"], questions, ...change }),
    );
  const take = async () =>
    JSON.parse(await it.run("first", "enrichment", "import", "acme", it.file("written.jsonl"), "--json"));
  write(["Why is the bobbin unwinding?"]);
  expect(await take()).toMatchObject({ taken: 1 });
  expect((await it.found("first"))[0]).toBe("lever");
  write(["How does the lever help me?"]);
  expect(await take()).toMatchObject({ taken: 1 });
  expect((await it.found("first"))[0]).not.toBe("lever");
  write(["Why is the bobbin unwinding?"], { hash: "of another text" });
  expect(await take()).toMatchObject({ lines: 1, taken: 0, unchanged: 0 });
});

test("what was written goes with its content to another page, with the run that reads it there", async () => {
  using it = await opened();
  await it.add("first");
  writeFileSync(
    it.file("written.jsonl"),
    JSON.stringify({ page: "lever", headings: ["lever"], questions: ["Why is the bobbin unwinding?"] }),
  );
  await it.run("first", "enrichment", "import", "acme", it.file("written.jsonl"));
  renameSync(join(it.docs, "lever.md"), join(it.docs, "moved.md"));
  await it.run("first", "ingest", "acme", it.docs);
  expect((await it.found("first"))[0]).toBe("moved");
  const parts = await openParts(testSurroundings(it.file("first")));
  const site = await parts.people.sites.get("acme");
  const { enrichmentSegments } = parts.storage.content;
  const segments = await enrichmentSegments.list(site.id);
  expect(segments.reduce((sum, { passages }) => sum + passages, 0)).toBe(2);
  expect(await enrichmentSegments.passageIds(site.id)).toHaveLength(2);
  await parts.close();
});

test("a file beside the docs is no page, and one that cannot be read fails no run", async () => {
  using it = await opened();
  writeFileSync(join(it.docs, ".docent", "questions.jsonl"), "no JSON\n");
  await it.add("first");
  expect(readFileSync(join(it.docs, ".docent", "questions.jsonl"), "utf8")).toBe("no JSON\n");
  expect(await it.run("first", "search", "acme", "widget lamp", "--json")).not.toContain("questions");
});
