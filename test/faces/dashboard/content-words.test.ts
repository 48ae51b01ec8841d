import { describe, expect, test } from "bun:test";
import { pageVerdict } from "../../../src/faces/dashboard/content/find/standing-words.ts";
import {
  countsLine,
  outcomeOf,
  pagesOf,
  recognizedWords,
  scheduleWords,
  stageOf,
} from "../../../src/faces/dashboard/kit/runs/run-words.ts";
import { counted } from "../../../src/faces/dashboard/kit/text/format-number.ts";
import type { ExplainedPage } from "../../../src/faces/dashboard/replies.ts";

const STANDINGS = [
  ...(["listed", "behind", "joined", "outranked", "not_proposed"] as const),
  ...(["hidden", "filtered", "no_passages"] as const),
];

test("what a source was recognized as is said, and that not all of it could be known", () => {
  expect(recognizedWords({ generator: null, counts: {} })).toBeUndefined();
  expect(recognizedWords({ generator: "Hugo", counts: {} })).toStartWith("Recognized as Hugo: ");
  expect(recognizedWords({ generator: "Hugo", counts: { unknowns: 2 } })).toEndWith("leaves questions open.");
});

describe("how a run is told of", () => {
  test("only what there was of it", () => {
    expect(countsLine({ added: 1200, changed: 0, skipped: 2 })).toBe("1,200 added, 2 left out");
    expect(countsLine({})).toBe("Nothing changed");
    expect(countsLine({ added: 1, addressesAsked: 40, addressesAnswering: 38 })).toBe(
      "1 added; 38 of 40 addresses answer",
    );
    expect(countsLine({ unchanged: 4, links: 40, linksLost: 2 })).toBe(
      "4 unchanged; 2 of 40 links between its pages lead nowhere",
    );
    expect(countsLine({ unchanged: 4, publishedPages: 4, publishedFound: 3, publishedUnread: 1 })).toBe(
      "4 unchanged; 3 of 4 pages found on the published site; the published site was not read to its end",
    );
    expect(pagesOf({ added: 1, changed: 2, unchanged: 3, skipped: 9 })).toBe(6);
    expect([counted(1, "page"), counted(0, "page")]).toEqual(["1 page", "0 pages"]);
  });

  test("how it ended, with a doubt where its pages do not fit each other", () => {
    const counts = { links: 40, linksLost: 10 };
    expect(outcomeOf({ outcome: "published", counts: {} })).toEqual({ label: "Updated", tone: "good" });
    for (const outcome of ["published", "unchanged"])
      expect(outcomeOf({ outcome, counts })).toMatchObject({ tone: "warn" });
    const asPublished = { ...counts, publishedPages: 10, publishedFound: 9 };
    expect(outcomeOf({ outcome: "published", counts: asPublished })).toMatchObject({ tone: "good" });
    const elsewhere = { ...counts, publishedPages: 10, publishedFound: 3 };
    expect(outcomeOf({ outcome: "published", counts: elsewhere })).toMatchObject({ tone: "warn" });
    expect(outcomeOf({ outcome: "failed", counts })).toMatchObject({ label: "Failed" });
    const few = { files: 189, filesBecame: 54, filesIgnored: 135 };
    expect(outcomeOf({ outcome: "published", counts: few })).toMatchObject({ tone: "warn" });
    expect(countsLine({ added: 54, ...few })).toStartWith("54 added; 54 of 189 files became pages.");
    expect(outcomeOf({ outcome: null, counts })).toMatchObject({ label: "Not ended" });
  });

  test("what it does now, and how far that is where somebody knows", () => {
    expect(stageOf({}, "website")).toMatchObject({ label: "Looking for a sitemap", share: undefined });
    expect(stageOf({}, undefined).label).toBe("Looking for pages");
    expect(stageOf({ added: 3, skipped: 1 }, "git")).toEqual({
      label: "Reading pages",
      share: undefined,
      text: "3 pages so far",
    });
    expect(stageOf({ added: 3, passages: 8, embedded: 2 }, "git")).toMatchObject({ share: 0.25 });
    expect(stageOf({ added: 3, passages: 8, embedded: 8, indexed: 4 }, "git")).toEqual({
      label: "Indexing words",
      share: 0.5,
      text: "4 of 8 passages",
    });
    // What another embedder made is made anew, of pages that this run did not read.
    expect(stageOf({ added: 3, passages: 8, embedded: 20 }, "git").share).toBe(1);
    expect(stageOf({ unchanged: 3, passages: 0, embedded: 0 }, "git").share).toBeUndefined();
  });

  test("how often it is, of an interval that was set elsewhere too", () => {
    expect([null, 3_600_000, 7_200_000, 172_800_000, 90_000].map(scheduleWords)).toEqual([
      "Only when I ask",
      "Every hour",
      "Every 2 hours",
      "Every 2 days",
      "Every 2 minutes",
    ]);
  });
});

test("for every standing of a page there is something to say, in the reader's own words", () => {
  const page = (standing: ExplainedPage["standing"]): ExplainedPage => ({
    path: "a",
    title: "A",
    version: "",
    language: "",
    source: 1,
    location: "a.md",
    hidden: false,
    passages: 1,
    updatedAt: null,
    standing,
    ranked: [],
  });
  const said = STANDINGS.map((standing) => pageVerdict(page(standing), "a zebra").text);
  expect(said.every((text) => text.endsWith("."))).toBe(true);
  expect(new Set(said).size).toBe(STANDINGS.length - 1);
  expect(said[4]).toContain("a zebra");
});
