import { analyze, analyzeQuestion } from "@docent/finding/search/analyze";
import { type Asked, askedIn, withoutCircumstances } from "@docent/finding/search/search";
import { escapeLabel } from "@docent/kernel/text/write-markdown";
import type { Embedder } from "@docent/kernel/vectors/embedder";
import { readPieces } from "../pieces.ts";
import {
  isPointedAt,
  type NumberedPassage,
  type Responder,
  type ResponderEvent,
  type ResponderRequest,
} from "../responder.ts";
import { sourceTitles } from "../source-titles.ts";
import type { Quote } from "./build-quote.ts";
import { listCandidates } from "./candidates.ts";
import { chooseQuotes } from "./choose-quotes.ts";
import { kindOfQuestion } from "./question-kind.ts";
import { quoteFirstSection, quoteSection } from "./quote-section.ts";
import { showQuotes } from "./show-quotes.ts";
import { sharesOfNames, weighCandidates } from "./weigh-candidates.ts";

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
  const first = quoteFirstSection(weighed, asked.text);
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
  const titles = sourceTitles(
    shown.map(({ title, path = "", headings, linkedHeadings = headings }) => ({
      title,
      path,
      headings: linkedHeadings,
    })),
  );
  const links = shown.map(({ title, url }, at) => `- [${escapeLabel(titles[at] ?? title)}](${url})`);
  yield { type: "text-delta", text: `${touching}\n\n${links.join("\n")}\n` };
}

// As in `question-kind.ts`, the pattern has the words of several languages.
const NEEDLESS =
  /\b(?:there is|there['’]s|has|have|with) no need (?:to|for)\b|^[-*+>\s]*no need to\b|\b(?:do|does)(?: not|n['’]t) (?:need|have) to\b|\b(?:is|are)(?: not|n['’]t) (?:needed|necessary|required)\b|\bno (?:\w+ )?(?:configuration|setup|change|action|step)s? (?:is|are) (?:needed|necessary|required)\b|\b(?:just|simply) works?\b|\bworks? (?:out of the box|without (?:any )?(?:\w+ )?(?:configuration|setup))\b|\b(?:nicht|kein\w*(?: \w+)?) (?:nötig|notwendig|erforderlich)\b|\bn['’]est pas nécessaire\b|\bpas besoin d\w*\b|\bno (?:es necesari[oa]|hace falta)\b|无需|不需要|不必|必要(?:は|が)?(?:ありません|ない)|不要です/iu;

/**
 * The quotes with that first which says of what is asked that nothing is to be done for it: behind an example of how
 * something is set, it would be read as if that had to be set.
 */
function needlessFirst(quotes: readonly Quote[]): Quote[] {
  const [best, ...others] = quotes;
  if (best === undefined || !showsCode(best)) return [...quotes];
  const needless = others.find(
    ({ core }) => core.covered >= best.core.covered && NEEDLESS.test(core.piece.markdown) && isProse(core),
  );
  return needless === undefined ? [...quotes] : [needless, ...quotes.filter((quote) => quote !== needless)];
}

const isProse = ({ piece }: Quote["core"]): boolean => piece.kind !== "code" && piece.kind !== "table";

const showsCode = ({ positions, core: { around } }: Quote): boolean =>
  positions.some((position) => around[position]?.kind === "code");

/**
 * The quotes without those of other sections of the best one's page that add nothing asked: beside "Linux", which a question
 * names, "macOS" says how the same is done elsewhere.
 */
function withoutOtherSections(quotes: readonly Quote[], asked: readonly string[]): Quote[] {
  const [best] = quotes;
  if (best === undefined) return [];
  const named = asked.filter((term) => best.core.headingTerms.has(term));
  const isAdded = (quote: Quote) => asked.some((term) => !says(best, term) && says(quote, term));
  return quotes.filter((quote) => {
    const isElsewhere = quote.passage === best.passage && quote.core.heading !== best.core.heading;
    return !isElsewhere || named.every((term) => says(quote, term)) || isAdded(quote);
  });
}

/** Whether a quote, or a heading above it, has a word. */
const says = ({ core, positions }: Quote, term: string): boolean =>
  core.headingTerms.has(term) ||
  positions.some((position) => core.around[position]?.terms.has(term) ?? false);

// Measured on questions with known answers, asked with and without the pages that answer them: of the answers that hold
// what was asked for, at most 1.4 in a hundred are taken for a mere touch. Of those from other pages it is seven in ten where
// pages have little in common, and hardly any where all of them are one product's.
/** From this share of the question's words on that no passage has, the passages are about something else... */
const ABSENT_SHARE = 0.5;
/** ...unless the best quote is this near in meaning. */
const NEARNESS_MIN = 0.4;
/** What a quote must have of the question's words where it is not near in meaning either. */
const COVERED_MIN = 0.2;
const FAR_NEARNESS = 0.3;

/** What quotes are to a question: its answer, something near to it, or nothing that a reader would want to see. */
type Worth = "answer" | "touch" | "nothing";

/** What the best of some quotes is worth to a question. */
function worthOf(
  { near }: Pick<Asked, "near">,
  quotes: readonly Quote[],
  passages: readonly NumberedPassage[],
): Worth {
  const [best] = quotes;
  if (best === undefined) return "nothing";
  const { covered, nearness } = best.core;
  // Nearness is not known in every language.
  if (nearness === undefined) return "answer";
  if (covered < COVERED_MIN && nearness < FAR_NEARNESS) return "nothing";
  const isTouch = nearness < NEARNESS_MIN && absentShare(near, passages) >= ABSENT_SHARE;
  return isTouch ? "touch" : "answer";
}

/** The share of the words that are asked about, names before others, that stand in no passage. */
function absentShare(asked: string, passages: readonly NumberedPassage[]): number {
  const wanted = analyzeQuestion(asked);
  const there = new Set(
    passages.flatMap(({ title, headings, text }) => analyze([title, ...headings, text].join("\n"))),
  );
  const shares = sharesOfNames(asked);
  const weightOf = (terms: readonly string[]) =>
    terms.reduce((sum, term) => sum + (shares.get(term) ?? 1), 0);
  return weightOf(wanted.filter((term) => !there.has(term))) / Math.max(1, weightOf(wanted));
}
