import { isSameSecret } from "@docent/kernel/lib/secrets";
import { commandReplyShape, commandSchema, readCommand, sightOf } from "./command.ts";
import type { ChatDialect, Saying, SentPost } from "./dialect.ts";
import { withoutMentions } from "./mentions.ts";

/** `POST /v1/chats/{domain}/mattermost`: a slash command of Mattermost, with the command's token. */
export const mattermost: ChatDialect = {
  name: "mattermost",
  title: "Mattermost",
  id: "askFromMattermost",
  path: "/v1/chats/:domain/mattermost",
  summary: "Answer a slash command of Mattermost",
  description:
    "Mattermost sends the command's token, in the form or as `authorization: Token …`. The answer is the reply where it is " +
    "there in time; otherwise it is sent to response_url.",
  takesForm: true,
  schema: commandSchema,
  replyShape: commandReplyShape,
  example: {
    token: "okwexkjpe7ygb8eq1ww58t483w",
    team_id: "carya1qs77bemjup96ff538snh",
    channel_id: "jux16pkewjrkfj3ehep1psxyxc",
    user_id: "aoa1agao6t8fmx3ikt1j9w5ybw",
    command: "/docs",
    text: "How do I install it on Linux?",
    response_url: "https://chat.example.com/hooks/commands/xbrkb8p393gjpq5cawei7npije",
  },
  isFrom,
  read: (text) => readCommand(text, (written) => written),
  // Mattermost waits for half a minute, unless its administrator has changed that.
  patienceMs: 25_000,
  charactersMax: 16_383,
  hidesQuestion: true,
  canWhisper: true,
  toMarks: withoutMentions,
  say,
  looking: (saying) => say({ ...saying, sight: "asker" }),
  sayLater: say,
};

function isFrom({ headers, text }: SentPost, secret: string): boolean {
  // The header may be somebody else's: Mattermost can be told to sign in to a proxy with it.
  const sent = new URLSearchParams(text).get("token") || tokenIn(headers);
  return isSameSecret(sent, secret);
}

const tokenIn = (headers: Headers) => /^token\s+(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1] ?? "";

/** Without its translation of Slack's marks, by which `<!channel>` would call everyone. */
function say({ text, sight }: Saying): object {
  return { response_type: sightOf(sight), text, skip_slack_parsing: true };
}
