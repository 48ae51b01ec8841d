import { expect, test } from "bun:test";
import { createConnectedReader } from "../../../src/reading/sources/connected/connected.ts";
import { startFakeSite } from "../../helpers/fake-site.ts";
import { fetchFrom, runReader } from "../../helpers/read-site.ts";

const ISSUE = {
  number: 1,
  title: "Why?",
  body: "It stops.",
  user: { login: "asker" },
  comments: 1,
  created_at: "2024-05-01T00:00:00Z",
  updated_at: "2024-05-02T00:00:00Z",
  closed_at: "2024-05-02T00:00:00Z",
};
const COMMENT = { id: 9, user: { login: "asker" }, body: "I wait.", created_at: "2024-05-02T00:00:00Z" };

test("what turns out to be no page when it is read is noted with why, and read again only when it has changed", async () => {
  const json = (value: unknown) => ({
    headers: { "content-type": "application/json" },
    body: JSON.stringify(value),
  });
  const repository = "/api/v1/repos/acme/widget";
  await using site = startFakeSite({
    "/api/v1/version": json({ version: "1.26.0" }),
    [repository]: json({ full_name: "acme/widget" }),
    [`${repository}/assignees`]: json([]),
    [`${repository}/issues?state=closed&type=issues&limit=50`]: json([ISSUE]),
    [`${repository}/issues/comments`]: json([]),
    [`${repository}/issues/1`]: json(ISSUE),
    [`${repository}/issues/1/comments`]: json([COMMENT]),
  });
  const reader = createConnectedReader({
    kind: "gitea",
    location: `${site.url}/acme/widget`,
    get: fetchFrom(site),
    pageBytesMax: 1_000_000,
    pagesMax: 100,
    concurrency: 2,
    sleep: async () => {},
  });
  const reads = () => site.requests.filter(({ path }) => path.endsWith("/issues/1")).length;
  const first = await runReader(reader);
  expect([first.error, first.paths]).toEqual([undefined, []]);
  expect(first.skipped.map(({ location, reason, detail }) => [location, reason, detail])).toEqual([
    [
      `${site.url}/acme/widget/issues/1`,
      "hidden",
      "has no answer: nobody but its asker has said anything in it",
    ],
  ]);
  const second = await runReader(reader, first.memory);
  expect(second.skipped.map(({ detail }) => detail)).toEqual(first.skipped.map(({ detail }) => detail));
  expect(reads()).toBe(1);
  const changed = { ...ISSUE, comments: 2, updated_at: "2024-05-03T00:00:00Z" };
  site.pages[`${repository}/issues?state=closed&type=issues&limit=50`] = json([changed]);
  site.pages[`${repository}/issues/1/comments`] = json([
    COMMENT,
    { ...COMMENT, id: 10, user: { login: "other" }, body: "Raise the limit." },
  ]);
  const third = await runReader(reader, second.memory);
  expect([third.paths, third.skipped]).toEqual([["acme/widget/issues/1"], []]);
});
