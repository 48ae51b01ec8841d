import { AppError } from "../../errors.ts";
import { type Hit, relevanceMinOf } from "../../search/search.ts";
import { escapeLabel } from "../../text/write-markdown.ts";
import type { AnswerEnd, AnswerEvent } from "../events.ts";
import type { NumberedPassage, ResponderEvent, ResponderRequest, TokenUsage } from "../responder.ts";
import { createSimilarities, findSupport } from "../support/support.ts";
import { type OpenAnswer, queryOf, say, sayAll } from "../turn.ts";
import { doesNotKnow, whereToTurn } from "../unanswered/unanswered.ts";
import { createLinkedText, type LinkedText } from "./linked-text.ts";
import { suggestionsBlock } from "./suggestions.ts";
import type { TextDelta } from "./thinking.ts";

/** An answer being written, with its material. */
interface Draft extends OpenAnswer {
  hits: Hit[];
  /** The same as a responder sees them. */
  passages: NumberedPassage[];
}

/** Writes the answer from the passages found: the responder's words, their citations, and suggestions. */
export async function* write(answer: OpenAnswer, hits: Hit[]): AsyncGenerator<AnswerEvent, AnswerEnd> {
  const { deps, request, turn, phrases, signal } = answer;
  const { settings } = request.site;
  const draft: Draft = {
    ...answer,
    hits,
    passages: hits.map((hit, index) => toNumbered(answer, hit, index)),
  };
  const text = createLinkedText(hits, {
    passages: draft.passages,
    similarities: createSimilarities(deps.embedder, deps.log, signal),
    notCovered: phrases.notCovered,
    language: settings.language,
    pace: deps.paceLinking,
    readSupport: deps.readSupport,
    contact: settings.contact,
  });
  let usage: TokenUsage = { promptTokens: 0, completionTokens: 0 };
  let finishReason: "stop" | "length" = "stop";
  for await (const event of respond(draft)) {
    if (event.type === "waiting") yield { type: "status", status: "waiting", position: event.position };
    if (event.type === "reasoning-delta") yield* tell(answer, text.think(event.text));
    if (event.type === "text-delta") yield* tell(answer, await text.write(event.text, turn.responder));
    if (event.type === "quote-delta") yield* tell(answer, text.quote(event.text));
    if (event.type === "citation") yield* tell(answer, text.cite(event.number));
    if (event.type === "finish") {
      ({ usage, finishReason } = event);
      turn.model = event.model ?? turn.model;
      turn.promptTokensEstimated = event.promptTokensEstimated;
      turn.queueMs = event.queueMs;
    }
  }
  yield* tell(answer, await text.end(turn.responder));
  const { promptTokens, completionTokens } = usage;
  Object.assign(turn, { promptTokens, completionTokens });
  const outcome = yield* conclude(draft, text);
  const responder = turn.responder === "ollama" ? "ollama" : "extractive";
  return { outcome, responder, model: turn.model, cached: false, finishReason, usage };
}

/** Asks the responder, or the fallback when that is unavailable before its first word. */
async function* respond(draft: Draft): AsyncIterable<ResponderEvent> {
  const { turn, signal } = draft;
  const { responder, fallback, log } = draft.deps;
  const request = toResponderRequest(draft);
  try {
    for await (const event of responder.respond(request, signal)) {
      if (event.type === "waiting") {
        yield event;
        continue;
      }
      // The model may be known only once it has been asked.
      if (turn.responder === undefined) turn.model = responder.model(request.model);
      turn.responder = responder.name;
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

/** Text as events. Thoughts go to the reader only; the answer is stored as well. */
const tell = (answer: OpenAnswer, deltas: TextDelta[]): AnswerEvent[] =>
  deltas.map(({ type, text }) => (type === "text-delta" ? say(answer, text) : { type, text }));

/** Ends the answer with its sources and suggestions, or with where to turn when it is none. */
async function* conclude(draft: Draft, text: LinkedText): AsyncGenerator<AnswerEvent, AnswerEnd["outcome"]> {
  const { deps, request, hits, turn, phrases } = draft;
  if (turn.answer.trim() === "") throw noAnswer();
  if (turn.responder === "ollama" && doesNotKnow(turn.answer, phrases.notCovered)) {
    yield* sayAll(draft, whereToTurn(draft, hits));
    return "unanswered";
  }
  turn.supportShare = text.share();
  const cited = yield* cite(draft, text.linked());
  if (request.site.settings.suggestions) {
    const paths = new Set(cited.map(({ path }) => path));
    const relevanceMin = relevanceMinOf(request.site, deps.settings);
    yield* sayAll(draft, suggestionsBlock(hits, paths, relevanceMin));
  }
  return turn.responder === "ollama" ? "answered" : "quoted";
}

function noAnswer(): AppError {
  return new AppError("model_failed", "The model did not come to an answer. Ask again.", {
    hint: "set thinking to off, or raise answer_tokens",
  });
}

/**
 * Names the sources: the passages that the answer links to or, in links after the answer, those that support
 * it.
 */
async function* cite(draft: Draft, linked: number[]): AsyncGenerator<AnswerEvent, Hit[]> {
  const { hits, passages, turn, phrases } = draft;
  // Sources would vouch for an answer that no passage supports.
  const isCarried = turn.supportShare !== 0;
  const numbers = linked.length > 0 || !isCarried ? linked : findSupport(turn.answer, passages);
  const sources = numbers.flatMap((number) => passages[number - 1] ?? []);
  if (linked.length === 0 && sources.length > 0) {
    const links = sources.map((source) => `[${escapeLabel(source.title)}](${source.url})`).join(", ");
    yield say(draft, `\n\n${phrases.sources} ${links}`);
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

/** A passage with the number by which an answer cites it (`citations/`). */
function toNumbered({ deps, request }: OpenAnswer, hit: Hit, index: number): NumberedPassage {
  const { title, headings, markdown, relevance } = hit;
  const url = deps.linkTo(request.site, hit);
  return { number: index + 1, title, headings, text: markdown, url, relevance };
}

function toResponderRequest({ request, turn, passages, phrases }: Draft): ResponderRequest {
  const { site, reader, question, history, contexts, images } = request;
  return {
    asker: { siteId: site.id, reader },
    question: question.text,
    searched: queryOf(turn),
    model: site.settings.model,
    siteName: site.name,
    language: site.settings.language,
    instructions: site.settings.instructions,
    quoting: phrases.quoting,
    touching: phrases.touching,
    notCovered: phrases.notCovered,
    history,
    passages,
    contexts,
    images,
    currentPath: question.currentPath,
  };
}
