import { analyzeQuestion } from "@docent/finding/search/analyze";
import { type Asked, askedIn, withoutCircumstances } from "@docent/finding/search/search";
import { escapeLabel } from "@docent/kernel/text/write-markdown";
import type { Embedder } from "@docent/kernel/vectors/embedder";
import { readPieces } from "../pieces.ts";
import { isPointedAt, type Responder, type ResponderEvent, type ResponderRequest } from "../responder.ts";
import { sourceTitles } from "../source-titles.ts";
import type { Quote } from "./build-quote.ts";
import { listCandidates } from "./candidates.ts";
import { chooseQuotes } from "./choose-quotes.ts";
import { needlessFirst, withoutOtherSections } from "./order-quotes.ts";
import { kindOfQuestion } from "./question-kind.ts";
import { quoteFirstSection, quoteSection } from "./quote-section.ts";
import { showQuotes } from "./show-quotes.ts";
import { worthOf } from "./touching.ts";
import { weighCandidates } from "./weigh-candidates.ts";

interface QuotingDeps {
  /** Tells what is near in meaning; one that answers at once, because nobody waits for a quote. */
  embedder?: Embedder | undefined;
}

/** What stands farther down in the results is for models, which can tell whether it answers. */
const QUOTED_SECTIONS = 5;

/** Answers with literal quotes from the passages: no model, no wait, nothing invented. */
export function createExtractiveResponder(deps: QuotingDeps = {}): Responder {
  return {
    name: "extractive",
    model: () => undefined,
    ready: async () => {},
    async *respond(whole, signal): AsyncIterable<ResponderEvent> {
      const request = { ...whole, passages: whole.passages.slice(0, QUOTED_SECTIONS) };
      const asked = askedOf(request);
      const { quotes, first } = await bestQuotes(deps, request, asked, signal);
      signal.throwIfAborted();
      const worth = worthOf(asked, quotes, request.passages);
      const onlyTouches = worth !== "answer" || request.onlyTouches === true;
      const shown = worth === "nothing" ? first : quotes;
      if (shown.length === 0) yield* namePages(request);
      else {
        yield { type: "text-delta", text: `${onlyTouches ? request.touching : request.quoting}\n\n` };
        yield* quote(request, shown, asked);
      }
      const usage = { promptTokens: 0, completionTokens: 0 };
      yield { type: "finish", finishReason: "stop", usage, onlyTouches };
    },
  };
}

/**
 * The relevance below which the best passage may be the right one, and its words do not tell which of its sentences answers:
 * the section is quoted then. Of 180 questions in readers' words, three more get their answer by this, with no more text to
 * read.
 */
const SURE_RELEVANCE = 0.8;

/** What may be quoted. */
interface Found {
  /** The best quote first, then those that add to it. */
  quotes: Quote[];
  /** The beginning of the section that was found first: it comes nearest where no quote is worth anything. */
  first: Quote[];
}

async function bestQuotes(
  { embedder }: QuotingDeps,
  { question, passages, language }: ResponderRequest,
  asked: Asked,
  signal: AbortSignal,
): Promise<Found> {
  const piecesOf = passages.map(({ text }) => readPieces(text, language));
  const candidates = listCandidates(passages, piecesOf);
  const kind = { ...kindOfQuestion(asked.asking), whole: kindOfQuestion(question).whole };
  const options = { asked, question, kind, passages, piecesOf, embedder };
  const weighed = await weighCandidates(candidates, options, signal);
  const first = quoteFirstSection(weighed);
  const isSure = passages.some(({ relevance }) => relevance >= SURE_RELEVANCE);
  // Of a comparison, each side may stand in a section of its own.
  if (kind.sides !== undefined) return { quotes: chooseQuotes(weighed, kind), first };
  if (!isSure) return { quotes: quoteSection(weighed, passages), first };
  const chosen = chooseQuotes(weighed, kind);
  return { quotes: withoutOtherSections(chosen, analyzeQuestion(asked.text)), first };
}

/** What quotes have to answer. A text that the reader points at is asked about, wherever it stands in what was searched. */
function askedOf({ question, searched = question, contexts, passages }: ResponderRequest): Asked {
  if (contexts.some(isPointedAt))
    return { text: searched, shares: undefined, near: searched, asking: question };
  const asked = askedIn(searched);
  if (asked.shares !== undefined) return asked;
  const known = passages.map(({ text }) => text).join("\n");
  return askedIn(withoutCircumstances(searched, (token) => known.includes(token)));
}

function* quote(
  request: ResponderRequest,
  quotes: readonly Quote[],
  { text }: Asked,
): Iterable<ResponderEvent> {
  for (const { number, parts } of showQuotes(needlessFirst(quotes), request.passages, text)) {
    for (const { markdown, offset } of parts) {
      yield { type: "quote-delta", text: markdown };
      if (offset !== undefined) yield { type: "citation", number, offset };
      yield { type: "quote-delta", text: "\n\n" };
    }
  }
}

const PAGES_MAX = 2;

/** Links to the sections that come nearest, one of each page. */
function* namePages({ touching, passages }: ResponderRequest): Iterable<ResponderEvent> {
  const pages = new Map(passages.toReversed().map((passage) => [passage.title, passage]));
  const shown = passages.filter((passage) => pages.get(passage.title) === passage).slice(0, PAGES_MAX);
  const titles = sourceTitles(shown.map(({ path = "", ...passage }) => ({ ...passage, path })));
  const links = shown.map(({ title, url }, at) => `- [${escapeLabel(titles[at] ?? title)}](${url})`);
  yield { type: "text-delta", text: `${touching}\n\n${links.join("\n")}\n` };
}
