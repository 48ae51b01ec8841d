import { type Grade, gradeOf, type Hit, isSameSection, relevanceMinOf } from "@docent/finding/search/search";
import type { AnswerEvent } from "./events.ts";
import type { Wanted } from "./follow-up/follow-up.ts";
import { bestRelevance, findSections, notePassages, readPassages } from "./retrieval.ts";
import { searchAnew } from "./rewriting/rewriting.ts";
import { type OpenAnswer, queryOf } from "./turn.ts";

/** What an answer is written from. */
interface Sought {
  hits: Hit[];
  grade: Grade;
  /** What found it. */
  query: string;
  /** What was searched for instead of the text as written; undefined where nothing was corrected. */
  corrected: string | undefined;
}

/**
 * Seeks what answers a question: on the page that it is about, by the question as asked, and in the words of the docs.
 * Notes it in the turn.
 */
export async function* seek(
  answer: OpenAnswer,
  { text: query, continued }: Wanted,
): AsyncGenerator<AnswerEvent, Sought> {
  const { deps, request, turn } = answer;
  const relevanceMin = relevanceMinOf(request.site, deps.settings);
  const asAsked = await findSections(answer, query, { continued });
  const corrected = asAsked.corrected?.text;
  turn.searched = corrected ?? asAsked.spelled ?? query;
  turn.generation = asAsked.generation;
  notePassages(answer, asAsked.hits);
  const page = await readThisPage(answer);
  if (page.hits.length > 0 && page.generation === asAsked.generation) {
    const others = asAsked.hits.filter((hit) => !page.hits.some((own) => isSameSection(own, hit)));
    const hits = [...page.hits, ...others];
    notePassages(answer, hits);
    return { hits, grade: "answers", query: turn.searched, corrected };
  }
  const isWhole = asAsked.isAgreed && query === request.question.text && !mayAskSeveral(query);
  const isSure = isWhole && gradeOf(bestRelevance(asAsked, request), relevanceMin) === "answers";
  const anew = isSure ? undefined : yield* searchAnew(answer, query, asAsked);
  const graded = gradeOf(bestRelevance(anew?.result ?? asAsked, request), relevanceMin);
  if (anew !== undefined && turn.rewritten.length > 0 && graded !== "none") {
    const { hits, generation } = anew.result;
    turn.generation = generation;
    notePassages(answer, hits);
    return { hits, grade: graded, query: queryOf(turn), corrected: undefined };
  }
  // A model that was too busy to say the question anew may still find the answer in what there is.
  const isOpen = graded === "none" && anew?.isBusy === true && asAsked.hits.length > 0;
  return { hits: asAsked.hits, grade: isOpen ? "touches" : graded, query: turn.searched, corrected };
}

/** How much of a page is read, before it is cut to what a prompt has room for. */
const PAGE_PASSAGES = 12;
/** The page that somebody is on, as they speak of it. */
const THIS_PAGE = new RegExp(
  [
    String.raw`\b(?:this|the current) (?:page|article|document|chapter|guide)\b`,
    String.raw`\bdiese[rsmn]? (?:seite|artikels?|dokument(?:s|es)?|kapitels?)\b`,
    String.raw`\b(?:cette page|cet article|ce document)\b`,
    String.raw`\b(?:est[ae] (?:p[áa]gina|art[íi]culo|artigo|documento)|quest[ao] (?:pagina|articolo))\b`,
    "(?:эт(?:ой|а|у|ого) (?:страниц|стать)|(?:本|这(?:个|一)?|此)(?:页面?|网页|文章|文档)|この(?:ページ|記事)|이 (?:페이지|문서))",
  ].join("|"),
  "iu",
);

/** Whether a question is about the page that its reader is on. */
export const asksOfThisPage = (question: string): boolean => THIS_PAGE.test(question);

/** The sections of the page that its reader is on, from the top, where the question is about that; none otherwise. */
async function readThisPage(answer: OpenAnswer): Promise<{ generation: number; hits: Hit[] }> {
  const { request, deps } = answer;
  const { currentPath, text } = request.question;
  if (currentPath === undefined || !asksOfThisPage(text)) return { generation: 0, hits: [] };
  const { generation, passages } = await readPassages(answer, { path: currentPath, passages: PAGE_PASSAGES });
  // What was asked for by its name is as relevant as an answer has to be.
  const relevance = relevanceMinOf(request.site, deps.settings);
  return { generation, hits: passages.map((passage) => ({ ...passage, score: 0, relevance })) };
}

const QUESTION_CHARACTERS_MAX = 2000;
const ASKING = [
  "how (?:do|does|can|long|many|much|often)|what|which|where|when|why|can i|could i|do i|does it|is it|is there|are there",
  "wie|was|welche[rsnm]?|wo|wann|warum|kann ich|gibt es",
  "comment|quel(?:le)?s?|où|quand|pourquoi|combien|puis-je|est-ce",
  "¿|cómo|qué|dónde|cuándo|cuál(?:es)?|cuánt[oa]s?|puedo",
  "如何|怎么|什么|哪|能否|可以",
  "どこ|どう|何|いつ|なぜ",
].join("|");
/** Two marks with words behind the first; or a comma or an "and" before a word that asks. */
const SEVERAL = new RegExp(
  `[?？](?=\\s*\\p{L}[^?？]*[?？])|(?:[,;?？、，]|(?<!\\p{L})(?:and|und|et|y)) *(?:(?:and|und|et|y|in|to|for|from|with) +){0,2}(?:${ASKING})(?!\\p{Ll})`,
  "iu",
);

/** Whether a question may ask several things: what is found then is near to one of them, and says nothing of the others. */
const mayAskSeveral = (question: string): boolean => SEVERAL.test(question.slice(0, QUESTION_CHARACTERS_MAX));
