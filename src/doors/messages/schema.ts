import { z } from "zod";
import { describedAs, listOf } from "../request/fields.ts";

// What the bodies of all versions of the message operation have in common.

/** Far more than any conversation has. */
export const MESSAGES_MAX = 5000;
export const PARTS_MAX = 5000;

/** How much of a message is taken. */
export interface MessageBounds {
  messageCharacters: number;
}

const CONTROL_CHARACTERS = /\p{Cc}/u;

/** A thread's id, whoever gave it: other services have ids of other forms. */
const threadIdSchema = z.string().refine((id) => !CONTROL_CHARACTERS.test(id), "must be one line of text");

interface Part {
  type: string;
  text?: string | undefined;
}

/** The text of a message that is written as parts: other parts than those of text say nothing. */
export const textIn = (parts: Part[]) =>
  parts.flatMap(({ type, text }) => (type === "text" && text !== undefined ? text : [])).join("\n");

/** A check that the parts hold no more text than a message may, and what is said where they do. */
export function withinCharacters(charactersMax: number): [(parts: Part[]) => boolean, string] {
  return [
    (parts) => textIn(parts).length <= charactersMax,
    `holds more than ${charactersMax} characters of text`,
  ];
}

/** Each of them is searched for. */
const CONTEXTS_MAX = 100;

/** What the reader pointed at. */
const contextsSchema = listOf(
  z
    .object({
      type: z.enum(["code", "textSelection"]),
      value: z.string(),
      path: z.string().nullish(),
      elementId: z.string().nullish(),
    })
    .meta({ id: "Context" }),
  CONTEXTS_MAX,
);

const PAGE_SIZE_MAX = 20;

/** How many passages an answer is written from. The contract takes any number: the nearest that there can be is used. */
const pageSizeSchema = describedAs(
  z.number().transform((size) => Math.min(PAGE_SIZE_MAX, Math.max(1, Math.trunc(size)))),
  z.number(),
);

/** A part of a message that is text. */
export const textPartSchema = (messageCharacters: number) =>
  z.object({ type: z.literal("text"), text: z.string().max(messageCharacters) }).meta({ id: "TextPart" });

/** A chat's id, as a client has it. The contract knows no such field, so whatever is no name is no error. */
const chatIdSchema = z
  .unknown()
  .transform((id) => (typeof id === "string" && id !== "" ? id : undefined))
  .meta({ description: "A chat's id where it is a string. Anything else is ignored." });

const oneMessage = z.looseObject({ message: z.unknown(), messages: z.undefined().optional() });

/** Takes a body with `message` in place of `messages` too, which the AI SDK's guide shows for chats that are stored. */
export function takingOneMessage<Body>(schema: z.ZodType<Body>): z.ZodType<Body> {
  const checked = z.preprocess((body) => {
    const one = oneMessage.safeParse(body);
    if (!one.success || one.data.message === undefined) return body;
    return { ...one.data, messages: [one.data.message] };
  }, schema);
  return describedAs(checked, schema);
}

/** The fields of a body that asks, whichever version it is of. */
export const questionFields = <Message extends { role: string }, Filter>(
  message: z.ZodType<Message>,
  filter: z.ZodType<Filter>,
) => ({
  fp: z.string().min(1),
  messages: listOf(message, MESSAGES_MAX).refine(
    (messages) => messages.some(({ role }) => role === "user"),
    "needs a message of the user",
  ),
  /** The chat's, which stands in for a thread's where the newest message alone is posted. */
  id: chatIdSchema.optional(),
  threadId: threadIdSchema.nullish(),
  retrievalPageSize: pageSizeSchema.nullish(),
  filter: filter.nullish(),
  context: contextsSchema.nullish(),
  currentPath: z.string().max(200).nullish(),
});
