import { expect, test } from "bun:test";
import { NOBODY } from "../../src/pages/audience.ts";
import { audienceWords } from "../../src/text/groups/groups.ts";

test("whom groups are is said in words, nobody too", () => {
  expect([[], ["hr", "legal"], [NOBODY], ["hr", NOBODY]].map(audienceWords)).toEqual([
    "everyone",
    "hr, legal",
    "nobody",
    "hr, nobody",
  ]);
});
