import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createWorkplace, type Workplace } from "../helpers/program.ts";

const ANSWER =
  "---\nquestions:\n  - How do I reset my password?\n  - I forgot it\n---\n\nSee [it](/guide/install).\n";

let place: Workplace;
beforeAll(async () => {
  place = createWorkplace();
  write("docs/guide/install.md", "# Install\n\nRun it.\n");
  write("docs/answers/refund.md", "---\nquestion: How do I get a refund?\n---\n\nAsk. [Gone](../gone.md)\n");
  for (const words of [
    ["sites", "add", "acme"],
    ["ingest", "acme", "docs"],
  ])
    expect((await place.run(...words)).code).toBe(0);
});
afterAll(() => place.dispose());

function write(name: string, text: string): void {
  mkdirSync(dirname(join(place.folder, name)), { recursive: true });
  writeFileSync(join(place.folder, name), text);
}

describe("docent answers", () => {
  test("an answer is added, listed, shown, given and removed", async () => {
    write("reset.md", ANSWER);
    expect(await place.run("answers", "add", "acme", "reset.md")).toEqual({
      code: 0,
      out: "reset is given from now on.\n",
      err: "",
    });
    const listed = (await place.run("answers", "list", "acme")).out
      .split("\n")
      .map((line) => line.split(/ {2,}/));
    expect(listed[0]).toEqual(["NAME", "FOR", "FROM", "QUESTIONS", "FIRST", "STATE"]);
    expect(listed[1]).toEqual(["reset", "-", "added by hand", "2", "How do I reset my password?", "ok"]);
    expect(listed[2]?.slice(3)).toEqual(["1", "How do I get a refund?", "leads to no page: gone"]);
    expect((await place.run("answers", "show", "acme", "reset")).out).toBe(
      "reset (added by hand)\nstate: ok\n? How do I reset my password?\n? I forgot it\n\nSee [it](/guide/install).\n",
    );
    const asked = await place.run("ask", "acme", "how can I reset my password");
    expect(asked.out).toContain("[written by people]");
    expect((await place.run("answers", "remove", "acme", "reset")).out).toBe("reset is removed.\n");
    const left = JSON.parse((await place.run("answers", "list", "acme", "--json")).out);
    expect(left).toEqual([
      {
        name: "refund",
        source: join(place.folder, "docs"),
        version: "",
        language: "",
        questions: ["How do I get a refund?"],
        concerns: ["leads to no page: gone"],
        frontMatter: { question: "How do I get a refund?" },
        markdown: "\nAsk. [Gone](../gone.md)\n",
      },
    ]);
  });

  test("what is wrong with an answer is said when it is added, and with a command what to do", async () => {
    write("words.md", "Only words.\n");
    write("lost.md", ANSWER.replace("/guide/install", "/nowhere"));
    const refused = await place.run("answers", "add", "acme", "words.md");
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toContain("a curated answer needs questions");
    const lost = await place.run(
      "answers",
      "add",
      "acme",
      "lost.md",
      "--name",
      "lost-one",
      "--language",
      "de",
    );
    expect(lost).toEqual({
      code: 0,
      out: "lost-one is given from now on.\n",
      err: "Look at it: leads to no page: nowhere\n",
    });
    for (const [words, says] of [
      [["add", "acme", "missing.md"], "There is no file missing.md."],
      [["show", "acme", "missing"], "docent answers list acme"],
      [["remove", "acme", "refund"], "comes from a source"],
      [["list", "nowhere"], "There is no site nowhere in"],
    ] as const) {
      const { code, err } = await place.run("answers", ...words);
      expect({ words, code, says: err.includes(says) }).toEqual({ words, code: 1, says: true });
    }
  });
});
