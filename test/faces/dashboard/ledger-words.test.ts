import { expect, test } from "bun:test";
import { KINDS, reasonInWords } from "../../../src/faces/dashboard/kit/runs/run-words.ts";
import { CONNECTOR_NAMES } from "../../../src/reading/connectors/connectors.ts";
import { SKIP_REASONS } from "../../../src/reading/source-reader.ts";

test("every reason of the ledger is said in words", () => {
  expect(SKIP_REASONS.filter((reason) => reasonInWords(reason) === reason)).toEqual([]);
});

test("a source is called as the server that it is of", () => {
  expect(KINDS).toMatchObject(CONNECTOR_NAMES);
});
