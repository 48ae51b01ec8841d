import { describe, expect, test } from "bun:test";
import { writeHere } from "../../../src/reading/connectors/connectors.ts";
import { gitlab } from "../../../src/reading/connectors/gitlab/gitlab.ts";
import { describeConnector } from "../../contract/connector.ts";
import { startGitLab } from "./servers/gitlab.ts";
import { answering } from "./servers/replies.ts";

describeConnector("gitlab", async () => startGitLab());

const issue = (iid: number, change: Record<string, unknown> = {}) => ({
  iid,
  project_id: 7,
  title: `Issue ${iid}`,
  description: "How?",
  author: { username: "asker" },
  labels: [],
  user_notes_count: 1,
  confidential: false,
  references: { full: `acme/widget#${iid}` },
  created_at: "2024-05-01T00:00:00Z",
  updated_at: "2024-05-02T00:00:00Z",
  closed_at: "2024-05-02T00:00:00Z",
  ...change,
});

const opened = (replies: Record<string, unknown>, address: string) =>
  gitlab.open(new URL(address), answering(replies), { pagesMax: 100, write: writeHere });

describe("GitLab", () => {
  const PROJECT = "/api/v4/projects/acme%2Fwidget";

  test("confidential, moved and duplicate issues are counted, and no page is made of them", async () => {
    const pages = await opened(
      {
        [PROJECT]: { path_with_namespace: "acme/widget" },
        [`${PROJECT}/issues_statistics`]: { statistics: { counts: { opened: 5 } } },
        [`${PROJECT}/issues`]: [
          issue(1),
          issue(2, { confidential: true }),
          issue(3, { moved_to_id: 99 }),
          issue(4, { _links: { closed_as_duplicate_of: "https://…/issues/1" } }),
          issue(5, { issue_type: "test_case" }),
          issue(6, { user_notes_count: 0 }),
        ],
      },
      "https://gitlab.example.com/acme/widget/-/issues/?label_name[]=support",
    );
    const { pages: listed, leftOut } = await pages.list();
    expect(listed.map(({ address }) => address)).toEqual([
      "https://gitlab.example.com/acme/widget/-/issues/1",
    ]);
    expect(leftOut.map(({ detail }) => detail)).toEqual([
      "has open issues: 5 left out",
      "has confidential issues: 1 left out",
      "has issues moved elsewhere: 1 left out",
      "has issues marked as a duplicate, invalid, spam, or not to be done: 1 left out",
      "has requirements, test cases and the like: 1 left out",
      "has issues that nobody has commented on: 1 left out",
    ]);
  });

  test("an issue that has become confidential since it was listed is no page", async () => {
    const pages = await opened(
      {
        [PROJECT]: { path_with_namespace: "acme/widget" },
        [`${PROJECT}/issues`]: [issue(1)],
        "/api/v4/projects/7/issues/1": issue(1, { confidential: true }),
      },
      "https://gitlab.example.com/acme/widget",
    );
    const [first] = (await pages.list()).pages;
    expect(first === undefined ? undefined : await pages.read(first)).toEqual({
      noPage: "is one of those that are left out: confidential issues",
    });
  });

  test("notes for members alone, and GitLab's own, are left out; without members anybody's note answers", async () => {
    const note = (id: number, body: string, change: Record<string, unknown> = {}) => ({
      id,
      body,
      author: { username: "other" },
      created_at: "2024-05-02T00:00:00Z",
      system: false,
      ...change,
    });
    const pages = await opened(
      {
        [PROJECT]: { path_with_namespace: "acme/widget" },
        [`${PROJECT}/issues`]: [issue(1)],
        "/api/v4/projects/7/members/all": 401,
        "/api/v4/projects/7/issues/1": issue(1),
        "/api/v4/projects/7/issues/1/notes": [
          note(1, "A secret.", { internal: true }),
          note(2, "An old secret.", { confidential: true }),
          note(3, "closed", { system: true }),
          note(4, "So."),
        ],
      },
      "https://gitlab.example.com/acme/widget",
    );
    const [first] = (await pages.list()).pages;
    const read = first === undefined ? undefined : await pages.read(first);
    expect(read).toMatchObject({
      markdown: expect.stringMatching(/## Answer, 2024-05-02 \{#note_4\}\n\nSo\.$/),
    });
    expect(JSON.stringify(read)).not.toContain("secret");
  });

  test("an issue of a GitLab that says no references has its project's path from its address", async () => {
    const { references: _, ...old } = issue(4);
    const at = (web_url: string) => ({ ...old, web_url });
    const pages = await opened(
      {
        "/git/api/v4/projects/acme%2Fdeep%2Fwidget": { path_with_namespace: "acme/deep/widget" },
        "/git/api/v4/projects/acme%2Fdeep%2Fwidget/issues": [
          at("https://gitlab.example.com/git/acme/deep/widget/issues/4"),
          { ...at("https://gitlab.example.com/git/acme/deep/widget/-/work_items/5"), iid: 5 },
        ],
      },
      "https://gitlab.example.com/git/acme/deep/widget",
    );
    expect((await pages.list()).pages.map(({ address }) => address)).toEqual([
      "https://gitlab.example.com/git/acme/deep/widget/-/issues/4",
      "https://gitlab.example.com/git/acme/deep/widget/-/issues/5",
    ]);
  });

  test("a group's issues are those of its projects, of a GitLab in a folder of its host too", async () => {
    const group = "/git/api/v4/groups/acme";
    const pages = await opened(
      {
        [group]: { full_path: "acme" },
        [`${group}/issues`]: [issue(1), issue(1, { project_id: 8, references: { full: "acme/gadget#1" } })],
      },
      "https://example.com/git/acme",
    );
    expect((await pages.list()).pages.map(({ id, address }) => [id, address])).toEqual([
      ["7 1", "https://example.com/git/acme/widget/-/issues/1"],
      ["8 1", "https://example.com/git/acme/gadget/-/issues/1"],
    ]);
  });

  test("an address with nothing of GitLab's is refused in words", async () => {
    expect(opened({}, "https://gitlab.example.com/acme")).rejects.toMatchObject({ code: "not_found" });
    expect(opened({}, "https://gitlab.example.com/")).rejects.toMatchObject({ code: "not_found" });
  });
});
