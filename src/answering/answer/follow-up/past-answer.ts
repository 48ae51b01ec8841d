import { decodePercent } from "@docent/kernel/text/decode-percent";

const SENTENCE_CHARACTERS_MAX = 300;
const ITEM_CHARACTERS_MAX = 120;
const CITED_MAX = 2;
const ADDRESSES_MAX = 8;
export const ANSWER_CHARACTERS_MAX = 8000;

/** Words that introduce an offer: "Would you like me to show you how to". */
const OFFERS =
  /^(?:(?:if you (?:like|want|wish),?|also,?|or)\s+)?(?:would you (?:also )?like|do you (?:also )?want|shall i|should i|can i|may i|i can(?: also)?|i could|let me know if you(?:['’]d| would)? (?:like|want)|want|möchten sie|möchtest du|soll ich|wollen sie|voulez-vous|souhaitez-vous|quieres?(?: que)?|需要我|要我|要不要我)(?![\p{L}])/iu;
const OFFER_FILLER =
  /^\s*(?:(?:me|you|to|us|also|now|dir|ihnen|euch|que je|vous|te)\s+)*(?:(?:see|know|show|explain|learn|hear|give|describe|tell|walk|help|look|read|zeigen|erklären|wissen|sehen|voir|savoir|ver|saber)\s+)?(?:(?:you|me|about|through|more|at|an?|the|example|examples|of|with|for|how|that|wie|comment|cómo)\s+)*(?:to\s+)?/iu;

const LIST_ITEM = /^[ \t]*(?:[-*+]|\d{1,2}[.)])\s+(.+)$/gmu;
const ORDINALS: [words: RegExp, index: number][] = [
  [/\b(?:first|1st|erste[nrs]?|premi(?:er|ère)|primer[oa]?)\b|第一|一つ目|1つ目/iu, 0],
  [/\b(?:second|2nd|latter|zweite[nrs]?|deuxième|segund[oa])\b|第二|二つ目|2つ目/iu, 1],
  [/\b(?:third|3rd|dritte[nrs]?|troisième|tercer[oa]?)\b|第三|三つ目|3つ目/iu, 2],
  [/\b(?:fourth|4th|vierte[nrs]?|quatrième|cuart[oa])\b|第四|四つ目/iu, 3],
  [/\b(?:fifth|5th|fünfte[nrs]?|cinquième|quint[oa])\b|第五|五つ目/iu, 4],
  [/\b(?:last|final|letzte[nrs]?|derni(?:er|ère)|últim[oa])\b|最后|最後/iu, -1],
];
const NUMBERED =
  /(?:\b(?:option|number|step|item|point|method|way|no\.?|nr\.?|schritt|numéro|número)\s*|#)(\d{1,2})\b/iu;
const REFERS_TO_ITEM =
  /\b(?:the|der|die|das|le|la|el)\s+\S+\s*(?:one|option|way|method|step|item|point|approach|solution|choice|möglichkeit|schritt)?\s*[?.!]*$|\bone\b|\b(?:option|way|method|step|item|point|approach)\b|第.|つ目|最[后後]/iu;

/** Names of pages that say nothing without their folder. */
const PAGES_OF_A_FOLDER =
  /^(?:index|overview|introduction|readme|setup|usage|reference|quick-?start|getting-started)$/i;

/** What an answer offers at its end, without the words of offering: what a "yes" then asks for. */
export function offerIn(answer: string): string | undefined {
  const text = plain(answer);
  const sentences = text.match(/[^.!?。！？\n]+(?:[.!?](?=\s|$)|[。！？]|\n|$)|[.!?]\S*/gu) ?? [];
  const last = sentences.findLast((sentence) => /[\p{L}]/u.test(sentence))?.trim() ?? "";
  const isOffer = OFFERS.test(last);
  if (!isOffer && !/[?？]$/.test(last)) return undefined;
  const offered = isOffer ? last.replace(OFFERS, "").replace(OFFER_FILLER, "") : last;
  return (
    bounded(offered.replace(/(?<![\s?？.。!！])[\s?？.。!！]+$/u, ""), SENTENCE_CHARACTERS_MAX) || undefined
  );
}

/** Whether an answer ends with a question. */
export const endsWithQuestion = (answer: string): boolean => /[?？]\s*$/.test(plain(answer));

/** The list item of an answer that a question refers to by its number. */
export function itemIn(answer: string, question: string): string | undefined {
  const items = [...plain(answer).matchAll(LIST_ITEM)].map(([, item = ""]) => item);
  if (items.length < 2) return undefined;
  const number = NUMBERED.exec(question)?.[1];
  const ordinal = ORDINALS.find(([words]) => words.test(question) && REFERS_TO_ITEM.test(question))?.[1];
  const item =
    number !== undefined ? items[Number(number) - 1] : ordinal === undefined ? undefined : items.at(ordinal);
  return item === undefined
    ? undefined
    : bounded(item.trim().replace(/(?<![.;,])[.;,]+$/, ""), ITEM_CHARACTERS_MAX);
}

/** The addresses that an answer cites by their numbers, in order: other links are a quoted page's own. */
export function addressesIn(answer: string): string[] {
  const cited = answer.slice(-ANSWER_CHARACTERS_MAX).matchAll(/\[\[\d{1,3}\]\]\(([^()\s]{1,2000})\)/g);
  return [...new Set([...cited].map(([, url = ""]) => url))].slice(0, ADDRESSES_MAX);
}

/** The names of the pages and sections that an answer links to, from the link's words or its address. */
export function citedIn(answer: string): string[] {
  const links = [...answer.matchAll(/\[(\[\d{1,3}\]|[^[\]\n]{1,200})\]\(([^()\s]{1,2000})\)/g)];
  const names = links.map(([, label = "", url = ""]) => (/^\[\d+\]$/.test(label) ? nameOf(url) : label));
  return [...new Set(names.filter((name) => name !== ""))]
    .slice(0, CITED_MAX)
    .map((name) => bounded(name, 80));
}

/**
 * A page's name from its address: "install linux with apt" for "/guide/install-linux#with-apt";
 * "/webhooks/setup" needs its folder to say anything.
 */
function nameOf(url: string): string {
  const [address = "", anchor = ""] = url.split("#", 2);
  const page = address
    .replace(/[?].*$/, "")
    .replace(/^https?:\/\/[^/]*/, "")
    .replace(/\.\w{2,4}$/, "");
  const segments = page.split("/").filter((segment) => segment !== "");
  const parts = PAGES_OF_A_FOLDER.test(segments.at(-1) ?? "") ? segments.slice(-2) : segments.slice(-1);
  const words = [...parts, anchor].map((part) =>
    decodePercent(part)
      .replace(/[-_+.]+/g, " ")
      .trim(),
  );
  return words.filter((part) => part !== "" && !/^\d+$/.test(part)).join(" ");
}

/** An answer without link targets, citation numbers, code and suggestions. */
function plain(answer: string): string {
  return answer
    .replace(/```[^`]*(?:```|$)/g, "\n")
    .replace(/\s?\[\[\d{1,3}\]\]\([^()\s]*\)/g, "")
    .replace(/\[([^[\]\n]{1,200})\]\([^()\s]*\)/g, "$1")
    .replace(/[*_`]+/g, "")
    .trim();
}

const bounded = (text: string, characters: number) => text.slice(0, characters).toWellFormed().trim();
