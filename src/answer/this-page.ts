import { type Hit, relevanceMinOf } from "../search/search.ts";
import { readPassages } from "./retrieval.ts";
import type { OpenAnswer } from "./turn.ts";

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
export async function readThisPage(answer: OpenAnswer): Promise<{ generation: number; hits: Hit[] }> {
  const { request, deps } = answer;
  const { currentPath, text } = request.question;
  if (currentPath === undefined || !asksOfThisPage(text)) return { generation: 0, hits: [] };
  const { generation, passages } = await readPassages(answer, { path: currentPath, passages: PAGE_PASSAGES });
  // What was asked for by its name is as relevant as an answer has to be.
  const relevance = relevanceMinOf(request.site, deps.settings);
  return { generation, hits: passages.map((passage) => ({ ...passage, score: 0, relevance })) };
}
