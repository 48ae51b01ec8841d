import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { preparingWhenUsed } from "../../src/storage/sqlite/files/preparing-when-used.ts";

test("a statement is prepared when it is used, and then once", () => {
  const prepared: string[] = [];
  const watched = new Database(":memory:");
  const prepare = watched.prepare.bind(watched);
  watched.prepare = (sql: string) => {
    prepared.push(sql);
    return prepare(sql);
  };
  const database = preparingWhenUsed(watched);
  const one = database.prepare<{ value: number }, [number]>("SELECT ?1 + 1 AS value");
  const wrong = database.prepare("SELECT 1 FROM nowhere");
  expect(prepared).toEqual([]);
  expect([one.get(1), one.get(2), one.all(3)]).toEqual([{ value: 2 }, { value: 3 }, [{ value: 4 }]]);
  expect(one.paramsCount).toBe(1);
  expect(prepared).toEqual(["SELECT ?1 + 1 AS value"]);
  expect(() => wrong.all()).toThrow("no such table: nowhere");
});
