import type { Operation, Tag } from "../operation.ts";

/** What the operations of each kind are for. */
const DESCRIPTIONS: Record<Tag, string> = {
  Assistant: "Questions, and the answers to them as streams.",
  Search: "Passages, and pages as Markdown.",
  Widget: "What the widget says and looks like.",
  Feedback: "What readers say of answers, and what they click.",
  OpenAI: "Questions in OpenAI's protocol: a site is a model.",
  Chat: "Questions from Slack, Mattermost, Rocket.Chat and Discord.",
  Analytics: "What readers asked, and what the docs did not answer.",
  "Admin: status": "The server in numbers, and its models.",
  "Admin: organizations": "Those who own sites.",
  "Admin: sites": "Sites, and their settings.",
  "Admin: readers": "Who can read a site, and what it vouches for them with.",
  "Admin: settings": "What a site may choose, and a try of it.",
  "Admin: assistant keys": "The public keys that stand in pages.",
  "Admin: admin keys": "The secret keys that open this API.",
  "Admin: members": "People who sign in to the dashboard.",
  "Admin: sources": "Where a site's pages come from, and the runs that read them.",
  "Admin: pages": "What a site's index holds, and why something in it is found or not.",
  "Admin: generations": "The states of a site's index that can be returned to.",
  "Admin: golden questions": "Questions that readers should find an answer for, whatever a run changes.",
  "Admin: curated answers": "Answers that people wrote.",
  "Admin: notices": "Where people are told of what needs them.",
  "Admin: privacy": "What readers said, deleted for good.",
  "Admin: backup": "A copy of the whole database.",
  "Admin: audit log": "Who signed in, and who changed what.",
  "Signing in": "Sessions of members, in a cookie.",
  MCP: "The Model Context Protocol, for agents.",
  Server: "Whether the server runs, and what it is.",
};

/** The tags of the operations, in the order in which they come, each with what it is for. */
export function tagsOf(operations: readonly Operation[]) {
  return [...new Set(operations.map(({ tag }) => tag))].map((name) => ({
    name,
    description: DESCRIPTIONS[name],
  }));
}
