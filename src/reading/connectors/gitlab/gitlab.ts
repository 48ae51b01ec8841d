import { z } from "zod";
import type { Connector, ServerAccess, ServerBounds, ServerPages } from "../connector.ts";
import { orRefusal } from "../refusal.ts";
import { createChoice, menuOfQuestions, readList } from "../tracker/tracker.ts";
import { findScope, type Scope } from "./api.ts";
import { ISSUE, listedIssue } from "./list.ts";
import { createMembers, readIssue } from "./read.ts";

const HINT =
  "The variable holds a personal, group or project access token with the scope read_api, of somebody who may see the issues.";

/** GitLab 14 and later, by version 4 of its REST API: the issues of a project, or of all projects of a group. */
export const gitlab: Connector = {
  open: (address, server, bounds) => orRefusal(openScope(address, server, bounds), HINT),
};

const VERSION = z.object({ version: z.string() });
const STATISTICS = z.object({ statistics: z.object({ counts: z.object({ opened: z.number() }) }) });
const LISTED_AT_ONCE = 100;

async function openScope(address: URL, server: ServerAccess, bounds: ServerBounds): Promise<ServerPages> {
  const scope = await findScope(address, server);
  const members = createMembers(scope, server);
  return {
    program: await programOf(scope, server),
    async list() {
      const choice = createChoice(`${scope.web}/-/issues`);
      choice.leaveOut(await countOpen(scope, server), "open issues");
      const list = `${scope.api}/issues?state=closed&scope=all&order_by=created_at&sort=desc&per_page=${LISTED_AT_ONCE}`;
      for await (const part of readList(server, list, { item: ISSUE })) {
        for (const issue of part) choice.take(listedIssue(issue, scope));
        if (choice.taken > bounds.pagesMax) break;
      }
      const pages = choice.pages();
      return { pages, leftOut: choice.leftOut(), menu: menuOfQuestions(pages), redirects: [] };
    },
    read: (page) => readIssue(page, { scope, server, members }),
  };
}

/** Names the program with its version, which GitLab tells only those who are signed in. */
async function programOf({ root }: Scope, server: ServerAccess): Promise<string> {
  const found = await server.json(`${root}/api/v4/version`, VERSION).catch(() => undefined);
  return found === undefined ? "GitLab" : `GitLab ${found.version.slice(0, 60)}`;
}

/** For the record alone: a server that does not tell it is read all the same. */
async function countOpen({ api }: Scope, server: ServerAccess): Promise<number> {
  const found = await server.json(`${api}/issues_statistics?scope=all`, STATISTICS).catch(() => undefined);
  return found?.statistics.counts.opened ?? 0;
}
