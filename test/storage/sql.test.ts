import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { openDatabase } from "../../src/storage/postgres/database/database.ts";
import { createPostgresSql } from "../../src/storage/postgres/sql.ts";
import type { Dialect } from "../../src/storage/sql/dialect.ts";
import { all, get, run, runEach, type Sql } from "../../src/storage/sql/sql.ts";
import { columns, insertInto, listJson, select, statement } from "../../src/storage/sql/statement.ts";
import { createSqliteSql } from "../../src/storage/sqlite/sql.ts";
import { hasPostgres, newDatabase } from "../helpers/postgres.ts";

const things = sqliteTable("things", {
  id: integer().primaryKey(),
  name: text().notNull(),
  isGood: integer("is_good", { mode: "boolean" }).notNull(),
  madeAt: integer("made_at").notNull(),
  tagsJson: text("tags_json").notNull(),
  note: text(),
});

interface Opened {
  sql: Sql;
  close(): unknown;
}

async function openSqlite(): Promise<Opened> {
  const database = new Database(":memory:", { strict: true });
  return { sql: createSqliteSql(database), close: () => database.close() };
}

async function openPostgres(): Promise<Opened> {
  const database = openDatabase({ url: await newDatabase(), connectionsMax: 2, connectSecondsMax: 5 });
  return { sql: createPostgresSql(database), close: () => database.close() };
}

const perEngine = (sqlite: string, postgres: string) => (dialect: Dialect) =>
  dialect.engine === "sqlite" ? sqlite : postgres;
const MAKE = statement(
  perEngine(
    `CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, is_good INTEGER NOT NULL,
       made_at INTEGER NOT NULL, tags_json TEXT NOT NULL, note TEXT, bytes BLOB) STRICT`,
    `CREATE TABLE things (id int PRIMARY KEY, name text NOT NULL UNIQUE, is_good boolean NOT NULL,
       made_at bigint NOT NULL, tags_json text NOT NULL, note text, bytes bytea)`,
  ),
);
const ADD = statement(insertInto(things));
const LIST = select(things, ["id", "isGood", "madeAt", "note"], "FROM things ORDER BY id");
const NAMES = statement<{ name: string }>("SELECT name FROM things ORDER BY id");
const CLEAR = statement("DELETE FROM things");

const thing = (id: number, name = `thing ${id}`) => ({
  id,
  name,
  isGood: id % 2 === 1,
  madeAt: 1_800_000_000_000 + id,
  tagsJson: JSON.stringify(["red", `no. ${id}`]),
  note: id === 1 ? undefined : "noted",
});

function describeSql(engine: string, open: () => Promise<Opened>) {
  describe(`the face of ${engine}`, () => {
    let opened: Opened;
    let sql: Sql;
    beforeAll(async () => {
      opened = await open();
      sql = opened.sql;
      await sql.run(MAKE);
    });
    afterAll(() => opened.close());

    async function fill(count: number): Promise<void> {
      await sql.run(CLEAR);
      for (let id = 1; id <= count; id++) await sql.run(ADD, thing(id));
    }

    test("rows have the fields of their columns: large numbers, true or false, and what is not known", async () => {
      await fill(2);
      expect(await sql.all(LIST)).toEqual([
        { id: 1, isGood: true, madeAt: 1_800_000_000_001, note: null },
        { id: 2, isGood: false, madeAt: 1_800_000_000_002, note: "noted" },
      ]);
    });

    test("what is counted is a number, and what is compared is 1 or 0", async () => {
      await fill(3);
      const counted = statement<{ hits: number; latestAt: number; isMany: number }>(
        `SELECT count(*) AS hits, max(made_at) AS "latestAt", count(*) > 2 AS "isMany" FROM things`,
      );
      expect(await sql.get(counted)).toEqual({ hits: 3, latestAt: 1_800_000_000_003, isMany: 1 });
    });

    test("bytes are the bytes that were stored", async () => {
      await fill(1);
      const bytes = new Uint8Array([0, 1, 254, 255]);
      expect(await sql.run(statement("UPDATE things SET bytes = $bytes"), { bytes })).toBe(1);
      const row = await sql.get(statement<{ bytes: Uint8Array }>("SELECT bytes FROM things"));
      expect(new Uint8Array(row?.bytes ?? [])).toEqual(bytes);
    });

    test("how many rows were written is told, and a row that is not there is undefined", async () => {
      await fill(3);
      expect(await sql.run(statement("DELETE FROM things WHERE id > $id"), { id: 1 })).toBe(2);
      expect(await sql.get(statement("SELECT id FROM things WHERE id = $id"), { id: 2 })).toBeUndefined();
    });

    test("a statement that is not given what it names fails", async () => {
      await expect(sql.all(statement("SELECT $there AS a, $missing AS b"), { there: 1 })).rejects.toThrow(
        "missing",
      );
    });

    test("a list, JSON strings and JSON records are read as rows", async () => {
      await fill(3);
      const chosen = statement<{ name: string }>(
        (d) => `SELECT name FROM things WHERE (${d.hasNo("ids", "int")} OR ${d.isOneOf("id", "ids", "int")})
          AND EXISTS (SELECT 1 FROM ${d.stringsIn("tags_json")} WHERE value = $tag) ORDER BY id`,
      );
      const names = async (ids: number[] | undefined, tag: string) =>
        (await sql.all(chosen, { ids, tag })).map(({ name }) => name);
      expect(await names([1, 3], "red")).toEqual(["thing 1", "thing 3"]);
      expect(await names(undefined, "no. 2")).toEqual(["thing 2"]);
      expect(await names([], "red")).toEqual([]);

      const touch = statement(
        (d) => `UPDATE things SET made_at = ${d.greater("made_at", "used.at")}
          FROM ${d.recordsIn("usesJson", { id: "int", at: "bigint" }, "used")} WHERE things.id = used.id`,
      );
      const uses = [
        { id: 1, at: 5 },
        { id: 2, at: 1_900_000_000_000 },
      ];
      expect(await sql.run(touch, { usesJson: JSON.stringify(uses) })).toBe(2);
      expect((await sql.all(LIST)).map(({ madeAt }) => madeAt)).toEqual([
        1_800_000_000_001, 1_900_000_000_000, 1_800_000_000_003,
      ]);
    });

    test("text with half of a character is found again by itself, in a list and in records", async () => {
      await sql.run(CLEAR);
      const name = "half \ud800";
      await sql.run(ADD, thing(1, name));
      const listed = statement<{ id: number }>(
        (d) => `SELECT id FROM things WHERE ${d.isOneOf("name", "names", "text")}`,
      );
      expect(await sql.all(listed, { names: [name] })).toEqual([{ id: 1 }]);
      const recorded = statement<{ id: number }>(
        (d) =>
          `SELECT things.id FROM ${d.recordsIn("askedJson", { name: "text" }, "asked")} JOIN things ON things.name = asked.name`,
      );
      expect(await sql.all(recorded, { askedJson: listJson([{ name }]) })).toEqual([{ id: 1 }]);
    });

    test("what rows of a group are is JSON, in its order and without NULL", async () => {
      await fill(3);
      const listed = statement<{ ids: string; notes: string; none: string }>(
        (d) => `SELECT ${d.jsonOf("id", "id DESC")} AS ids, ${d.jsonOf("note")} AS notes,
          (SELECT ${d.jsonOf("id")} FROM things WHERE id > 9) AS none FROM things`,
      );
      const row = await sql.get(listed);
      expect([row?.ids, row?.notes, row?.none].map((json) => JSON.parse(json ?? ""))).toEqual([
        [3, 2, 1],
        ["noted", "noted"],
        [],
      ]);
    });

    test("columns are told apart where tables are joined", async () => {
      await fill(1);
      const joined = statement<{ id: number; madeAt: number }>(
        `SELECT ${columns(things, ["id", "madeAt"])} FROM things JOIN things AS same ON same.id = things.id`,
      );
      expect(await sql.all(joined)).toEqual([{ id: 1, madeAt: 1_800_000_000_001 }]);
    });

    test("a write that fails leaves nothing, wherever it fails", async () => {
      await fill(1);
      const failing = sql.inOneWrite(function* () {
        yield* run(ADD, thing(2));
        yield* run(ADD, thing(3, "thing 1"));
      });
      const failure = await failing.catch((error: unknown) => error);
      expect(sql.isTaken(failure)).toBe(true);
      const refused = sql.inOneWrite(function* () {
        yield* run(ADD, thing(2));
        throw new Error("refused");
      });
      await expect(refused).rejects.toThrow("refused");
      expect(await sql.all(NAMES)).toEqual([{ name: "thing 1" }]);
    });

    test("a write sees what it wrote, and returns what it likes", async () => {
      await sql.run(CLEAR);
      const told = await sql.inOneWrite(function* () {
        const added = yield* run(ADD, thing(1));
        yield* runEach(ADD, [thing(2), thing(3)]);
        const first = yield* get(NAMES);
        const listed = yield* all(LIST);
        return { added, first: first?.name, ids: listed.map(({ id }) => id) };
      });
      expect(told).toEqual({ added: 1, first: "thing 1", ids: [1, 2, 3] });
    });

    test("rows are written by one statement, all or none of them", async () => {
      await fill(1);
      const put = statement(
        (d) => `INSERT INTO things (id, name, is_good, made_at, tags_json)
          SELECT written.id, written.name, TRUE, CAST($at AS bigint), '[]'
          FROM ${d.rows({ id: "int", name: "text" })} WHERE TRUE`,
      );
      const named = (...names: string[]) => names.map((name, index) => ({ id: index + 2, name }));
      await sql.runRows(put, { at: 7 }, named("thing 2", "thing 3"));
      await sql.runRows(put, { at: 7 }, []);
      expect((await sql.all(LIST)).map(({ id, madeAt }) => [id, madeAt % 1000])).toEqual([
        [1, 1],
        [2, 7],
        [3, 7],
      ]);
      await fill(1);
      await expect(sql.runRows(put, { at: 7 }, named("thing 2", "thing 1"))).rejects.toThrow();
      expect(await sql.all(NAMES)).toEqual([{ name: "thing 1" }]);
    });

    test("what is caught in a body is caught", async () => {
      await fill(1);
      const told = await sql.inTurn(function* () {
        try {
          return yield* run(ADD, thing(2, "thing 1"));
        } catch (error) {
          return sql.isTaken(error) ? "taken" : "another";
        }
      });
      expect(told).toBe("taken");
    });

    test("a statement that an engine has no need of does nothing", async () => {
      const lock = statement(({ onPostgres }) => onPostgres("LOCK TABLE things IN SHARE ROW EXCLUSIVE MODE"));
      expect(await sql.inOneWrite(() => run(lock))).toBe(0);
    });
  });
}

describeSql("SQLite", openSqlite);
if (hasPostgres) describeSql("PostgreSQL", openPostgres);

test("on SQLite nothing comes between the statements of a body", async () => {
  const { sql, close } = await openSqlite();
  await sql.run(MAKE);
  const done: string[] = [];
  const body = (name: string) =>
    sql.inTurn(function* () {
      done.push(`${name} begins`);
      yield* all(NAMES);
      yield* run(ADD, thing(1, name));
      done.push(`${name} ends`);
      yield* run(CLEAR);
    });
  await Promise.all([body("one"), body("other")]);
  expect(done).toEqual(["one begins", "one ends", "other begins", "other ends"]);
  close();
});

test("SQLite prepares a statement where it is used for the first time, and once", async () => {
  const prepared: string[] = [];
  const database = new Database(":memory:", { strict: true });
  const prepare = database.prepare.bind(database);
  database.prepare = (text: string) => {
    prepared.push(text);
    return prepare(text);
  };
  const sql = createSqliteSql(database);
  const one = statement<{ value: number }>("SELECT $given + 1 AS value");
  statement("SELECT 1 FROM nowhere");
  expect(prepared).toEqual([]);
  expect([await sql.get(one, { given: 1 }), await sql.get(one, { given: 2 })]).toEqual([
    { value: 2 },
    { value: 3 },
  ]);
  expect(prepared).toEqual(["SELECT $given + 1 AS value"]);
});
