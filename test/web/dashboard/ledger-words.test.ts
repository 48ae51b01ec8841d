import { expect, test } from "bun:test";
import { CONNECTOR_NAMES } from "../../../src/connectors/connectors.ts";
import { SKIP_REASONS } from "../../../src/ingest/source-reader.ts";
import { KINDS, reasonInWords } from "../../../src/web/dashboard/runs/run-words.ts";

test("every reason of the ledger is said in words", () => {
  expect(SKIP_REASONS.filter((reason) => reasonInWords(reason) === reason)).toEqual([]);
});

test("a source is called as the server that it is of", () => {
  expect(KINDS).toMatchObject(CONNECTOR_NAMES);
});
