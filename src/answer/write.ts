import { AppError } from "../errors.ts";
import type { Hit } from "../search/search.ts";
import type { Site } from "../sites/sites.ts";
import { type CitationWriter, createCitationWriter } from "./citations.ts";
import type { AnswerEvent } from "./events.ts";
import type { Phrases } from "./phrases.ts";
import type { AnswerDeps, OpenRequest } from "./request.ts";
import type { NumberedPassage, ResponderEvent, ResponderRequest, TokenUsage } from "./responder.ts";
import { suggestionsBlock } from "./suggestions.ts";
import { findSupport } from "./support.ts";
import { type OpenTurn, say, sayAll } from "./turn.ts";

/** How an answer came about, for the event that ends it. */
export type Written = Omit<Extract<AnswerEvent, { type: "finish" }>, "type" | "threadId">;

/** The answer from the passages that were found: what the responder writes, its citations, and what to read next. */
export async function* write(
  deps: AnswerDeps,
  request: OpenRequest,
  hits: Hit[],
  turn: OpenTurn,
  phrases: Phrases,
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent, Written> {
  const passages = hits.map((hit, index) => toNumbered(deps, request.site, hit, index));
  const citations = createCitationWriter(passages);
  let usage: TokenUsage = { promptTokens: 0, completionTokens: 0 };
  let finishReason: "stop" | "length" = "stop";
  const asked = toResponderRequest(request, passages, phrases);
  for await (const event of respond(deps, asked, turn, signal)) {
    if (event.type === "waiting") yield { type: "status", status: "waiting", position: event.position };
    if (event.type === "reasoning-delta") yield event;
    if (event.type === "text-delta") yield* sayAll(deps, turn, citations.write(event.text));
    if (event.type === "finish") {
      ({ usage, finishReason } = event);
      turn.promptTokensEstimated = event.promptTokensEstimated;
      turn.queueMs = event.queueMs;
    }
  }
  yield* sayAll(deps, turn, citations.end());
  const cited = yield* cite(deps, turn, passages, citations, phrases);
  if (request.site.settings.suggestions) {
    const paths = new Set(hits.filter((_, index) => cited.has(index + 1)).map((hit) => hit.path));
    yield* sayAll(deps, turn, suggestionsBlock(hits, paths, deps.relevanceMin));
  }
  const { promptTokens, completionTokens } = usage;
  Object.assign(turn, { promptTokens, completionTokens });
  const responder = turn.responder === "ollama" ? "ollama" : "extractive";
  const outcome = responder === "ollama" ? "answered" : "quoted";
  return { outcome, responder, model: turn.model, cached: false, finishReason, usage };
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
      turn.model = responder.model();
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

/** Links to the passages that the answer rests on: those it cites, or, where it cites none, those that carry it. */
async function* cite(
  deps: AnswerDeps,
  turn: OpenTurn,
  passages: NumberedPassage[],
  citations: CitationWriter,
  phrases: Phrases,
): AsyncGenerator<AnswerEvent, Set<number>> {
  const cited = citations.cited();
  const numbers = cited.length > 0 ? cited : findSupport(turn.answer, passages);
  const sources = numbers.flatMap((number) => passages.find((passage) => passage.number === number) ?? []);
  if (cited.length === 0 && sources.length > 0) {
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
  return new Set(numbers);
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

const escapeLabel = (title: string) => title.replace(/[[\]\\]/g, "\\$&").replace(/\s+/g, " ");
