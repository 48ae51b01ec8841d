import { type Grade, type Hit, isSameSection, sectionHolding } from "@docent/finding/search/search";
import { hrefOf } from "@docent/reading/page/page-path";
import type { NumberedPassage, ResponderRequest } from "./responder.ts";
import { notePassages } from "./retrieval.ts";
import { type OpenAnswer, queryOf } from "./turn.ts";

/** An answer being written, with its material. It grows where a model looks for more. */
export interface Draft extends OpenAnswer {
  /** Whether the passages answer the question, as far as searching can tell. */
  grade: Exclude<Grade, "none">;
  hits: Hit[];
  /** The same as a responder sees them: that at index n has the number n + 1. */
  passages: NumberedPassage[];
  /** The numbers of the passages that lead to where a quote of them stands. */
  quoted: Set<number>;
}

export const openDraft = (answer: OpenAnswer, hits: Hit[], grade: Draft["grade"]): Draft => ({
  ...answer,
  grade,
  hits,
  passages: hits.map((hit, index) => toNumbered(answer, hit, index + 1)),
  quoted: new Set(),
});

/** Adds the sections that the draft does not have yet, numbered on; gives all that were found, as they are numbered. */
export function addHits(draft: Draft, found: readonly Hit[]): NumberedPassage[] {
  const numbered = found.flatMap((hit) => {
    const at = draft.hits.findIndex((known) => isSameSection(known, hit));
    if (at >= 0) return draft.passages[at] ?? [];
    const added = toNumbered(draft, hit, draft.hits.length + 1);
    draft.hits.push(hit);
    draft.passages.push(added);
    return added;
  });
  notePassages(draft, draft.hits);
  return [...new Set(numbered)];
}

/**
 * The passage that leads to the section which holds what a passage has at that offset: of several sections that were joined,
 * another one may match the question best. The first section that is quoted takes the passage's number, others get one of
 * their own.
 */
export function numberSection(draft: Draft, number: number, offset: number): NumberedPassage | undefined {
  const hit = draft.hits[number - 1];
  if (hit === undefined) return undefined;
  const { anchor, headings } = sectionHolding(hit, offset);
  const isHere = (other: Hit) => other.passageId === hit.passageId && other.anchor === anchor;
  const known = draft.quoted.has(number) ? draft.hits.findIndex(isHere) : number - 1;
  const at = known >= 0 ? known : draft.hits.length;
  const placed = { ...hit, anchor, headings, href: hrefOf({ ...hit, anchor }) };
  draft.hits[at] = placed;
  draft.passages[at] = toNumbered(draft, placed, at + 1);
  draft.quoted.add(at + 1);
  notePassages(draft, draft.hits);
  return draft.passages[at];
}

/** A passage with the number by which an answer cites it (`citations/`). */
function toNumbered({ deps, request }: OpenAnswer, hit: Hit, number: number): NumberedPassage {
  const {
    title,
    headingsAbove: headings,
    headings: linkedHeadings,
    markdown,
    lacksWords,
    relevance,
    path,
  } = hit;
  const url = deps.linkTo(request.site, hit);
  return { number, title, headings, linkedHeadings, text: markdown, lacksWords, path, url, relevance };
}

/** The request for an answer from these passages alone. */
export function toResponderRequest(
  { request, turn, phrases, grade }: Draft,
  passages: NumberedPassage[],
): ResponderRequest {
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
    onlyTouches: grade === "touches",
    notCovered: phrases.notCovered,
    history,
    passages,
    contexts,
    images,
    currentPath: question.currentPath,
  };
}
