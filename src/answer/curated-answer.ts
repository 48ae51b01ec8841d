import type { CitedPage } from "../curated/answer-links.ts";
import type { CuratedMatch } from "../curated/curated.ts";
import { rewriteLinks } from "../curated/rewrite-links.ts";
import { snippet } from "../text/snippet.ts";
import type { AnswerEvent, FoundPassage } from "./events.ts";
import { toSearchText } from "./follow-up/follow-up.ts";
import type { AnswerDeps, OpenRequest } from "./request.ts";
import { closeTurn, type OpenTurn, sayAll } from "./turn.ts";

/** A curated answer that was found, and the words by which it was. */
export interface FoundCurated extends CuratedMatch {
  query: string;
}

const EXCERPT_CHARACTERS_MAX = 300;

/**
 * The answer that people wrote for this question, if there is one. A reader who attached something asks about that. Of
 * a question that leans on the conversation, the reader's own words come first.
 */
export async function findCurated(
  { curated }: Pick<AnswerDeps, "curated">,
  { site, question, conversation, contexts, images }: OpenRequest,
  signal: AbortSignal,
): Promise<FoundCurated | undefined> {
  if (contexts.length > 0 || images.length > 0) return undefined;
  const filter = question.filter ?? {};
  const own = question.text.trim();
  for (const query of new Set([own, toSearchText(own, conversation, [])])) {
    const found = await curated.match({ site, question: query, filter }, signal);
    if (found) return { ...found, query };
  }
  return undefined;
}

/** Gives a curated answer, with links to what it cites as readers reach it. */
export async function* giveCurated(
  deps: AnswerDeps,
  { site, threadId, turnId, isNewThread }: OpenRequest,
  turn: OpenTurn,
  found: FoundCurated,
): AsyncIterable<AnswerEvent> {
  const pages: CitedPage[] = [...found.links.values()].flatMap((link) =>
    link.kind === "page" ? [link.page] : [],
  );
  const cited = pages.filter(({ href }, index) => pages.findIndex((page) => page.href === href) === index);
  const urlOf = (page: CitedPage) => deps.linkTo(site, page);
  const text = rewriteLinks(found.markdown, (href) => {
    const link = found.links.get(href);
    if (link?.kind === "elsewhere") return link.href;
    return link?.kind === "page" ? urlOf(link.page) : undefined;
  });
  fill(turn, found, cited, urlOf);

  turn.started = true;
  yield { type: "start", threadId, messageId: turnId };
  const results = cited.map((page) => toFound(page, found.strength));
  yield { type: "search", callId: `search_${turnId}`, query: found.query, results };
  yield* sayAll(deps, turn, text);
  for (const [index, page] of cited.entries())
    yield { type: "source", source: { id: `source_${index + 1}`, url: urlOf(page), title: page.title } };
  await closeTurn(deps, turnId, turn, "curated");
  yield {
    type: "finish",
    threadId,
    isNewThread,
    outcome: "curated",
    responder: undefined,
    model: undefined,
    cached: false,
    finishReason: "stop",
    usage: { promptTokens: 0, completionTokens: 0 },
  };
}

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
