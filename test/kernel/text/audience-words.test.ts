import { expect, test } from "bun:test";
import { audienceWords } from "../../../src/kernel/text/groups/groups.ts";
import { NOBODY } from "../../../src/sites/pages/audience.ts";

test("whom groups are is said in words, nobody too", () => {
  expect([[], ["hr", "legal"], [NOBODY], ["hr", NOBODY]].map(audienceWords)).toEqual([
    "everyone",
    "hr, legal",
    "nobody",
    "hr, nobody",
  ]);
});
