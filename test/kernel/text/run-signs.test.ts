import { expect, test } from "bun:test";
import { signsIn, unlikeWords } from "../../../src/kernel/text/lost-links/run-signs.ts";

const ALL_WELL = { files: 189, became: 189, pages: 189, blank: 4, passages: 900, alike: 9 };

test.each([
  [
    { became: 54, ignored: 135 },
    "54 of 189 files became pages. 135 are ignored by .gitignore: build the site first, or read the folder that was built.",
  ],
  [
    { became: 54, folders: ["docs/api (120)", "docs (15)"] },
    "54 of 189 files became pages. The rest is in docs/api (120), docs (15). Name the folder that holds all of the docs, or read the folder that their generator has built.",
  ],
  [
    { blank: 80 },
    "80 of 189 pages have a title and nothing else: a program fills them. Read the folder that was built.",
  ],
  [
    { alike: 500, beginning: "r[…]" },
    '500 of 900 passages begin alike, with "r[…]": marks of a program that was not run. Read the folder that was built.',
  ],
])("what does not look like a site is said with what to do: %p", (change, words) => {
  expect(unlikeWords({ ...ALL_WELL, ...change })).toEqual([words]);
});

test("a few files that became no pages, a few blank pages and a few marks are no sign", () => {
  expect(unlikeWords(ALL_WELL)).toEqual([]);
  expect(unlikeWords({ ...ALL_WELL, became: 150, blank: 30, alike: 80 })).toEqual([]);
  expect(unlikeWords({ files: 9, became: 1, pages: 4, blank: 4, passages: 10, alike: 10 })).toEqual([]);
  // Of a site of HTML, no file is asked after.
  expect(unlikeWords({ files: 40, became: 0, pages: 300 })).toEqual([]);
});

test("what is kept of a run says the same", () => {
  const counts = { files: 189, filesBecame: 54, filesIgnored: 135, passagesRead: 90, passagesAlike: 60 };
  expect(signsIn(counts)).toHaveLength(2);
  expect(signsIn({})).toEqual([]);
});
