import { expect, test } from "bun:test";
import { SKIP_REASONS } from "../../../src/ingest/source-reader.ts";
import { reasonInWords } from "../../../src/web/dashboard/runs/run-words.ts";

test("every reason of the ledger is said in words", () => {
  expect(SKIP_REASONS.filter((reason) => reasonInWords(reason) === reason)).toEqual([]);
});
