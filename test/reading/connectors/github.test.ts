import { describe, expect, test } from "bun:test";
import { apiHostsOf, writeHere } from "../../../src/reading/connectors/connectors.ts";
import { github } from "../../../src/reading/connectors/github/github.ts";
import { describeConnector } from "../../contract/connector.ts";
import { fakeClock, TEST_TIME } from "../../helpers/fake-clock.ts";
import { openServer } from "./open-server.ts";
import { startGitHub } from "./servers/github.ts";
import { answering } from "./servers/replies.ts";

describeConnector("github", async () => startGitHub());

const REPOSITORY = {
  full_name: "acme/widget",
  has_issues: true,
  has_discussions: true,
  open_issues_count: 3,
  permissions: { pull: true },
};
const issue = (number: number, change: Record<string, unknown> = {}) => ({
  number,
  title: `Issue ${number}`,
  user: { login: "asker", type: "User" },
  labels: [],
  comments: 1,
  state_reason: "completed",
  active_lock_reason: null,
  created_at: "2024-05-01T00:00:00Z",
  updated_at: "2024-05-02T00:00:00Z",
  closed_at: "2024-05-02T00:00:00Z",
  ...change,
});
const discussion = (number: number, answerChosenAt: string | null) => ({
  number,
  title: `Discussion ${number}`,
  updatedAt: "2024-06-02T00:00:00Z",
  answerChosenAt,
  activeLockReason: null,
  author: { login: "asker" },
  labels: { nodes: [{ name: "usage" }] },
});
const ANSWERED = {
  title: "Discussion 4",
  body: "How?",
  createdAt: "2024-06-01T00:00:00Z",
  updatedAt: "2024-06-02T00:00:00Z",
  answerChosenAt: "2024-06-02T00:00:00Z",
  author: { login: "asker" },
  labels: { nodes: [] },
  answer: {
    databaseId: 77,
    body: "So, as in #3.",
    createdAt: "2024-06-01T12:00:00Z",
    authorAssociation: "NONE",
    author: { login: "other" },
  },
};

/** Discussions as GraphQL gives them, two in a part. */
const graphql = ({ json }: { json?: unknown }) => {
  const text = JSON.stringify(json);
  if (text.includes('"number":4')) return { data: { repository: { discussion: ANSWERED } } };
  const isFirst = text.includes('"after":null');
  return {
    data: {
      repository: {
        discussions: {
          pageInfo: { hasNextPage: isFirst, endCursor: isFirst ? "Y3Vyc29yOnYy" : null },
          nodes: isFirst
            ? [discussion(6, null), discussion(5, null)]
            : [discussion(4, "2024-06-02T00:00:00Z")],
        },
      },
    },
  };
};

const opened = (replies: Record<string, unknown>, address = "https://ghe.example.com/acme/widget") =>
  github.open(
    new URL(address),
    answering({ "/api/v3/repos/acme/widget": REPOSITORY, "/api/graphql": graphql, ...replies }),
    { pagesMax: 100, write: writeHere },
  );

describe("GitHub", () => {
  test("pull requests, spam, duplicates and the like are counted, and read by nobody", async () => {
    const pages = await opened(
      {
        "/api/v3/repos/acme/widget/issues": [
          issue(1),
          issue(2, { pull_request: { url: "…" } }),
          issue(3, { active_lock_reason: "spam" }),
          issue(4, { state_reason: "duplicate" }),
          issue(5, { user: { login: "dependabot", type: "Bot" } }),
          issue(6, { user: null }),
        ],
      },
      "https://ghe.example.com/acme/widget/issues",
    );
    const { pages: listed, leftOut } = await pages.list();
    expect(listed.map(({ address }) => address)).toEqual([
      "https://ghe.example.com/acme/widget/issues/1",
      "https://ghe.example.com/acme/widget/issues/6",
    ]);
    expect(leftOut.map(({ detail }) => detail)).toEqual([
      "has open issues and pull requests: 3 left out",
      "has pull requests: 1 left out",
      "has what was locked as spam or off-topic: 1 left out",
      "has issues marked as a duplicate, invalid, spam, or not to be done: 1 left out",
      "has issues opened by a bot: 1 left out",
    ]);
  });

  test("of discussions, those with an accepted answer are read, with that answer and its place", async () => {
    const pages = await opened({}, "https://ghe.example.com/acme/widget/discussions/categories/q-a");
    const { pages: listed, leftOut } = await pages.list();
    expect(listed.map(({ address }) => address)).toEqual([
      "https://ghe.example.com/acme/widget/discussions/4",
    ]);
    expect(leftOut.map(({ detail }) => detail)).toEqual([
      "has discussions without an accepted answer: 2 left out",
    ]);
    const [first] = listed;
    expect(first === undefined ? undefined : await pages.read(first)).toMatchObject({
      data: { kind: "question", answered: "2024-06-02" },
      markdown: expect.stringContaining(
        "## Accepted answer, 2024-06-01 {#discussioncomment-77}\n\nSo, as in [#3](https://ghe.example.com/acme/widget/issues/3).",
      ),
    });
  });

  test("a discussion that is gone since it was listed is said to be", async () => {
    const gone = {
      data: { repository: { discussion: null } },
      errors: [
        {
          type: "NOT_FOUND",
          path: ["repository", "discussion"],
          locations: [{ line: 4, column: 7 }],
          message: "Could not resolve to a Discussion with the number of 4.",
        },
      ],
    };
    const pages = await opened({
      "/api/graphql": (request: { json?: unknown }) =>
        JSON.stringify(request.json).includes('"number":4') ? gone : graphql(request),
      "/api/v3/repos/acme/widget/issues": [],
    });
    const [page] = (await pages.list()).pages;
    if (page === undefined) throw new Error("nothing is listed");
    await expect(pages.read(page)).rejects.toMatchObject({
      code: "not_found",
      message: "There is no discussion 4 in https://ghe.example.com/acme/widget any more.",
    });
  });

  test("who is not signed in is told that discussions need it, and reads the issues", async () => {
    const { permissions: _, ...anonymous } = REPOSITORY;
    const pages = await opened({
      "/api/v3/repos/acme/widget": anonymous,
      "/api/v3/repos/acme/widget/issues": [issue(1)],
    });
    const { pages: listed, leftOut } = await pages.list();
    expect(listed).toHaveLength(1);
    expect(leftOut.at(-1)?.detail).toContain("name a token");
  });

  test.each([
    ["FORBIDDEN", "forbidden"],
    ["RATE_LIMITED", "unavailable"],
  ])("what GraphQL refuses with status 200, %s, ends the run", async (type, code) => {
    const refused = () => ({ data: null, errors: [{ type, message: "No." }] });
    const pages = await opened(
      { "/api/graphql": refused },
      "https://ghe.example.com/acme/widget/discussions",
    );
    expect(pages.list()).rejects.toMatchObject({ code });
  });

  test("a repository without what is named is refused in words", async () => {
    const replies = { "/api/v3/repos/acme/widget": { ...REPOSITORY, has_discussions: false } };
    const address = "https://ghe.example.com/acme/widget/discussions";
    expect(opened(replies, address)).rejects.toMatchObject({ code: "not_found" });
  });

  test("an address that names no repository is refused in words", async () => {
    expect(opened({}, "https://ghe.example.com/acme")).rejects.toMatchObject({ code: "invalid_request" });
  });

  test("its own servers have their API at another host, and no other server has", async () => {
    expect(apiHostsOf("github", "https://github.com/a/b")).toEqual(["api.github.com"]);
    expect(apiHostsOf("github", "https://acme.ghe.com/a/b")).toEqual(["api.acme.ghe.com"]);
    expect(apiHostsOf("github", "https://ghe.example.com/a/b")).toEqual([]);
    expect(apiHostsOf("gitea", "https://github.com/a/b")).toEqual([]);
    const server = answering({ "/repos/a/b": { ...REPOSITORY, full_name: "a/b" } });
    const pages = await github.open(new URL("https://github.com/a/b.git"), server, {
      pagesMax: 10,
      write: writeHere,
    });
    expect([pages.program, server.asked]).toEqual(["GitHub", ["/repos/a/b"]]);
  });
});

describe("GitHub, asked too much", () => {
  const SECONDARY = JSON.stringify({
    message: "This is over a secondary rate limit. Come back later.",
  });

  test.each([
    ["how long to wait", { headers: { "retry-after": "30" } }, 30_000],
    ["only in words", { body: SECONDARY }, 60_000],
    ["until when", { headers: limit(0, TEST_TIME / 1000 + 20) }, 20_000],
  ])("says so with 403, %s: it is asked again then", async (_, reply, ms) => {
    await using server = startGitHub();
    server.put({ title: "Why?", words: "It stops." });
    const waits: number[] = [];
    const { clock } = fakeClock();
    server.failNext(1, { status: 403, ...reply });
    const pages = await openServer("github", server, { onWait: (wait) => waits.push(wait), clock });
    expect((await pages.list()).pages).toHaveLength(1);
    expect(waits).toEqual([ms]);
  });

  test("for longer than a run waits: that is said, and nothing is asked before", async () => {
    await using server = startGitHub();
    server.put({ title: "Why?", words: "It stops." });
    const time = fakeClock();
    const waits: number[] = [];
    const pages = await openServer("github", server, { onWait: (ms) => waits.push(ms), clock: time.clock });
    const [page] = (await pages.list()).pages;
    if (page === undefined) throw new Error("nothing is listed");
    server.failNext(1, { status: 403, headers: limit(0, TEST_TIME / 1000 + 1800) });
    const asked = server.requests.length;
    const over = {
      code: "unavailable",
      message: expect.stringContaining("takes no more requests until 2026-01-02 03:34 UTC"),
    };
    expect(pages.read(page)).rejects.toMatchObject(over);
    await expect(pages.read(page)).rejects.toMatchObject(over);
    expect([server.requests.length - asked, waits]).toEqual([1, []]);
    time.advance(1_800_000);
    expect(await pages.read(page)).toMatchObject({ data: { title: "Why?" } });
  });

  test("with 403 each time: that is said, and nothing of the token", async () => {
    await using server = startGitHub();
    const { clock } = fakeClock();
    server.failNext(1000, { status: 403, body: SECONDARY });
    await expect(openServer("github", server, { clock })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("its server is asked too much, as it says (403)"),
      hint: expect.not.stringContaining("variable"),
    });
    expect(server.requests).toHaveLength(4);
  });

  test("is none of these where it refuses what is asked", async () => {
    await using server = startGitHub();
    const { clock } = fakeClock();
    server.failNext(1000, { status: 403, headers: limit(4980, TEST_TIME / 1000 + 1800) });
    const refused = openServer("github", server, { clock });
    await expect(refused).rejects.toMatchObject({
      code: "forbidden",
      hint: expect.stringContaining("The variable holds a token"),
    });
    expect(server.requests).toHaveLength(1);
  });
});

/** What GitHub says in every reply of how many requests are left, and when there are more. */
function limit(remaining: number, reset: number): Record<string, string> {
  return {
    "x-ratelimit-limit": "5000",
    "x-ratelimit-remaining": String(remaining),
    "x-ratelimit-reset": String(reset),
    "x-ratelimit-resource": "core",
  };
}
