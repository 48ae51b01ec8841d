import { analyzeQuestion } from "@docent/finding/search/analyze";
import { listItems, scanBlocks } from "@docent/reading/markdown/md/md";
import { plainInline } from "@docent/reading/markdown/plain-text";
import { citedNumbers } from "../citations/citations.ts";
import { cutSentences, cutTable } from "../pieces.ts";

/** A sentence or code block of an answer. */
export interface Sentence {
  /** Its words, without marks and citations. */
  text: string;
  isCode: boolean;
  /** What it has between backticks. */
  code: string[];
  /** The passages that it cites itself. */
  cites: number[];
}

const CITATION = /\s?\[\[(\d{1,3})\]\]\([^()\s]*\)|\s?(?<![\w\]])\[([^[\]]{1,60})\](?![([:])/g;
/** Citations after the mark that ends their sentence. */
const CITED_AFTER = /([.!?。！？])((?:\s*(?:\[\[\d{1,3}\]\]\([^()\s]*\)|\[[\d,;\s–-]{1,20}\]))+)/g;
/** A citation's address may contain a question mark, which ends no sentence. */
const ADDRESS_CITED = /(\[\[\d{1,3}\]\])\([^()\s]*\)/g;
const CODE_SPAN = /(?<!`)(`+)(?!`)([^`]+)\1(?!`)/g;
const NESTING_MAX = 4;
const TERMS_MIN = 2;

/** The sentences of an answer, in order: from paragraphs, list items and quotes, table rows, and code. */
export function sentencesOf(markdown: string, language = "en", nesting = 0): Sentence[] {
  return scanBlocks(markdown).flatMap(({ kind, text }) => {
    if (kind === "code") return [{ text: codeOf(text), isCode: true, code: [], cites: [] }];
    if (kind === "table") return cutTable(text).rows.map(toSentence);
    if (kind === "paragraph") {
      const cited = text.replace(ADDRESS_CITED, "$1(#)").replace(CITED_AFTER, "$2$1");
      return cutSentences(cited, language).map(toSentence);
    }
    if (nesting >= NESTING_MAX) return [];
    if (kind === "list")
      return listItems(text).flatMap((item) => sentencesOf(withoutMarker(item), language, nesting + 1));
    if (kind === "quote") return sentencesOf(text.replace(/^ {0,3}> ?/gm, ""), language, nesting + 1);
    return [];
  });
}

/**
 * Whether a sentence makes a statement that a passage may support: more than "To do so, run:" or a question.
 */
export function states({ text, isCode }: Pick<Sentence, "text" | "isCode">): boolean {
  if (isCode) return text.trim() !== "";
  return !/[:：?？][^\w:：?？]*$/u.test(text) && analyzeQuestion(text).length >= TERMS_MIN;
}

function toSentence(markdown: string): Sentence {
  const cites: number[] = [];
  const bare = markdown.replace(CITATION, (written, linked?: string, plain?: string) => {
    const numbers = linked === undefined ? citedNumbers(plain ?? "") : [Number(linked)];
    cites.push(...(numbers ?? []));
    return numbers === undefined ? written : "";
  });
  const code = [...bare.matchAll(CODE_SPAN)].map(([, , inside = ""]) => inside.trim());
  return { text: plainInline(bare.replaceAll("|", " ")), isCode: false, code, cites: [...new Set(cites)] };
}

function withoutMarker(item: string): string {
  const marker = /^\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ x]\]\s+)?/i.exec(item)?.[0] ?? "";
  return item.slice(marker.length).replace(new RegExp(`\\n {1,${Math.max(1, marker.length)}}`, "g"), "\n");
}

/** The lines between the fences. */
const codeOf = (block: string) =>
  block.replace(/^\s*(`{3,}|~{3,}).*\n?/, "").replace(/(?<!\n[^\S\n]*)\n\s*(`{3,}|~{3,})\s*$/, "");
