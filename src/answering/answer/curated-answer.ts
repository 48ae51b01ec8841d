import { snippet } from "@docent/kernel/text/snippet";
import { type CitedPage, type CuratedMatch, citedPages, withLinks } from "../curated/curated.ts";
import type { AnswerEvent, FoundPassage } from "./events.ts";
import { toSearchText } from "./follow-up/follow-up.ts";
import { begin, finish, type OpenAnswer, type OpenTurn, sayAll } from "./turn.ts";

/** A curated answer that was found, with the words that found it. */
interface FoundCurated extends CuratedMatch {
  query: string;
}

const EXCERPT_CHARACTERS_MAX = 300;

/**
 * The curated answer to this question, if there is one. A reader who attached something asks about that. For
 * a follow-up, the reader's own words are tried first.
 */
export async function findCurated({ deps, request, signal }: OpenAnswer): Promise<FoundCurated | undefined> {
  const { site, question, conversation, contexts, images } = request;
  if (contexts.length > 0 || images.length > 0) return undefined;
  const filter = question.filter ?? {};
  const own = question.text.trim();
  for (const query of new Set([own, toSearchText(own, conversation, [])])) {
    const { audience } = question;
    const found = await deps.curated.match({ site, audience, question: query, filter }, signal);
    if (found) return { ...found, query };
  }
  return undefined;
}

/** Gives a curated answer, with links under which readers reach the cited pages. */
export async function* giveCurated(answer: OpenAnswer, found: FoundCurated): AsyncIterable<AnswerEvent> {
  const { deps, request, turn } = answer;
  const cited = citedPages(found);
  const urlOf = (page: CitedPage) => deps.linkTo(request.site, page);
  const text = withLinks(found, urlOf);
  fill(turn, found, cited, urlOf);
  const results = cited.map((page) => toFound(page, found.strength));
  yield* begin(answer, found.query, results);
  yield* sayAll(answer, text);
  for (const [index, page] of cited.entries())
    yield { type: "source", source: { id: `source_${index + 1}`, url: urlOf(page), title: page.title } };
  yield* finish(answer, {
    outcome: "curated",
    responder: undefined,
    model: undefined,
    cached: false,
    finishReason: "stop",
    usage: { promptTokens: 0, completionTokens: 0 },
  });
}

/** Records in the turn what was given, and from which pages. */
function fill(turn: OpenTurn, found: FoundCurated, cited: CitedPage[], urlOf: (page: CitedPage) => string) {
  const { name, query, generation, strength } = found;
  Object.assign(turn, { curated: name, searched: query, generation });
  const known = cited.flatMap(({ passageId, ...page }) =>
    passageId === undefined ? [] : [{ ...page, passageId }],
  );
  turn.retrieved = known.map(({ passageId, path, anchor }) => ({
    passageId,
    path,
    anchor,
    relevance: strength,
  }));
  turn.cited = cited.flatMap((page) =>
    page.passageId === undefined ? [] : [{ passageId: page.passageId, url: urlOf(page) }],
  );
}

function toFound({ text, path, title, href }: CitedPage, strength: number): FoundPassage {
  const score = Math.round(strength * 1000) / 1000;
  return { content: snippet(text, EXCERPT_CHARACTERS_MAX), path, title, href, score };
}
