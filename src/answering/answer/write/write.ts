import { type Hit, relevanceMinOf } from "@docent/finding/search/search";
import { escapeLabel } from "@docent/kernel/text/write-markdown";
import { encodePath } from "@docent/reading/page/page-path";
import { ask, noAnswer } from "../ask.ts";
import { type Draft, numberSection, openDraft, toResponderRequest } from "../draft.ts";
import type { AnswerEnd, AnswerEvent } from "../events.ts";
import { looks, respondLooking, type WritingEvent } from "../looking/looking.ts";
import type { ResponderEvent, TokenUsage } from "../responder.ts";
import { sourceTitles } from "../source-titles.ts";
import { findSupport } from "../support/support.ts";
import type { TextDelta } from "../thinking.ts";
import { type OpenAnswer, say, sayAll } from "../turn.ts";
import { doesNotKnow, whereToTurn } from "../unanswered/unanswered.ts";
import { followUpQuestions } from "./follow-up-questions.ts";
import { createSections, type Sections } from "./sections.ts";

type QuoteCitation = Extract<ResponderEvent, { type: "citation" }>;

/** Writes the answer from the passages found: the responder's words, their citations, and suggestions. */
export async function* write(
  answer: OpenAnswer,
  hits: Hit[],
  grade: Draft["grade"],
): AsyncGenerator<AnswerEvent, AnswerEnd> {
  const { turn } = answer;
  const draft = openDraft(answer, hits, grade);
  const text = createSections(draft);
  let usage: TokenUsage = { promptTokens: 0, completionTokens: 0 };
  let finishReason: "stop" | "length" = "stop";
  let touches = false;
  for await (const event of respond(draft)) {
    if (event.type === "waiting") yield { type: "status", status: "waiting", position: event.position };
    if (event.type === "reasoning-delta") yield* tell(answer, text.think(event.text));
    if (event.type === "text-delta") yield* tell(answer, await text.write(event.text));
    if (event.type === "quote-delta") yield* tell(answer, text.quote(event.text));
    if (event.type === "citation") yield* tell(answer, citeQuote(draft, text, event));
    if (event.type === "looked") {
      yield* tell(answer, await text.endSection());
      yield event.event;
    }
    if (event.type === "finish") {
      ({ usage, finishReason } = event);
      turn.model = event.model ?? turn.model;
      turn.promptTokensEstimated = event.promptTokensEstimated;
      turn.queueMs = event.queueMs;
      touches = event.onlyTouches === true;
    }
  }
  yield* tell(answer, await text.endSection());
  const { promptTokens, completionTokens } = usage;
  Object.assign(turn, { promptTokens, completionTokens });
  const { outcome, followUps } = yield* conclude(draft, text, { touches, isCut: finishReason === "length" });
  const responder = turn.responder === "ollama" ? "ollama" : "extractive";
  return { outcome, responder, model: turn.model, cached: false, finishReason, usage, followUps };
}

async function* respond(draft: Draft): AsyncGenerator<WritingEvent> {
  if (looks(draft)) return yield* respondLooking(draft);
  for await (const event of ask(draft, toResponderRequest(draft, draft.passages)))
    if (event.type !== "tool-call") yield event;
}

/** Text as events. Thoughts go to the reader only; the answer is stored as well. */
const tell = (answer: OpenAnswer, deltas: TextDelta[]): AnswerEvent[] =>
  deltas.map(({ type, text }) => (type === "text-delta" ? say(answer, text) : { type, text }));

/** Cites the section that holds a quote. */
function citeQuote(draft: Draft, text: Sections, { number, offset }: QuoteCitation): TextDelta[] {
  const cited = offset === undefined ? undefined : numberSection(draft, number, offset);
  return text.cite(cited?.number ?? number, cited?.url);
}

/** Ends the answer with its sources and suggestions, or with where to turn when it is none. */
async function* conclude(
  draft: Draft,
  text: Sections,
  { touches, isCut }: { touches: boolean; isCut: boolean },
): AsyncGenerator<AnswerEvent, Pick<AnswerEnd, "outcome" | "followUps">> {
  const { deps, request, hits, turn, phrases } = draft;
  if (turn.answer.trim() === "") throw noAnswer();
  if (turn.responder === "ollama" && doesNotKnow(turn.answer, phrases.notCovered)) {
    yield* sayAll(draft, whereToTurn(draft, hits));
    return { outcome: "unanswered" };
  }
  const linked = text.linked();
  turn.supportShare = text.share();
  const written = turn.answer;
  if (isCut) yield say(draft, `\n\n${phrases.cutOff}`);
  const isUnfounded = turn.responder === "ollama" && turn.supportShare === 0 && linked.length === 0;
  if (isUnfounded) yield* quoteBeside(draft, text);
  const cited = yield* cite(draft, text.linked(), written);
  // An answer that cites nothing, and of which the docs say nothing, is none: what was quoted beside it comes nearest.
  const outcome = isUnfounded ? "touched" : outcomeOf(draft, touches);
  const { suggestions, language } = request.site.settings;
  if (!suggestions) return { outcome };
  const paths = new Set(cited.map(({ path }) => path));
  const relevanceMin = relevanceMinOf(request.site, deps.settings);
  yield* sayAll(draft, suggestionsBlock(hits, paths, relevanceMin));
  const question = turn.searched ?? request.question.text;
  const followUps = followUpQuestions(hits, { question, cited, relevanceMin, language });
  return { outcome, ...(followUps.length > 0 && { followUps }) };
}

/** What the docs say themselves, for a reader to compare with an answer that has nothing behind it. */
async function* quoteBeside(draft: Draft, text: Sections): AsyncGenerator<AnswerEvent> {
  const { deps, passages, signal } = draft;
  if (deps.fallback === undefined) return;
  yield* tell(draft, text.quote("\n\n"));
  for await (const event of deps.fallback.respond(toResponderRequest(draft, passages), signal)) {
    if (event.type === "text-delta" || event.type === "quote-delta")
      yield* tell(draft, text.quote(event.text));
    if (event.type === "citation") yield* tell(draft, citeQuote(draft, text, event));
  }
  yield* tell(draft, await text.endSection());
}

function outcomeOf({ turn }: Draft, touches: boolean): AnswerEnd["outcome"] {
  if (turn.responder === "ollama") return "answered";
  return touches ? "touched" : "quoted";
}

/**
 * Names the sources: the passages that the answer links to or, in links after the answer, those that support
 * it.
 */
async function* cite(draft: Draft, linked: number[], written: string): AsyncGenerator<AnswerEvent, Hit[]> {
  const { hits, passages, turn, phrases } = draft;
  // Sources would vouch for an answer that no passage supports.
  const isCarried = turn.supportShare !== 0;
  const numbers = linked.length > 0 || !isCarried ? linked : findSupport(written, passages);
  const cited = numbers.flatMap((number) => passages[number - 1] ?? []);
  const titles = sourceTitles(numbers.flatMap((number) => hits[number - 1] ?? []));
  const sources = cited.map((passage, at) => ({ ...passage, title: titles[at] ?? passage.title }));
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

interface Suggestible {
  path: string;
  title: string;
  relevance: number;
}

const SUGGESTIONS_MAX = 3;

/**
 * The fenced block of suggested pages that ready-made chat clients render as links; empty where every page
 * found is cited already.
 */
export function suggestionsBlock(
  found: Suggestible[],
  citedPaths: ReadonlySet<string>,
  relevanceMin: number,
): string {
  const pages = new Map(
    found
      .filter((page) => !citedPaths.has(page.path) && page.relevance >= relevanceMin)
      .map((page) => [page.path, page.title]),
  );
  const lines = [...pages]
    .slice(0, SUGGESTIONS_MAX)
    .map(([path, title]) => `(${label(title)})[/${encodePath(path)}]`);
  return lines.length === 0 ? "" : `\n\n\`\`\`suggestions\n${lines.join("\n")}\n\`\`\``;
}

/** A title must not close its parenthesis, nor the block. */
const label = (title: string) => title.replace(/[()[\]`\s]+/g, " ").trim();
