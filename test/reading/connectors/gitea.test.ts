import { describe, expect, test } from "bun:test";
import { writeHere } from "../../../src/reading/connectors/connectors.ts";
import { gitea } from "../../../src/reading/connectors/gitea/gitea.ts";
import { describeConnector } from "../../contract/connector.ts";
import { startGitea } from "./servers/gitea.ts";
import { answering } from "./servers/replies.ts";

describeConnector("gitea", async () => startGitea());

const REPOSITORY = "/api/v1/repos/acme/widget";
const opened = (replies: Record<string, unknown>, address = "https://git.example.com/acme/widget") =>
  gitea.open(new URL(address), answering(replies), { pagesMax: 100, write: writeHere });

describe("Gitea", () => {
  test("Forgejo is called by its own name", async () => {
    const pages = await opened({
      "/api/v1/version": { version: "11.0.1+gitea-1.22.0" },
      [REPOSITORY]: { full_name: "acme/widget" },
    });
    expect(pages.program).toBe("Forgejo 11.0.1+gitea-1.22.0");
  });

  test("who is not told who may write reads what anybody but the asker answered", async () => {
    const issue = {
      number: 3,
      title: "Why?",
      body: "It stops.",
      user: { login: "asker" },
      labels: null,
      comments: 2,
      created_at: "2024-05-01T23:30:00-02:00",
      updated_at: "2024-05-02T00:00:00Z",
      closed_at: "2024-05-02T00:00:00Z",
    };
    const comment = (id: number, login: string, body: string) => ({
      id,
      user: { login },
      body,
      created_at: "2024-05-02T00:00:00Z",
    });
    const pages = await opened({
      "/api/v1/version": { version: "1.26.0" },
      [REPOSITORY]: { full_name: "acme/widget" },
      [`${REPOSITORY}/assignees`]: 401,
      [`${REPOSITORY}/issues`]: [issue],
      [`${REPOSITORY}/issues/comments`]: [],
      [`${REPOSITORY}/issues/3`]: issue,
      [`${REPOSITORY}/issues/3/comments`]: [comment(8, "asker", "Anyone?"), comment(9, "other", "So.")],
    });
    const [first] = (await pages.list()).pages;
    expect(first?.address).toBe("https://git.example.com/acme/widget/issues/3");
    expect(first === undefined ? undefined : await pages.read(first)).toMatchObject({
      markdown: expect.stringMatching(
        /asked on 2024-05-02, [\s\S]*## Answer, 2024-05-02 \{#issuecomment-9\}\n\nSo\.$/,
      ),
    });
  });

  test("an issue has changed when one of its comments was edited, which its own time does not say", async () => {
    const issue = {
      number: 3,
      title: "Why?",
      user: { login: "asker" },
      comments: 1,
      created_at: "2024-05-01T00:00:00Z",
      updated_at: "2024-05-02T00:00:00Z",
    };
    const revision = async (updated_at: string) => {
      const edited = { id: 8, issue_url: "https://git.example.com/acme/widget/issues/3", updated_at };
      const pages = await opened({
        "/api/v1/version": { version: "1.26.0" },
        [REPOSITORY]: { full_name: "acme/widget" },
        [`${REPOSITORY}/issues`]: [issue],
        [`${REPOSITORY}/issues/comments?limit=50&page=1`]: [edited],
        [`${REPOSITORY}/issues/comments`]: [],
      });
      return (await pages.list()).pages[0]?.revision;
    };
    expect(await revision("2024-05-03T00:00:00Z")).not.toBe(await revision("2024-05-04T00:00:00Z"));
  });

  test.each([
    ["an owner alone", {}, "https://git.example.com/acme"],
    ["no Gitea", {}, "https://git.example.com/acme/widget"],
    [
      "a repository without issues",
      {
        "/api/v1/version": { version: "1.26.0" },
        [REPOSITORY]: { full_name: "acme/widget", has_issues: false },
      },
      "https://git.example.com/acme/widget",
    ],
  ])("%s is refused in words", async (_, replies, address) => {
    expect(opened(replies, address)).rejects.toMatchObject({ code: "not_found" });
  });
});
