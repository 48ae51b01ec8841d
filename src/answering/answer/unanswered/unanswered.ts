import { type Hit, relevanceMinOf } from "@docent/finding/search/search";
import { escapeLabel } from "@docent/kernel/text/write-markdown";
import { scanBlocks } from "@docent/reading/markdown/md/md";
import { plainText } from "@docent/reading/markdown/plain-text";
import type { AnswerEnd, AnswerEvent } from "../events.ts";
import { sourceTitles } from "../source-titles.ts";
import { type OpenAnswer, say, sayAll } from "../turn.ts";
import { CONDITION, CONTRAST, COURTESIES, REFUSALS } from "./refusal-words.ts";

// Two places decide that a question is unanswered: `answer.ts` before anything is written, where the best passage is not
// relevant enough (`decline`); and the end of `write/write.ts`, where a model said nothing but that it doesn't know
// (`doesNotKnow`).

/** Declines a question that the docs do not cover. No model writes the answer, so nothing is invented. */
export async function* decline(answer: OpenAnswer, hits: Hit[]): AsyncGenerator<AnswerEvent, AnswerEnd> {
  answer.turn.responder = "extractive";
  yield say(answer, answer.phrases.notCovered);
  yield* sayAll(answer, whereToTurn(answer, hits));
  return {
    outcome: "unanswered",
    responder: "extractive",
    model: undefined,
    cached: false,
    finishReason: "stop",
    usage: { promptTokens: 0, completionTokens: 0 },
  };
}

const PAGES_MAX = 3;
/** The share of the required relevance that a page with words of the question needs to be offered as help. */
const RELEVANCE_SHARE_MIN = 0.15;

/** Where a reader may turn when the docs do not answer: the nearest sections of the nearest pages, and the owner's contact. */
export function whereToTurn({ deps, request, phrases }: OpenAnswer, hits: Hit[]): string {
  const { site } = request;
  const { linkTo, settings } = deps;
  const nearMin = relevanceMinOf(site, settings) * RELEVANCE_SHARE_MIN;
  const pages = new Map<string, Hit>();
  for (const hit of hits.filter(({ relevance, hasWords }) => hasWords && relevance >= nearMin))
    if (!pages.has(hit.path)) pages.set(hit.path, hit);
  const shown = [...pages.values()].slice(0, PAGES_MAX);
  const titles = sourceTitles(shown);
  const links = shown.map((hit, at) => `- [${escapeLabel(titles[at] ?? hit.title)}](${linkTo(site, hit)})`);
  return [
    ...(links.length === 0 ? [] : [phrases.nearest, links.join("\n")]),
    ...(site.settings.contact === "" ? [] : [`${phrases.contact} ${linkOf(site.settings.contact)}`]),
  ]
    .map((paragraph) => `\n\n${paragraph}`)
    .join("");
}

function linkOf(contact: string): string {
  if (/^https?:/i.test(contact)) return `<${contact}>`;
  const address = contact.replace(/^mailto:/i, "");
  return `[${escapeLabel(address.replace(/\?.*$/, ""))}](mailto:${address})`;
}

/** A longer answer says more than that. */
const CHARACTERS_MAX = 700;
const SENTENCE_END = /(?<=[。！？])|(?<=[.!?])\s+|\n+/u;
const LINKED = /\[\[(\d{1,3})\]\]\([^()\s]*\)/g;
const CITED = /\[\d{1,3}\]/;

/**
 * Whether an answer only says that the docs do not answer; `notCovered` is the sentence that models are told
 * to use. One that goes on to make a statement is an answer.
 */
export function doesNotKnow(answer: string, notCovered: string): boolean {
  const told = answer.replace(LINKED, "[$1]").replaceAll(notCovered, "\n").trim();
  if (told === "") return answer.trim() !== "";
  if (told.length > CHARACTERS_MAX || scanBlocks(told).some(({ kind }) => !PROSE.has(kind))) return false;
  const clauses = told.split(SENTENCE_END).flatMap(clausesOf);
  const refuses = answer.includes(notCovered) || clauses.some(isRefusal);
  return refuses && clauses.every((clause) => isRefusal(clause) || isCourtesy(clause));
}

const PROSE: ReadonlySet<string> = new Set(["paragraph", "heading", "quote"]);

function clausesOf(sentence: string): string[] {
  return sentence.split(CONTRAST).filter((clause) => /\p{L}/u.test(clause));
}

function isRefusal(clause: string): boolean {
  const plain = plainText(clause.replace(/\s?\[\d{1,3}\]/g, ""));
  return !CONDITION.test(plain) && REFUSALS.some((refusal) => refusal.test(plain));
}

/** A citation makes it a statement, and a question back is not a courtesy. */
function isCourtesy(clause: string): boolean {
  if (CITED.test(clause) || clause.includes("`")) return false;
  return /[?？]\W*$/u.test(clause) || COURTESIES.some((courtesy) => courtesy.test(clause.trim()));
}
