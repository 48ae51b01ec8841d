import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { partsOf, question, textOf } from "../helpers/docent.ts";
import { type FakeOllama, startFakeOllama } from "../helpers/fake-ollama.ts";
import { expectWhole } from "../helpers/ingest-site.ts";
import { createWorkplace, type Workplace } from "../helpers/program.ts";

setDefaultTimeout(300_000);

const INGEST_KILLS = 20;
const SERVER_KILLS = 8;
const PAGES = 600;
const STREAMS = 12;

/** Reads the database as the next process finds it: the write-ahead log is taken up first. */
function inspect<T>(place: Workplace, look: (database: Database) => T): T {
  const database = new Database(join(place.folder, "docent-data/docent.db"));
  try {
    expect(database.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    expect(database.query("PRAGMA foreign_key_check").all()).toEqual([]);
    return look(database);
  } finally {
    database.close();
  }
}

describe("kill -9 in the middle of an ingest", () => {
  let place: Workplace;
  beforeAll(async () => {
    place = createWorkplace();
    writePages(place, 1);
    await place.run("sites", "add", "acme");
    await place.run("ingest", "acme", "docs");
  });
  afterAll(() => place.dispose());

  const state = () =>
    inspect(place, (database) => {
      expectWhole({ database });
      return {
        visible: database
          .query<{ words: string }, []>(
            `SELECT DISTINCT substr(pages.markdown, instr(pages.markdown, 'revision'), 11) AS words
           FROM pages JOIN sites ON sites.id = pages.site_id
           JOIN generations AS born ON born.id = pages.born AND born.number <= sites.generation
           LEFT JOIN generations AS died ON died.id = pages.died
           WHERE died.number IS NULL OR died.number > sites.generation`,
          )
          .all()
          .map(({ words }) => words),
        staged: count(
          database,
          "SELECT count(*) AS n FROM pages JOIN generations ON generations.id = pages.born WHERE generations.number IS NULL",
        ),
      };
    });

  test(`${INGEST_KILLS} times: readers see the old pages whole, what was staged stays, and the last run brings the new ones`, async () => {
    writePages(place, 2);
    let staged = 0;
    for (let round = 0; round < INGEST_KILLS; round++) {
      const child = place.spawn("ingest", "acme", "docs");
      await Bun.sleep(40 + ((round * 37) % 200));
      child.kill("SIGKILL");
      await child.exited;
      const now = state();
      if (now.visible[0] === "revision 2:") break;
      expect(now.visible).toEqual(["revision 1:"]);
      expect(now.staged).toBeGreaterThanOrEqual(staged);
      staged = now.staged;
    }
    const last = await place.run("ingest", "acme", "docs");
    expect(last.code, last.err).toBe(0);
    expect(state()).toEqual({ visible: ["revision 2:"], staged: 0 });
    const sites = JSON.parse((await place.run("sites", "list", "--json")).out);
    expect(sites).toMatchObject([{ pages: PAGES }]);
  }, 300_000);
});

describe("kill -9 in the middle of streaming", () => {
  let place: Workplace;
  let ollama: FakeOllama;
  let key: string;
  beforeAll(async () => {
    ollama = startFakeOllama();
    place = createWorkplace({ OLLAMA_HOST: ollama.url, DOCENT_MODEL_SLOTS: "100" });
    writePages(place, 1, 3);
    await place.run("sites", "add", "acme");
    await place.run("ingest", "acme", "docs");
    key = (await place.run("keys", "create")).out.trim();
  });
  afterAll(async () => {
    await place.dispose();
    await ollama.stop();
  });

  test(`${SERVER_KILLS} times: every question whose answer began is there, and every answer that ended is whole`, async () => {
    ollama.script((_, index) => ({
      text: `answer ${index} ${"and more ".repeat(index % 12)} end`,
      tokenMs: 10,
    }));
    const begun = new Set<string>();
    const ended = new Map<string, string>();
    for (let round = 0; round < SERVER_KILLS; round++) {
      const server = await place.serve();
      const streams = Array.from({ length: STREAMS }, (_, index) =>
        read(`${server.url}/v1/assistant/acme/message`, key, `What is in page ${index % 3}?`, begun, ended),
      );
      // The first answer takes as long as the machine needs: it has begun, or in every other round it has ended.
      const waited = round % 2 === 0 ? begun : ended;
      const before = waited.size;
      while (waited.size === before) await Bun.sleep(5);
      await Bun.sleep(round * 10);
      server.child.kill("SIGKILL");
      await Promise.all([server.child.exited, ...streams]);
      inspect(place, (database) => {
        const turns = new Map(
          database
            .query<{ id: string; outcome: string | null; answer: string }, []>(
              "SELECT id, outcome, answer FROM turns",
            )
            .all()
            .map((turn) => [turn.id, turn]),
        );
        for (const id of begun) expect(turns.has(id)).toBe(true);
        // What the model says is nothing that its passages say.
        for (const [id, text] of ended)
          expect(turns.get(id)).toEqual({ id, outcome: "touched", answer: text });
      });
    }
    expect(begun.size).toBeGreaterThan(SERVER_KILLS);
    expect(ended.size).toBeGreaterThan(0);
    const server = await place.serve();
    server.child.kill("SIGTERM");
    await server.child.exited;
    inspect(place, (database) => {
      // What a dead server left open is closed by the next one.
      expect(count(database, "SELECT count(*) AS n FROM turns WHERE outcome IS NULL")).toBe(0);
      expect(count(database, "SELECT count(*) AS n FROM turns WHERE outcome = 'failed'")).toBeGreaterThan(0);
    });
  }, 300_000);
});

/** Reads one answer to its end, or to the server's. */
async function read(
  url: string,
  key: string,
  asked: string,
  begun: Set<string>,
  ended: Map<string, string>,
): Promise<void> {
  let wire = "";
  let id = "";
  try {
    const reply = await fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(question(asked)),
    });
    id = reply.headers.get("x-message-id") ?? "";
    begun.add(id);
    const decoder = new TextDecoder();
    for await (const chunk of reply.body ?? []) wire += decoder.decode(chunk, { stream: true });
  } catch {
    // The server was killed: what it had said until then is what counts.
  }
  const whole = wire.slice(0, wire.lastIndexOf("\n") + 1);
  const said = partsOf(whole);
  if (said.some(({ code }) => code === "2")) ended.set(id, textOf(whole));
}

function writePages(place: Workplace, revision: number, pages = PAGES): void {
  mkdirSync(join(place.folder, "docs"), { recursive: true });
  for (let index = 0; index < pages; index++) {
    const sections = Array.from(
      { length: 8 },
      (_, section) => `## Part ${section}\n\n${"What is in this page. ".repeat(40)}\n`,
    );
    writeFileSync(
      join(place.folder, `docs/page-${index}.md`),
      `# Page ${index}\n\nrevision ${revision}: this is page ${index}.\n\n${sections.join("\n")}`,
    );
  }
}

function count(database: Database, sql: string): number {
  return database.query<{ n: number }, []>(sql).get()?.n ?? -1;
}
