import { describe, expect, test } from "bun:test";
import { readOutline } from "../../src/reading/markdown/md/md.ts";
import { cutPassages } from "../../src/reading/markdown/passages/passages.ts";
import { toCandidate } from "../../src/storage/rows/candidates.ts";

const PAGE = `# Guide

intro

## Contents

- Install
- Run it
- Remove

## Install

Copy it. Install it.

## Run   it

Start it. See Contents.

### Remove

Delete it.`;

/** The row of a page's one passage; `isOld` as it was stored before it said where its sections begin. */
function rowOf(page: string, { isOld = false } = {}) {
  const [passage] = cutPassages(readOutline(page));
  if (passage === undefined) throw new Error("the page has no passage");
  const inner = passage.innerHeadings.map(({ textOffset, ...rest }) =>
    isOld ? rest : { ...rest, textOffset },
  );
  const { position, anchor, markdown, text, headingPath } = passage;
  return {
    passageId: 1,
    pageId: 1,
    path: "guide",
    location: "guide.md",
    version: "",
    language: "",
    groupsJson: "[]",
    title: "Guide",
    position,
    anchor,
    markdown,
    text,
    headingsJson: JSON.stringify(headingPath),
    innerHeadingsJson: JSON.stringify(inner),
    lacksWords: 0,
  };
}

describe("a passage's row", () => {
  test("that was stored before sections were placed in the text gives them all the same", () => {
    const now = toCandidate(rowOf(PAGE));
    expect(now.innerHeadings.map(({ textOffset }) => now.text.slice(textOffset).split("\n")[0])).toEqual([
      "Contents",
      "Install",
      "Run   it",
      "Remove",
    ]);
    expect(toCandidate(rowOf(PAGE, { isOld: true }))).toEqual(now);
  });

  test("of that time leaves to the section before what is not found in the text", () => {
    const row = rowOf(PAGE, { isOld: true });
    const { innerHeadings } = toCandidate({
      ...row,
      text: row.text.replace("Run   it\nStart", "Run\nStart"),
    });
    expect(innerHeadings.map(({ anchor }) => anchor)).toEqual(["contents", "install", "remove"]);
  });

  test("that holds something else is refused", () => {
    for (const change of [
      { headingsJson: "{}" },
      { headingsJson: "[1]" },
      { innerHeadingsJson: "[1]" },
      { innerHeadingsJson: '[{"offset":0}]' },
    ])
      expect(() => toCandidate({ ...rowOf(PAGE), ...change })).toThrow();
  });
});
