import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { createUploadPieces } from "../../src/storage/sqlite/files/upload-pieces.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";

test("a piece of an upload whose source is not there, or that is no piece, is refused and written nowhere", () => {
  using folder = temporaryDirectory();
  using database = new Database(":memory:");
  database.run("CREATE TABLE sources (id INTEGER PRIMARY KEY, site_id INTEGER)");
  database.run("INSERT INTO sources VALUES (1, 7)");
  const pieces = createUploadPieces(database, folder.path);
  const table = { name: "upload_pieces", columns: ["source_id", "number", "bytes"] };
  const bytes = new Uint8Array([1, 2]);
  for (const row of [
    [2, 0, bytes],
    ["1", 0, bytes],
    [1, 0, "text"],
    [1, 0, null],
  ])
    expect(() => pieces.write(table, [row])).toThrow("a piece of an upload has no source");
  expect(readdirSync(folder.path)).toEqual([]);
  pieces.write(table, [[1, 0, bytes]]);
  expect(readdirSync(folder.path, { recursive: true }).length).toBeGreaterThan(0);
});
