import { z } from "zod";
import type { ListedQuestion } from "../tracker/tracker.ts";
import type { Scope } from "./api.ts";

export const ISSUE = z.object({
  iid: z.number().int().positive(),
  project_id: z.number().int().positive(),
  title: z.string(),
  description: z.string().nullish(),
  author: z.object({ username: z.string() }).nullish(),
  labels: z.array(z.string()).default([]),
  user_notes_count: z.number().optional(),
  confidential: z.boolean().default(false),
  /** Shown to administrators alone: its author was banned. */
  hidden: z.boolean().nullish(),
  moved_to_id: z.number().nullish(),
  issue_type: z.string().default("issue"),
  /** Which GitLab has said since 12.6. */
  references: z.object({ full: z.string() }).nullish(),
  web_url: z.string().default(""),
  created_at: z.string(),
  updated_at: z.string(),
  closed_at: z.string().nullish(),
  _links: z.object({ closed_as_duplicate_of: z.string().nullish() }).nullish(),
});
type Issue = z.infer<typeof ISSUE>;

export function listedIssue(issue: Issue, scope: Scope): ListedQuestion {
  const { iid, project_id, title, author, labels, user_notes_count, updated_at } = issue;
  return {
    page: {
      id: `${project_id} ${iid}`,
      address: issueAt(scope, projectOf(issue, scope), iid),
      title,
      changedAt: updated_at,
      revision: `${user_notes_count ?? ""}`,
    },
    author: author?.username ?? "",
    labels,
    comments: user_notes_count,
    against: againstIssue(issue),
  };
}

const SCOPE_OF_TYPES = ["issue", "incident", "ticket", "task"];

/** A confidential issue is for a few, and there is no saying here who they are. */
export function againstIssue(issue: Issue): string | undefined {
  if (issue.confidential) return "confidential issues";
  if (issue.hidden === true) return "hidden issues";
  if (issue.moved_to_id != null) return "issues moved elsewhere";
  if (issue._links?.closed_as_duplicate_of != null)
    return "issues marked as a duplicate, invalid, spam, or not to be done";
  return SCOPE_OF_TYPES.includes(issue.issue_type) ? undefined : "requirements, test cases and the like";
}

/** The project's path: `group/project` of `group/project#12`, or else of its address below GitLab's own. */
export function projectOf({ references, web_url }: Issue, { root }: Scope): string {
  if (references != null) return references.full.replace(/#\d+$/, "");
  const folder = new URL(root).pathname.replace(/\/?$/, "/");
  const path = URL.parse(web_url)?.pathname.replace(/(?:\/-)?\/(?:issues|work_items)\/\d+$/, "") ?? "";
  return path.slice(path.startsWith(folder) ? folder.length : 1);
}

/** Its page is called a work item by now, and found at this address all the same. */
export const issueAt = ({ root }: Scope, project: string, iid: number) =>
  `${root}/${project}/-/issues/${iid}`;
