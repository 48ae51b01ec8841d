import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { createWriteTogether } from "../../src/storage/sqlite/sql.ts";

/** A table whose commits are counted. */
function openNotes() {
  const database = new Database(":memory:", { strict: true });
  database.run("CREATE TABLE notes (text TEXT NOT NULL UNIQUE)");
  const insert = database.query<{ text: string }, [string]>(
    "INSERT INTO notes (text) VALUES (?) RETURNING text",
  );
  const all = database.query<{ text: string }, []>("SELECT text FROM notes ORDER BY rowid");
  let commits = 0;
  const counted = new Proxy(database, {
    get(target, name) {
      if (name !== "transaction") return Reflect.get(target, name);
      return <T>(work: (given: T) => void) => ({
        immediate(given: T) {
          target.transaction(work).immediate(given);
          commits++;
        },
      });
    },
  });
  const write = createWriteTogether(counted);
  return {
    note: (text: string) => write(() => insert.get(text)?.text),
    notes: () => all.all().map(({ text }) => text),
    commits: () => commits,
  };
}

test("writes that come at the same time are committed together, in their order, and each gets what it returned", async () => {
  const { note, notes, commits } = openNotes();
  const texts = Array.from({ length: 20 }, (_, index) => `note ${index}`);
  expect(await Promise.all(texts.map(note))).toEqual(texts);
  expect(notes()).toEqual(texts);
  expect(commits()).toBe(1);
  expect(await note("one more")).toBe("one more");
  expect(commits()).toBe(2);
});

test("a write that fails fails alone", async () => {
  const { note, notes } = openNotes();
  const results = await Promise.allSettled(["first", "twice", "twice", "last"].map(note));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  expect(notes()).toEqual(["first", "twice", "last"]);
});

test("what hundreds write at once is committed in parts, so that others run between them", async () => {
  const { note, notes, commits } = openNotes();
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  count();
  await Promise.all(Array.from({ length: 500 }, (_, index) => note(String(index))));
  isDone = true;
  expect(notes()).toHaveLength(500);
  expect(commits()).toBeGreaterThan(10);
  expect(turns).toBeGreaterThan(10);
});
