import { createPublicKey, verify } from "node:crypto";
import { SECOND_MS } from "@docent/kernel/lib/clock";
import { z } from "zod";
import { checkBody, parseJson } from "../request/body.ts";
import type { ChatDialect, ReadPost, Saying, SentPost, Sight } from "./dialect.ts";
import { SIGNED_WITHIN_MS } from "./slack.ts";

const SIGNATURE = "x-signature-ed25519";
const TIMESTAMP = "x-signature-timestamp";
/** What stands before the 32 bytes of a public key in DER. */
const KEY_PREFIX = "302a300506032b6570032100";
const API = "https://discord.com/api/v10";

/** Its kinds of interactions and of replies that are used here. */
const PING = 1;
const COMMAND = 2;
const PONG = 1;
const MESSAGE = 4;
const MESSAGE_LATER = 5;
/** Flags of a message: without pictures of what its links lead to, and for one person alone. */
const NO_EMBEDS = 4;
const EPHEMERAL = 64;

const id = z.string().regex(/^\d{1,30}$/);
const person = z.object({ id }).meta({ id: "DiscordUser" });
const option = z.object({ name: z.string(), value: z.unknown() }).meta({ id: "DiscordOption" });
const interactionSchema = z
  .object({
    type: z.union([z.literal(PING), z.literal(COMMAND)]),
    application_id: id.optional(),
    token: z
      .string()
      .regex(/^[\w.~-]{1,500}$/)
      .optional(),
    guild_id: id.nullish(),
    channel_id: id.nullish(),
    /** Who asks in a server; elsewhere it is `user`. */
    member: z.object({ user: person }).meta({ id: "DiscordMember" }).nullish(),
    user: person.nullish(),
    data: z
      .object({ options: z.array(option).optional() })
      .meta({ id: "DiscordCommand" })
      .optional(),
  })
  .meta({ id: "DiscordInteraction" });

const messageShape = z
  .looseObject({ content: z.string().optional(), flags: z.int() })
  .meta({ id: "DiscordMessage" });
const replyShape = z.object({ type: z.int(), data: messageShape.optional() }).meta({ id: "DiscordReply" });

/** `POST /v1/chats/{domain}/discord`: an interaction of Discord, signed by it. */
export const discord: ChatDialect = {
  name: "discord",
  title: "Discord",
  id: "askFromDiscord",
  path: "/v1/chats/:domain/discord",
  summary: "Answer an interaction of Discord",
  description:
    "Discord signs what it sends, by its headers x-signature-ed25519 and x-signature-timestamp. The question is the value of " +
    "the command's first option. An answer that is not there in time is deferred, and takes the place of the reply later.",
  schema: interactionSchema,
  replyShape,
  example: { type: PING },
  isFrom,
  signatureOf: ({ headers }) => headers.get(SIGNATURE) ?? undefined,
  read,
  // Discord gives up after three seconds.
  patienceMs: 2500,
  charactersMax: 2000,
  hidesQuestion: false,
  canWhisper: true,
  // Discord reads Markdown, and calls nobody where `allowed_mentions` says so.
  toMarks: (markdown) => markdown,
  say: (saying) => ({ type: MESSAGE, data: messageOf(saying) }),
  looking: ({ sight }) => ({ type: MESSAGE_LATER, data: { flags: flagsOf(sight) } }),
  sayLater: (saying) => messageOf(saying),
};

/** The secret is a public key: whoever has it can check, and only Discord can sign. */
function isFrom({ headers, text, nowMs }: SentPost, publicKey: string): boolean {
  const [signature, timestamp] = [headers.get(SIGNATURE) ?? "", headers.get(TIMESTAMP) ?? ""];
  if (!/^[0-9a-f]{128}$/.test(signature) || !/^\d{1,15}$/.test(timestamp)) return false;
  if (Math.abs(nowMs - Number(timestamp) * SECOND_MS) > SIGNED_WITHIN_MS) return false;
  if (!/^[0-9a-f]{64}$/i.test(publicKey)) return false;
  const der = Buffer.from(KEY_PREFIX + publicKey, "hex");
  const key = createPublicKey({ key: der, format: "der", type: "spki" });
  return verify(null, Buffer.from(timestamp + text), key, Buffer.from(signature, "hex"));
}

function read(text: string): ReadPost {
  const sent = checkBody(interactionSchema, parseJson(text), "The body");
  if (sent.type === PING) return { reply: { type: PONG } };
  const { application_id: application = "", token = "", guild_id, channel_id, member, user, data } = sent;
  const value = data?.options?.[0]?.value;
  const url = `${API}/webhooks/${application}/${token}/messages/@original`;
  return {
    question: {
      team: guild_id ?? "",
      // A thread of Discord is a channel.
      channel: channel_id ?? "",
      thread: "",
      person: (member?.user ?? user)?.id ?? "",
      text: typeof value === "string" ? value : "",
      later: application === "" || token === "" ? undefined : { url, method: "PATCH" },
    },
  };
}

const flagsOf = (sight: Sight) => NO_EMBEDS + (sight === "asker" ? EPHEMERAL : 0);

const messageOf = ({ text, sight }: Saying) => ({
  content: text,
  allowed_mentions: { parse: [] },
  flags: flagsOf(sight),
});
