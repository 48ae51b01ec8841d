import { AppError } from "../../errors.ts";
import type { Hit } from "../../search/search.ts";
import type { Phrases } from "../../sites/phrases.ts";
import type { Site } from "../../sites/sites.ts";
import type { AnswerEvent } from "../events.ts";
import { escapeLabel } from "../labels.ts";
import type { AnswerDeps, OpenRequest } from "../request.ts";
import { relevanceMinOf } from "../request.ts";
import type { NumberedPassage, ResponderEvent, ResponderRequest, TokenUsage } from "../responder.ts";
import { createSimilarities } from "../support/support.ts";
import { findSupport } from "../support/supporting-passages.ts";
import { type OpenTurn, say, sayAll } from "../turn.ts";
import { doesNotKnow, whereToTurn } from "../unanswered/unanswered.ts";
import { createLinkedText, type LinkedText } from "./linked-text.ts";
import { suggestionsBlock } from "./suggestions.ts";
import type { TextDelta } from "./thinking.ts";

/** How an answer came about, for the event that ends it. */
export type Written = Omit<Extract<AnswerEvent, { type: "finish" }>, "type" | "threadId" | "isNewThread">;

/** An answer that is being written, and what from. */
interface Writing {
  deps: AnswerDeps;
  site: Site;
  hits: Hit[];
  /** The same as a responder sees them. */
  passages: NumberedPassage[];
  turn: OpenTurn;
  phrases: Phrases;
}

/** The answer from the passages that were found: what the responder writes, its citations, and what to read next. */
export async function* write(
  deps: AnswerDeps,
  request: OpenRequest,
  hits: Hit[],
  turn: OpenTurn,
  phrases: Phrases,
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent, Written> {
  const { site } = request;
  const passages = hits.map((hit, index) => toNumbered(deps, site, hit, index));
  const text = createLinkedText(hits, {
    passages,
    similarities: createSimilarities(deps.embedder, deps.log, signal),
    notCovered: phrases.notCovered,
    language: site.settings.language,
    pace: deps.pace,
    contact: site.settings.contact,
  });
  let usage: TokenUsage = { promptTokens: 0, completionTokens: 0 };
  let finishReason: "stop" | "length" = "stop";
  const asked = { ...toResponderRequest(request, passages, phrases), searched: turn.searched };
  for await (const event of respond(deps, asked, turn, signal)) {
    if (event.type === "waiting") yield { type: "status", status: "waiting", position: event.position };
    if (event.type === "reasoning-delta") yield* tell(deps, turn, text.think(event.text));
    if (event.type === "text-delta") yield* tell(deps, turn, text.write(event.text, turn.responder));
    if (event.type === "finish") {
      ({ usage, finishReason } = event);
      turn.model = event.model ?? turn.model;
      turn.promptTokensEstimated = event.promptTokensEstimated;
      turn.queueMs = event.queueMs;
    }
  }
  yield* tell(deps, turn, text.end(turn.responder));
  const { promptTokens, completionTokens } = usage;
  Object.assign(turn, { promptTokens, completionTokens });
  const outcome = yield* close({ deps, site, hits, passages, turn, phrases }, text);
  const responder = turn.responder === "ollama" ? "ollama" : "extractive";
  return { outcome, responder, model: turn.model, cached: false, finishReason, usage };
}

/** What stands behind the answer itself: sources and what to read next, or where to turn when it is none. */
async function* close(writing: Writing, text: LinkedText): AsyncGenerator<AnswerEvent, Written["outcome"]> {
  const { deps, site, hits, turn, phrases } = writing;
  if (turn.answer.trim() === "") throw noAnswer();
  if (turn.responder === "ollama" && doesNotKnow(turn.answer, phrases.notCovered)) {
    yield* sayAll(deps, turn, whereToTurn(deps, site, hits, phrases));
    return "unanswered";
  }
  turn.supportShare = text.share();
  const cited = yield* cite(writing, text.linked());
  if (site.settings.suggestions) {
    const paths = new Set(cited.map(({ path }) => path));
    yield* sayAll(deps, turn, suggestionsBlock(hits, paths, relevanceMinOf(site, deps.relevanceMin)));
  }
  return turn.responder === "ollama" ? "answered" : "quoted";
}

/** Thoughts go to the reader alone; the answer is stored as well. */
async function* tell(
  deps: AnswerDeps,
  turn: OpenTurn,
  told: AsyncIterable<TextDelta> | Iterable<TextDelta>,
): AsyncIterable<AnswerEvent> {
  for await (const { type, text } of told)
    yield type === "text-delta" ? say(deps, turn, text) : { type, text };
}

function noAnswer(): AppError {
  return new AppError("model_failed", "The model did not come to an answer. Ask again.", {
    hint: "set thinking to off, or raise answer_tokens",
  });
}

/** The first responder's answer; or, when it is not there before its first word, the fallback's. */
async function* respond(
  { responder, fallback, log }: AnswerDeps,
  request: ResponderRequest,
  turn: OpenTurn,
  signal: AbortSignal,
): AsyncIterable<ResponderEvent> {
  try {
    for await (const event of responder.respond(request, signal)) {
      if (event.type === "waiting") {
        yield event;
        continue;
      }
      // Which model it is may only be known once it has been asked.
      turn.responder = responder.name;
      turn.model = responder.model(request.model);
      yield event;
    }
  } catch (error) {
    const begun = turn.responder !== undefined;
    if (begun || fallback === undefined || !(error instanceof AppError) || error.code !== "unavailable")
      throw error;
    log.info("answering by quoting", { reason: error.message, cause: error.cause });
    turn.responder = fallback.name;
    yield* fallback.respond(request, signal);
  }
}

/** The passages that the answer links to; where it links to none, those that carry it are named behind it. */
async function* cite(
  { deps, hits, passages, turn, phrases }: Writing,
  linked: number[],
): AsyncGenerator<AnswerEvent, Hit[]> {
  // Sources behind an answer of which nothing is carried would vouch for it.
  const isCarried = turn.supportShare !== 0;
  const numbers = linked.length > 0 || !isCarried ? linked : findSupport(turn.answer, passages);
  const sources = numbers.flatMap((number) => passages[number - 1] ?? []);
  if (linked.length === 0 && sources.length > 0) {
    const links = sources.map((source) => `[${escapeLabel(source.title)}](${source.url})`).join(", ");
    yield say(deps, turn, `\n\n${phrases.sources} ${links}`);
  }
  for (const { number, url, title } of sources) {
    yield { type: "source", source: { id: `source_${number}`, url, title } };
  }
  turn.cited = sources.map(({ number, url }) => ({
    passageId: turn.retrieved[number - 1]?.passageId ?? 0,
    url,
  }));
  return numbers.flatMap((number) => hits[number - 1] ?? []);
}

function toNumbered(deps: AnswerDeps, site: Site, hit: Hit, index: number): NumberedPassage {
  const { title, headings, markdown, relevance } = hit;
  return { number: index + 1, title, headings, text: markdown, url: deps.linkTo(site, hit), relevance };
}

function toResponderRequest(
  request: OpenRequest,
  passages: NumberedPassage[],
  { quoting, notCovered }: Phrases,
): ResponderRequest {
  const { site, reader, question, history, contexts, images } = request;
  return {
    asker: { siteId: site.id, reader },
    question: question.text,
    model: site.settings.model,
    siteName: site.name,
    language: site.settings.language,
    instructions: site.settings.instructions,
    quoting,
    notCovered,
    history,
    passages,
    contexts,
    images,
    currentPath: question.currentPath,
  };
}
