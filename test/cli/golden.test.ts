import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { GOLDEN_DOCS, writeDocs } from "../helpers/golden-site.ts";
import { createWorkplace, type Workplace } from "../helpers/program.ts";

/** Each test starts the program several times, which takes long on a busy machine. */
const PROGRAMS_MS = 300_000;
const INSTALL = "How do I install Acme on Linux?";

let place: Workplace;
let docs: string;
beforeAll(async () => {
  place = createWorkplace();
  docs = join(place.folder, "docs");
  writeDocs(docs, GOLDEN_DOCS);
  await place.run("sites", "add", "acme", "--url", "https://docs.acme.example");
  await place.run("ingest", "acme", docs);
}, PROGRAMS_MS);
afterAll(() => place.dispose());

test(
  "questions are added by hand and from a file, listed, asked and removed",
  async () => {
    const added = await place.run("golden", "add", "acme", INSTALL, "--page", "/install.md", "--json");
    expect([added.code, added.err]).toEqual([0, ""]);
    const { id } = JSON.parse(added.out);
    const file = join(place.folder, "questions.jsonl");
    const line = (question: string, expected: string) => `${JSON.stringify({ question, expected })}\n`;
    writeFileSync(file, line("How is a backup written?", "backup") + line("Where is the moon?", "moon"));
    const imported = await place.run("golden", "import", "acme", file);
    expect([imported.code, imported.out, imported.err]).toEqual([
      0,
      "1 added, 0 kept already.\n",
      "left out: Where is the moon?: there is no page moon\n",
    ]);
    expect((await place.run("golden", "list", "acme")).out).toMatch(
      new RegExp(`${INSTALL.replace("?", "\\?")} +install +- +hand +${id}`),
    );
    const asked = JSON.parse((await place.run("golden", "run", "acme", "--json")).out);
    expect(asked).toMatchObject([
      { question: INSTALL, standing: { rank: 1, page: "install" } },
      { origin: "file", standing: { rank: 1, page: "backup" } },
    ]);
    expect((await place.run("golden", "run", "acme")).out).toMatch(
      /1 +How do I install Acme on Linux\? +install +install/,
    );
    const [, other] = asked;
    expect((await place.run("golden", "remove", "acme", other.id)).code).toBe(0);
    const gone = await place.run("golden", "remove", "acme", other.id);
    expect([gone.code, gone.err]).toEqual([1, "docent: There is no such golden question.\n"]);
    const audit = await place.run("audit", "--json");
    expect(audit.out).toContain('"golden.removed"');
  },
  PROGRAMS_MS,
);

test(
  "with --require, a run that loses its page says so, exits with 3, and leaves readers with what they see; without, it is published",
  async () => {
    writeDocs(docs, { "install.md": undefined });
    const refused = await place.run("ingest", "acme", docs, "--require");
    expect(refused.code).toBe(3);
    expect(refused.out).toEndWith("Golden questions: 1 asked, 1 worse, 0 better.\n");
    expect(refused.err).toBe(
      `worse: ${INSTALL}: place 1 → no answer, the page install is gone\n` +
        "Not published: The golden question would get worse: readers still see generation 1.\n" +
        "What was read stays staged. To publish it all the same, add --accept-worse.\n",
    );
    const found = async () => JSON.parse((await place.run("search", "acme", INSTALL, "--json")).out);
    expect(JSON.stringify(await found())).toContain('"install"');
    const [source] = JSON.parse((await place.run("sources", "list", "acme", "--json")).out);
    expect(source.lastRun).toMatchObject({
      outcome: "refused",
      generation: null,
      message: "The golden question would get worse: readers still see generation 1.",
    });
    const json = await place.run("sources", "run", "acme", "--require", "--json");
    expect(json.code).toBe(3);
    expect(JSON.parse(json.out)).toMatchObject([
      {
        generation: 1,
        refused: expect.any(String),
        golden: { worse: [{ question: INSTALL, why: "the page install is gone" }] },
      },
    ]);
    const checks = await place.run("golden", "checks", "acme");
    expect(checks.out).toMatch(
      /docs: refused \(before: 1\), 1 asked, 1 worse, 0 better\n {2}How do I install/,
    );
    await place.run("sites", "set", "acme", "--golden-questions", "require");
    expect((await place.run("ingest", "acme", docs)).code).toBe(3);
    await place.run("sites", "set", "acme", "--golden-questions", "show");
    const published = await place.run("ingest", "acme", docs);
    expect([published.code, published.err]).toEqual([
      0,
      `worse: ${INSTALL}: place 1 → no answer, the page install is gone\n`,
    ]);
    expect(published.out).toContain("acme is at generation 2.");
    expect(JSON.stringify(await found())).not.toContain('"install"');
  },
  PROGRAMS_MS,
);

test(
  "what a generation changed for readers is shown, and as JSON",
  async () => {
    const shown = await place.run("generations", "report", "acme");
    expect(shown.out).toBe(
      "Generation 2, beside 1: 0 added, 0 changed, 1 removed, 0 moved.\n" +
        "  removed install\n" +
        "Golden questions: 1 asked, 1 worse, 0 better.\n" +
        `  worse ${INSTALL}: the page install is gone\n` +
        "Readers' questions: 0 asked again, 0 answered now and not before, 0 not any more.\n",
    );
    const json = JSON.parse((await place.run("generations", "report", "acme", "2", "--json")).out);
    expect(json).toMatchObject({ number: 2, before: 1, pages: { removed: [{ path: "install" }] } });
    const none = await place.run("generations", "report", "acme", "7");
    expect([none.code, none.err]).toEqual([
      1,
      "docent: There is no report of generation 7 of acme.\n" +
        "  → Reports are kept of the latest fifty generations that runs have published.\n",
    ]);
  },
  PROGRAMS_MS,
);

test(
  "what cannot be is refused with its reason",
  async () => {
    for (const [words, reason] of [
      [["golden", "add", "acme", "Why?"], "Name a page that answers it with --page."],
      [["golden", "add", "acme", "Why?", "--page", "nowhere"], "this site has no page nowhere"],
      [["golden", "import", "acme"], "Name a file, or what to take the questions from with --from."],
      [["golden", "import", "acme", "--from", "stars"], "--from is evaluation, liked, curated, not stars."],
      [["sites", "set", "acme", "--golden-questions", "maybe"], "is show or require, not maybe"],
      [["generations", "report", "acme", "x"], "x is not the number of a generation."],
    ] as const) {
      const { code, err } = await place.run(...words);
      expect([words, code]).toEqual([words, 1]);
      expect(err).toInclude(reason);
    }
  },
  PROGRAMS_MS,
);
