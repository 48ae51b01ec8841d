import { AppError } from "@docent/kernel/errors";
import { SECOND_MS } from "@docent/kernel/lib/clock";
import { ask } from "../ask.ts";
import { type Draft, toResponderRequest } from "../draft.ts";
import type { AnswerEvent } from "../events.ts";
import type { AskedCall, ResponderEvent, ToolResult } from "../responder.ts";
import { sidesOf } from "../sides.ts";
import type { TextDelta } from "../thinking.ts";
import { carryOut, type Lookups } from "./carry-out.ts";
import { createReplyReader } from "./reply-reader.ts";
import { TOOLS } from "./tools.ts";

export { SEARCH_TOOL } from "./tools.ts";
export { readWrittenCalls } from "./written-call.ts";

type Finish = Extract<ResponderEvent, { type: "finish" }>;

/** What happens while an answer is written. */
export type WritingEvent =
  | Exclude<ResponderEvent, { type: "tool-call" }>
  /** Something was looked for; the passages that it brought are in the draft. */
  | { type: "looked"; event: AnswerEvent };

/** Calls of one round beyond these are not carried out. */
const ROUND_CALLS_MAX = 4;
/** Rounds in a row that bring nothing new: the model goes in circles. */
const FRUITLESS_ROUNDS_MAX = 2;
const ANSWER_NOW = "That was the last call: answer now from the passages you have.";

/** An answer whose model looks for itself. */
interface LookingAnswer extends Lookups {
  rounds: ToolResult[][];
  /** The last rounds that brought nothing. */
  fruitless: number;
  /** When the last round may begin. */
  until: number;
  /** What the rounds so far took together. */
  total: Pick<Finish, "usage"> & { promptTokensEstimated: number; queueMs: number };
}

/** Whether the model of a site looks for itself. */
export function looks({ deps, request }: Pick<Draft, "deps" | "request">): boolean {
  const { searchMode, model } = request.site.settings;
  if (searchMode === "single" || deps.settings.search_rounds === 0) return false;
  const use = deps.responder.toolUse?.(model) ?? "none";
  return use === "shown" || (use === "possible" && searchMode === "search");
}

/**
 * Lets a model search and read pages before it answers. What the question itself finds is given beforehand, because a
 * model that calls nothing then answers as well as one that cannot call. Rounds, time and tokens are bounded; however the
 * looking ends, whether in circles, in calls that cannot be read or in the middle of one, the model is asked once more
 * without tools, with all that was found.
 */
export async function* respondLooking(draft: Draft): AsyncGenerator<WritingEvent> {
  const answer = open(draft);
  yield* searchSides(answer);
  const given = [...draft.passages];
  const hasTold = { text: false };
  while (true) {
    const looking = {
      tools: [...TOOLS],
      rounds: answer.rounds,
      resultTokens: draft.deps.settings.search_tokens,
    };
    const reply = yield* tellReply(answer, { ...toResponderRequest(draft, given), looking }, hasTold);
    hasTold.text ||= reply.told;
    const isAnswer = reply.told && (reply.calls.length === 0 || reply.cites);
    if (isAnswer && reply.finish !== undefined) return yield total(answer, reply.finish);
    if (reply.calls.length === 0 || mayLookNoMore(answer)) break;
    yield* look(answer, reply.calls);
    if (answer.fruitless >= FRUITLESS_ROUNDS_MAX) break;
  }
  yield* respondAlone(answer, hasTold);
}

const open = (draft: Draft): LookingAnswer => ({
  draft,
  calls: 0,
  made: new Set([JSON.stringify({ tool: "search", query: draft.turn.searched ?? "" }).toLowerCase()]),
  rounds: [],
  fruitless: 0,
  brought: new Set(),
  until: draft.deps.clock() + draft.deps.settings.search_seconds * SECOND_MS,
  total: { usage: { promptTokens: 0, completionTokens: 0 }, promptTokensEstimated: 0, queueMs: 0 },
});

/** Searches for each side of a comparison, because a model may answer without a search of its own. */
async function* searchSides(answer: LookingAnswer): AsyncGenerator<WritingEvent> {
  const { question } = answer.draft.request;
  for (const query of sidesOf(question.text) ?? []) {
    const { event } = await carryOut(answer, { name: "search", input: { query } });
    if (event !== undefined) yield { type: "looked", event };
  }
}

const isLastRound = ({ rounds, draft: { deps }, until }: LookingAnswer) =>
  rounds.length + 1 >= deps.settings.search_rounds || deps.clock() >= until;
const mayLookNoMore = ({ rounds, draft: { deps }, until }: LookingAnswer) =>
  rounds.length >= deps.settings.search_rounds || (rounds.length > 0 && deps.clock() >= until);

/** Carries out a round of calls. */
async function* look(answer: LookingAnswer, calls: readonly AskedCall[]): AsyncGenerator<WritingEvent> {
  const results: ToolResult[] = [];
  let isFruitful = false;
  const isLast = isLastRound(answer);
  for (const call of calls.slice(0, ROUND_CALLS_MAX)) {
    const { result, event, isFruitful: brings } = await carryOut(answer, call);
    results.push(result);
    isFruitful ||= brings;
    if (event !== undefined) yield { type: "looked", event };
  }
  const last = results.at(-1);
  if (isLast && last !== undefined) last.note = [last.note, ANSWER_NOW].filter(Boolean).join("\n");
  answer.rounds.push(results);
  answer.fruitless = isFruitful ? 0 : answer.fruitless + 1;
}

/** How the model replied in one round. */
interface Reply {
  /** Whether it wrote a part of the answer, and whether that cites a passage. */
  told: boolean;
  cites: boolean;
  calls: AskedCall[];
  /** Undefined where it broke off before it had told anything. */
  finish: Finish | undefined;
}

/** Passes on what the model writes, and gives what it asks for. Raises what broke a reply of which the reader has a part. */
async function* tellReply(
  answer: LookingAnswer,
  request: Parameters<typeof ask>[1],
  before: { text: boolean },
): AsyncGenerator<WritingEvent, Reply> {
  const { draft } = answer;
  const reader = createReplyReader();
  const calls: AskedCall[] = [];
  let finish: Finish | undefined;
  let hasQuoted = false;
  let gap = before.text ? "\n\n" : "";
  function* tell(deltas: readonly TextDelta[]): Iterable<TextDelta> {
    for (const { type, text } of deltas) {
      yield { type, text: type === "text-delta" ? gap + text : text };
      if (type === "text-delta") gap = "";
    }
  }
  try {
    for await (const event of ask(draft, request, toResponderRequest(draft, draft.passages))) {
      if (event.type === "text-delta") yield* tell(reader.write(event.text));
      else if (event.type === "tool-call") calls.push({ name: event.name, input: event.input });
      else if (event.type === "finish") finish = event;
      else {
        // Quotes come from the fallback: what it wrote before them is no announcement.
        const isQuote = event.type === "quote-delta" || event.type === "citation";
        if (isQuote) yield* tell(reader.end(false).deltas);
        hasQuoted ||= isQuote;
        yield event;
      }
    }
  } catch (error) {
    draft.signal.throwIfAborted();
    const isOfModel = error instanceof AppError && error.code === "model_failed";
    if (!isOfModel || reader.told() || hasQuoted || before.text) throw error;
    draft.deps.log.info("a model that looks for itself broke off", { cause: error.cause });
  }
  // What broke off in the middle is no answer, and no call to trust.
  if (finish === undefined) return { told: false, cites: false, calls: [], finish };
  add(answer, finish);
  const end = reader.end(calls.length > 0);
  yield* tell(end.deltas);
  const told = reader.told() || hasQuoted;
  return { told, cites: reader.cites(), calls: [...calls, ...end.calls], finish };
}

/** Has the answer written from all that was found, without tools. */
async function* respondAlone(answer: LookingAnswer, before: { text: boolean }): AsyncGenerator<WritingEvent> {
  const { draft } = answer;
  const passages = draft.passages.toSorted((one, other) => other.relevance - one.relevance);
  const request = toResponderRequest(draft, passages);
  // What was searched for tells what of the passages matters, besides the question.
  const queries = draft.turn.looks.flatMap(({ tool, asked }) => (tool === "search" ? [asked] : []));
  const searched = [request.searched ?? request.question, ...queries].join("\n");
  const reply = yield* tellReply(answer, { ...request, searched }, before);
  if (reply.finish !== undefined && (reply.told || before.text)) return yield total(answer, reply.finish);
  throw new AppError("model_failed", "The model did not come to an answer. Ask again.", {
    hint: "set the site's search mode to single, or take another model",
  });
}

function add({ total }: LookingAnswer, { usage, promptTokensEstimated = 0, queueMs = 0 }: Finish): void {
  total.usage.promptTokens += usage.promptTokens;
  total.usage.completionTokens += usage.completionTokens;
  total.promptTokensEstimated += promptTokensEstimated;
  total.queueMs += queueMs;
}

/** The end of the answer, with what all rounds took. */
const total = ({ total }: LookingAnswer, finish: Finish): Finish => ({ ...finish, ...total });
