import { z } from "zod";
import { checkBody } from "../request/body.ts";
import type { ReadPost, Sight } from "./dialect.ts";

const id = z.string().min(1).max(200);

/** The form of a slash command, which Slack and Mattermost send alike. */
export const commandSchema = z
  .object({
    /** Mattermost's secret. Slack signs instead. */
    token: z.string().max(500).optional(),
    team_id: z.string().max(200).optional(),
    channel_id: id,
    user_id: id,
    command: z.string().max(200).optional(),
    text: z.string().optional(),
    response_url: z.string().max(2000).optional(),
    /** The post whose thread it was asked in, as Mattermost names it. */
    root_id: z.string().max(200).optional(),
    /** The same as Slack names it. */
    thread_ts: z.string().max(200).optional(),
  })
  .meta({ id: "SlashCommand" });

/** What a slash command is replied with. */
export const commandReplyShape = z
  .object({ response_type: z.enum(["ephemeral", "in_channel"]), text: z.string() })
  .meta({ id: "SlashCommandReply" });

/** What a form asks, whose text is read by `plain`. Raises `invalid_request` for one that is no command. */
export function readCommand(text: string, plain: (written: string) => string): ReadPost {
  const fields = Object.fromEntries([...new URLSearchParams(text)].toReversed());
  const post = checkBody(commandSchema, fields, "The body");
  const url = post.response_url ?? "";
  return {
    question: {
      team: post.team_id ?? "",
      channel: post.channel_id,
      thread: post.root_id || post.thread_ts || "",
      person: post.user_id,
      text: plain(post.text ?? ""),
      later: /^https?:\/\//i.test(url) && URL.canParse(url) ? { url, method: "POST" } : undefined,
    },
  };
}

/** Who sees it, as slash commands say it. */
export const sightOf = (sight: Sight) => (sight === "channel" ? "in_channel" : "ephemeral");
