import type { AnswerEvent, CitedSource } from "@docent/answering/answer/events";
import { AppError } from "@docent/kernel/errors";
import { publicUrlHere } from "@docent/running/app/served-address";
import { ANYBODY, type Audience, groupsOf } from "@docent/sites/pages/audience";
import type { PageFilter } from "@docent/sites/pages/pages";
import { z } from "zod";
import { type Command, type Context, textOption, textsOption, word } from "../command.ts";
import { isStandard, readTextFile } from "../files.ts";
import { createProgress } from "../output.ts";
import { createMarkdownUnescaper, dim, link, type Text } from "../terminal/text.ts";

/** The options that narrow what is searched, and say for whom. */
export const ASKING_OPTIONS = {
  version: { type: "string" },
  language: { type: "string" },
  tag: { type: "string" },
  group: { type: "string", multiple: true },
  anybody: { type: "boolean" },
} as const;

export const ASKING_OPTION_HELP = {
  version: "only pages of this version of the docs, and pages without a version",
  language: "only pages in this language, and pages without a language",
  tag: "only pages that have this tag",
  group:
    "as a reader in this group finds it; may be repeated. Without it, an owner asks, who sees every page",
  anybody: "as a reader in no group finds it",
};

export function filterOf(context: Context): PageFilter {
  return {
    version: textOption(context, "version"),
    language: textOption(context, "language"),
    tag: textOption(context, "tag"),
  };
}

/** Whoever runs commands sees everything, unless they want to know what somebody else would see. */
export function audienceOf(context: Context): Audience {
  const groups = groupsOf(textsOption(context, "group") ?? []);
  if (context.options["anybody"] !== true) return groups.length === 0 ? "everything" : groups;
  if (groups.length === 0) return ANYBODY;
  throw new AppError(
    "invalid_request",
    "--anybody is a reader in no group: leave out --group, or --anybody.",
  );
}

/** The exit code that shells expect of an interrupted program. */
const INTERRUPTED = 130;

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
const EVENT_SHAPE = z.discriminatedUnion("type", [
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
  words: [2, Number.POSITIVE_INFINITY],
  json: { shape: EVENT_SHAPE, isLines: true },
  options: { ...ASKING_OPTIONS, path: { type: "string" } },
  optionHelp: { ...ASKING_OPTION_HELP, path: "the page the reader is on" },
  async run(context) {
    const parts = await context.openParts();
    const { ids } = parts;
    const site = await parts.people.sites.get(word(context, 0));
    const events = parts.answers.open(publicUrlHere(context.surroundings.config))(
      {
        requestId: ids.ulid(),
        reader: "cli",
        site,
        question: {
          questionMessageId: ids.ulid(),
          text: await questionOf(context),
          keyId: undefined,
          fp: "cli",
          caller: "cli",
          audience: audienceOf(context),
          currentPath: textOption(context, "path"),
          filter: filterOf(context),
        },
        threadId: undefined,
        posted: [],
        contexts: [],
        images: [],
        pageSize: site.settings.pageSize,
      },
      context.signal,
    );
    return print(context, events);
  },
};

/** The words of a question; a single hyphen reads it from the standard input. */
export async function questionOf(context: Context): Promise<string> {
  const words = context.words.slice(1).join(" ");
  const question = isStandard(words) ? (await readTextFile(context, words)).trim() : words;
  if (question.trim() === "") throw new AppError("invalid_request", "There is no question.");
  return question;
}

async function print(context: Context, events: AsyncIterable<AnswerEvent>): Promise<number | undefined> {
  const { terminal } = context;
  const asJson = context.options["json"] === true;
  const progress = createProgress(terminal, context.surroundings.clock);
  const unescaper = createMarkdownUnescaper();
  const waiting = setInterval(() => progress.show("thinking…"), 200);
  try {
    for await (const event of events) {
      const corrected = event.type === "search" ? event.corrected : undefined;
      if (corrected !== undefined || event.type === "text-delta" || event.type === "error") {
        clearInterval(waiting);
        progress.clear();
      }
      if (!asJson && event.type !== "text-delta") terminal.out(unescaper.end());
      if (asJson) terminal.json(event, "line");
      else if (corrected !== undefined) terminal.out(showCorrected(corrected));
      else if (event.type === "text-delta") terminal.out(unescaper.write(readable(event.text)));
      else if (event.type === "source") terminal.out(showSource(event.source));
      else if (event.type === "finish") terminal.out(["\n", dim(signature(event)), "\n"]);
      if (event.type === "error") throw new AppError("model_failed", event.message);
    }
    return context.signal.aborted ? INTERRUPTED : undefined;
  } finally {
    clearInterval(waiting);
    progress.clear();
  }
}

/**
 * Turns citations into numbers that the list of sources explains. Suggestions are for clients that render them, and go.
 */
function readable(text: string): string {
  if (text.startsWith("\n\n```suggestions")) return "";
  return text.replace(/\[\[(\d+)\]\]\([^)]*\)/g, "[$1]");
}

/** What was searched for in the place of misspelled words. */
export const showCorrected = (corrected: string): Text => [dim(`Showing results for: ${corrected}`), "\n\n"];

function showSource({ id, title, url }: CitedSource): Text {
  return [`\n[${id.replace("source_", "")}] `, link(title, url)];
}

function signature({ outcome, model, cached }: Extract<AnswerEvent, { type: "finish" }>): string {
  if (outcome === "quoted") return "[quoted from the docs]";
  if (outcome === "touched") return "[what comes nearest in the docs]";
  if (outcome === "curated") return "[written by people]";
  if (outcome === "unanswered") return "[not covered by the docs]";
  if (model === undefined) return "[Docent's own words]";
  return `[${outcome} by ${model}${cached ? ", and given before" : ""}]`;
}
