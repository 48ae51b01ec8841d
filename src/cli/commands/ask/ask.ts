import { AppError } from "@docent/kernel/errors";
import { publicUrlHere } from "@docent/running/app/served-address";
import { z } from "zod";
import { type Command, type Context, word } from "../../command.ts";
import { isStandard, readTextFile } from "../../files.ts";
import { askingOf, converse } from "./conversation.ts";
import { ASKING_OPTION_HELP, ASKING_OPTIONS } from "./narrowing.ts";
import { showAnswer } from "./show-answer.ts";
import { requireAnswers } from "./without-pages.ts";

export { askingOf, converse } from "./conversation.ts";
export { ASKING_OPTION_HELP, ASKING_OPTIONS, audienceOf, filterOf } from "./narrowing.ts";
export { showAnswer, showCorrected } from "./show-answer.ts";
export { requirePages } from "./without-pages.ts";

const FOUND_SHAPE = z.array(
  z.object({
    content: z.string(),
    path: z.string(),
    title: z.string(),
    href: z.string(),
    score: z.number(),
  }),
);

/** The events of an answer, in order. */
export const EVENT_SHAPE = z.discriminatedUnion("type", [
  z.object({ type: z.literal("start"), threadId: z.string(), messageId: z.string() }),
  z.object({
    type: z.literal("search"),
    callId: z.string(),
    query: z.string(),
    corrected: z.string().optional(),
    results: FOUND_SHAPE,
  }),
  z.object({
    type: z.literal("read"),
    callId: z.string(),
    path: z.string(),
    heading: z.string().optional(),
    results: FOUND_SHAPE,
  }),
  z.object({ type: z.literal("status"), status: z.literal("waiting"), position: z.int() }),
  z.object({ type: z.literal("reasoning-delta"), text: z.string() }),
  z.object({ type: z.literal("text-delta"), text: z.string() }),
  z.object({
    type: z.literal("source"),
    source: z.object({ id: z.string(), url: z.string(), title: z.string() }),
  }),
  z.object({
    type: z.literal("finish"),
    threadId: z.string(),
    outcome: z.string(),
    responder: z.string().optional(),
    model: z.string().optional(),
    cached: z.boolean(),
    isNewThread: z.boolean(),
    finishReason: z.enum(["stop", "length"]),
    usage: z.looseObject({}),
  }),
  z.object({ type: z.literal("error"), code: z.string(), message: z.string() }),
]);

export const ask: Command = {
  words: [1, Number.POSITIVE_INFINITY],
  json: { shape: EVENT_SHAPE, isLines: true },
  options: { ...ASKING_OPTIONS, path: { type: "string" } },
  optionHelp: { ...ASKING_OPTION_HELP, path: "the page the reader is on" },
  async run(context) {
    const parts = await context.openParts();
    const site = await parts.people.sites.get(word(context, 0));
    await requireAnswers(parts, site);
    const asking = askingOf(context, parts, site, publicUrlHere(context.surroundings.config));
    if (context.words.length === 1) return converse(context, asking);
    return showAnswer(context, asking(await questionOf(context), undefined));
  },
};

/** The words of a question; a single hyphen reads it from the standard input. */
export async function questionOf(context: Context): Promise<string> {
  const words = context.words.slice(1).join(" ");
  const question = isStandard(words) ? (await readTextFile(context, words)).trim() : words;
  if (question.trim() === "") throw new AppError("invalid_request", "There is no question.");
  return question;
}
