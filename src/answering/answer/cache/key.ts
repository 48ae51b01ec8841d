import { type Audience, audienceKey } from "@docent/sites/pages/audience";
import type { QuestionFilter } from "../../threads/threads.ts";
import type { OpenRequest } from "../request.ts";

/** What an answer depends on besides its question. */
interface Circumstances {
  /** A text that changes with the program's version and every setting that affects answers or links. */
  revision: string;
  responder: string;
  /** With its version, where that is known. */
  model: string;
  /** Who asks, by what of it matters to the site. */
  audience: Audience;
}

/**
 * The same key for questions that may share an answer, and for no others: a hash, so that it does not reveal
 * the questions.
 */
export function cacheKey({ site, question, pageSize }: OpenRequest, circumstances: Circumstances): string {
  // The generation is missing on purpose: the store returns no answer of another one.
  const { id, domain, name, url, settings } = site;
  const { revision, responder, model, audience } = circumstances;
  const dependencies = [
    revision,
    responder,
    model,
    id,
    domain,
    name,
    url ?? null,
    settings,
    normalizeQuestion(question.text),
    question.currentPath ?? null,
    audienceKey(audience),
    narrowing(question.filter),
    pageSize,
  ];
  return new Bun.CryptoHasher("sha256").update(JSON.stringify(dependencies)).digest("base64url");
}

/** A filter in a canonical form. One that excludes nothing equals none. */
const narrowing = ({ version, language, tag, groups = [] }: QuestionFilter = {}) => [
  version || null,
  language || null,
  tag || null,
  [...new Set(groups)].sort(),
];

/** Trailing full stops and question marks, including a single one after a space, as in French. */
const END_MARKS = /(?<=[^\s.?!。？！…])(?:[.?!。？！…]+|\s[?!])$/u;
/** A word that means the same in any case: `Linux` and `HOW` do; `-D`, `useChat` and `"String"` may not. */
const PLAIN_WORD = /(?<![^\s(])(?:I|\p{L}\p{Ll}+|\p{Lu}{2,})(?:['’]\p{L}+)?(?=[),.:;?!。，？！…]*(?:\s|$))/gu;

/** A question without insignificant differences: the case of plain words, spaces, a mark at the end. */
export function normalizeQuestion(text: string): string {
  const normal = text.normalize("NFKC").trim();
  // Every space in pasted code may matter.
  if (normal.includes("\n")) return normal;
  return normal
    .replace(/\s+/g, " ")
    .replace(END_MARKS, "")
    .replace(PLAIN_WORD, (word) => word.toLowerCase());
}
