import { AppError } from "@docent/kernel/errors";
import { z } from "zod";
import type { Connector, ServerAccess, ServerBounds, ServerPages } from "../connector.ts";
import { orRefusal } from "../refusal.ts";
import { createChoice, menuOfQuestions } from "../tracker/tracker.ts";
import { type GitHub, placeOf, type Repository } from "./api.ts";
import { chooseDiscussions, readDiscussion } from "./discussions.ts";
import { chooseIssues, readIssue } from "./issues.ts";

const HINT =
  "The variable holds a token that may read the repository's metadata, issues and discussions (fine-grained), or one with the scope repo or public_repo (classic). GitHub answers few questions an hour without one.";

/** GitHub and GitHub Enterprise Server 3.6 and later: issues by REST, discussions by GraphQL. */
export const github: Connector = {
  open: (address, server, bounds) => orRefusal(openRepository(address, server, bounds), HINT),
};

const REPOSITORY = z.object({
  full_name: z.string().regex(/^[^/\s]+\/[^/\s]+$/),
  open_issues_count: z.number().default(0),
  has_issues: z.boolean().default(true),
  has_discussions: z.boolean().default(false),
  /** Said to whoever signed in. */
  permissions: z.object({}).optional(),
});

async function openRepository(
  address: URL,
  server: ServerAccess,
  { pagesMax }: ServerBounds,
): Promise<ServerPages> {
  const { owner, name, part, web, api, graphql } = placeOf(address);
  const found = await server.json(`${api}/repos/${owner}/${name}`, REPOSITORY, { headers: REST });
  const hub: GitHub = { server, api, graphql, headers: REST };
  const repository: Repository = { fullName: found.full_name, web: `${web}/${found.full_name}` };
  const { has_issues, has_discussions, open_issues_count } = found;
  const isThere = { issues: has_issues, discussions: has_discussions };
  if (part === undefined ? !has_issues && !has_discussions : !isThere[part])
    throw new AppError("not_found", `${repository.web} has no ${part ?? "issues and no discussions"}.`, {
      hint: "They are turned off there. Name the repository in which questions are answered.",
    });
  return {
    program: "GitHub",
    async list() {
      const choice = createChoice(`${repository.web}/${part ?? "issues"}`);
      if (has_issues && part !== "discussions") {
        choice.leaveOut(open_issues_count, "open issues and pull requests");
        await chooseIssues(hub, repository, choice, pagesMax);
      }
      const leftOut = [];
      if (has_discussions && part !== "issues") {
        // GraphQL answers nobody who is not signed in.
        if (found.permissions !== undefined) await chooseDiscussions(hub, repository, choice, pagesMax);
        else
          leftOut.push({
            address: `${repository.web}/discussions`,
            detail: "are discussions, which GitHub's API tells nobody who is not signed in: name a token",
          });
      }
      const pages = choice.pages();
      return {
        pages,
        leftOut: [...choice.leftOut(), ...leftOut],
        menu: menuOfQuestions(pages),
        redirects: [],
      };
    },
    read: ({ id }) => {
      const [kind = "", number = ""] = id.split(" ");
      return kind === "discussion"
        ? readDiscussion(hub, repository, Number(number))
        : readIssue(hub, repository, Number(number));
    },
  };
}

const REST = { accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28" };
