import { expect, test } from "bun:test";
import { type HowPagesAreRead, hashOf, isReadAsNow } from "../../../src/sites/ingest/run/page-hash.ts";

const page = { location: "guide/install.rst", format: "rst" } as const;
const other = { location: "guide/use.md", format: "md" } as const;
const now: HowPagesAreRead = { anchors: "github", groups: [] };
const raised: HowPagesAreRead = { ...now, formats: { rst: 1 } };
const content = new TextEncoder().encode("Installing\n==========\n");

test("a raised revision of one format has that format's pages read again, and no others", () => {
  expect(isReadAsNow(hashOf(content, page, now), page, raised)).toBe(false);
  expect(isReadAsNow(hashOf(content, other, now), other, raised)).toBe(true);
  expect(hashOf(content, other, raised)).toBe(hashOf(content, other, now));
});

test("a page that was read with the raised revision is not read again, but is with the next one", () => {
  const hash = hashOf(content, page, raised);
  expect(isReadAsNow(hash, page, raised)).toBe(true);
  expect(isReadAsNow(hash, page, { ...now, formats: { rst: 2 } })).toBe(false);
  expect(isReadAsNow(hash, page, { ...now, formats: { rst: 11 } })).toBe(false);
});

test("the revisions of formats and of answers are told apart", () => {
  const answer = { location: "answers/install.md", format: "md" } as const;
  const hash = hashOf(content, answer, now);
  expect(isReadAsNow(hash, answer, { ...now, formats: { md: 1 } })).toBe(false);
  expect(isReadAsNow(hash, answer, { ...now, formats: { rst: 1 } })).toBe(true);
});
