import type { QuestionFilter } from "../../threads/threads.ts";
import type { OpenRequest } from "../request.ts";

/** What an answer depends on besides its question. */
interface Circumstances {
  /** Names the program's version and the settings that change what is written, or where its links lead. */
  revision: string;
  responder: string;
  /** With its version, where that is known. */
  model: string;
}

/**
 * The same for questions to which the same answer may be given, and for no others: a hash, so that the questions
 * themselves are not to be read from it.
 */
export function cacheKey({ site, question, pageSize }: OpenRequest, circumstances: Circumstances): string {
  // The generation is missing on purpose: the store gives away no answer of another one.
  const { id, domain, name, url, settings } = site;
  const { revision, responder, model } = circumstances;
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
    narrowing(question.filter),
    pageSize,
  ];
  return new Bun.CryptoHasher("sha256").update(JSON.stringify(dependencies)).digest("base64url");
}

/** A filter in one form. One that narrows to nothing in particular is like none. */
const narrowing = ({ version, language, tag, groups = [] }: QuestionFilter = {}) => [
  version || null,
  language || null,
  tag || null,
  [...new Set(groups)].sort(),
];

/** Full stops and question marks at the end: behind something, or one of them behind a space as the French write it. */
const END_MARKS = /(?<=[^\s.?!。？！…])(?:[.?!。？！…]+|\s[?!])$/u;
/** A word that means the same however it is written: `-D`, `useChat` and `"String"` may not, `Linux` and `HOW` do. */
const PLAIN_WORD = /(?<![^\s(])(?:I|\p{L}\p{Ll}+|\p{Lu}{2,})(?:['’]\p{L}+)?(?=[),.:;?!。，？！…]*(?:\s|$))/gu;

/** A question without what says nothing: the case of plain words, spaces, the mark at its end. */
export function normalizeQuestion(text: string): string {
  const normal = text.normalize("NFKC").trim();
  // In pasted code, every space may count.
  if (normal.includes("\n")) return normal;
  return normal
    .replace(/\s+/g, " ")
    .replace(END_MARKS, "")
    .replace(PLAIN_WORD, (word) => word.toLowerCase());
}
