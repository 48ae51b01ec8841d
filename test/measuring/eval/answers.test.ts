import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AnswersReport } from "../../../src/measuring/eval/answers/scores.ts";
import { type FakeOllama, startFakeOllama } from "../../helpers/fake-ollama.ts";
import { createWorkplace, type Workplace } from "../../helpers/program.ts";

const SET = {
  "docs/install.md": "# Install\n\n## Linux\n\nRun the tarball script.\n\n## Windows\n\nRun the wizard.\n",
  "docs/backup.md": "# Backups\n\nA snapshot copies the ledger every night.\n",
  "docs/limits.md": "# Limits\n\nA quota bounds the requests of a tenant.\n",
  "queries.jsonl": [
    { _id: "1", text: "How do I run the wizard?" },
    { _id: "2", text: "What does a snapshot copy?" },
    { _id: "3", text: "Which quota is there for requests?" },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join(""),
  "qrels_pages.tsv": "query-id\tcorpus-id\tscore\n1\tinstall.md\t1\n2\tbackup.md\t1\n3\tlimits.md\t1\n",
};

let place: Workplace;
let ollama: FakeOllama;
beforeAll(async () => {
  ollama = startFakeOllama();
  place = createWorkplace({ OLLAMA_HOST: ollama.url, DOCENT_REWRITE_SECONDS: "0" });
  for (const [file, text] of Object.entries(SET)) {
    mkdirSync(dirname(join(place.folder, "small", file)), { recursive: true });
    await Bun.write(join(place.folder, "small", file), text);
  }
});
afterAll(async () => {
  await place.dispose();
  await ollama.stop();
});

async function measure(...words: string[]): Promise<AnswersReport[]> {
  const ran = await place.run("eval", "small", "--answers", "--eval-data", "cache", "--json", ...words);
  expect({ code: ran.code, err: ran.err }).toEqual({ code: 0, err: "" });
  return JSON.parse(ran.out).answers;
}

describe("docent eval --answers", () => {
  test("quotes cite the page that answers, say what it says, and stop where it is taken out", async () => {
    const reports = await measure();
    const all = { share: 1, of: 3 };
    expect(reports).toMatchObject([
      {
        name: "extractive",
        questions: 3,
        failed: 0,
        answered: all,
        pageFound: all,
        pageCited: all,
        refused: all,
      },
    ]);
    expect(reports[0]?.supported.share).toBe(1);
  });

  test("a model is asked where it is named, and is held to what it writes", async () => {
    // Whatever it is asked: cited right once, wrong once, and a number that there is not once.
    ollama.replyWith(
      { text: "Run the wizard [1]." },
      { text: "Nobody knows what the moon is made of [1]." },
      { text: "A quota bounds the requests [9]." },
    );
    const [quoting, model] = await measure("--model", "tiny");
    expect(quoting?.name).toBe("extractive");
    expect(model).toMatchObject({ name: "tiny", questions: 3, failed: 0, answered: { share: 1, of: 3 } });
    // The number that there is not is gone; in its place stands the passage that has the sentence.
    expect(model?.supported).toEqual({ share: 2 / 3, of: 3 });
    expect(ollama.chats.length).toBe(3);
  });

  test("nothing of it is stored, and no model is asked that is not named", async () => {
    const asked = ollama.chats.length;
    await measure();
    expect(ollama.chats.length).toBe(asked);
    await place.run("sites", "add", "acme");
    await place.run("ingest", "acme", join(place.folder, "small", "docs"));
    await Bun.write(
      join(place.folder, "own.jsonl"),
      `${JSON.stringify({ question: "How do I run the wizard?", expected: ["install#windows"] })}\n`,
    );
    const { out } = await place.run("eval", "own.jsonl", "--site", "acme", "--answers");
    expect(out).toContain("answered and refused");
    expect(out).toMatch(/extractive +1\.000 ±\.000 +1\.000 ±\.000/);
    const { Database } = await import("bun:sqlite");
    const database = new Database(join(place.folder, "docent-data/docent.db"), { readonly: true });
    expect(database.query("SELECT count(*) AS turns FROM turns").get()).toEqual({ turns: 0 });
    database.close();
  });
});
