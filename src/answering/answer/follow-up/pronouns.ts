import { tellingWords } from "./words.ts";

/** "it", "that" and "there" as expletives, which stand for nothing. */
const EXPLETIVE =
  /\b(?:(?:is|was|would|will|can|does|do|may|should) it (?:be )?(?:possible|safe|ok(?:ay)?|worth|necessary|better|best|true|recommended|required|allowed|easy|hard|make sense|matter|take|cost|mean (?:when|if|that))|(?:does|would|will|can) it take|it(?: is|['’]s| was) (?:possible|safe|necessary|better|true|recommended|required|allowed|said)|it (?:takes?|seems|says|looks like|turns out)|make it (?:possible|so)|when it comes to|(?:is|are|was|were|will|be) there\b|there(?:['’]s| is| are| was| were| will)|(?:so|such|make sure|sure|ensure|now|given|provided|mean|means|says?|said|know|check|see|verify|think|sure) that(?= (?:the|a|an|all|each|every|no|only|my|our|your|two|there|\p{L}+s\b))|(?:only|at least|more than|just|up to|than) one\b|one (?:of|by|or more|at a time|thing|page|file|day|hour|minute)\b|at the same time|each other|(?:instead|other) (?:of|than)|gibt es|es gibt|wie geht es|il y a|il faut)\b/giu;

/** English words that stand for something said before. */
const POINTS_BACK =
  /\b(?:it|its|itself|they|them|their|theirs|these|those|this|ones|he|him|she|former|latter|above|aforementioned|both|neither|either|others?|such|thereof|therein)\b|\bthat(?=\s*(?:[?.!,;:]|$))|\bthat(?:['’]s)?(?= (?:is|was|does|work|works|mean|means|has|have|can|will|would|should|be|for|in|on|with|from|to|one|way|by|at|after|too|also|instead|page|command|option|setting|error|file|value|key|flag|step|method|function|parameter|variable|feature|case|message|process|number|line)\b)|^that\b|\bthat (?:off|on|up|down|out|back|away|over|again)\b|\b(?:is|does|did|do|was|for|of|about|with|like|after|before|than|change|why) that\b(?! (?:the|a|an|i|we|you|my|our|all|every|each|no)\b)|\b(?:the|which|this|another|other|each|any|new|first|second|third|last|old) one\b(?!-)|\bone (?:that|which)\b|\bthe (?:two|three|four)(?=\s*(?:[?.!,]|$))|\bone(?=\s*(?:[?.!,]|$))|\bthere(?=\s*(?:[?.!,]|$))|\b(?:from|over|up|in) there\b|\bthe same\b/iu;

/** Words at the end that join a question to what was said: "do I lose messages then?" */
const JOINS_AT_END =
  /\b(?:instead|too|as well|otherwise|again|then|afterwards|meanwhile|later)(?=\s*[?.!]*$)/iu;

/** The same in German, French and Spanish. */
const POINTS_BACK_ELSEWHERE =
  /\b(?:das|dies|diese[rsmn]?)(?=\s*(?:[?.!,]|$))|\b(?:ihn|ihm|dafür|damit|davon|dazu|darin|daran|dort|stattdessen|ebenfalls|beides?)\b|\bsie(?=\s*[?.!]*$)|(?:^|\s)(?:ça|cela|ceci|celui-ci|celle-ci|celui|celle|ceux|lequel|laquelle)(?=\s|[?.!,]|$)|(?:^|\s)l['’]\p{L}+(?:er|ir|re)(?=\s|[?.!]|$)|\blo (?!que|más)\p{L}+|\b(?:eso|esto|ello|ellos|ellas|allí|ahí|aquello|mismo)\b|\b\p{L}+(?:ar|er|ir)(?:l[oa]s?|me|se)\b/iu;

/**
 * "Wie lange ist er gültig?", "kannst du das genauer erklären?". Capitals tell: "Sie" is the reader, and a noun after
 * "das" makes it an article.
 */
const GERMAN_PRONOUN =
  /(?<!, |\p{L})(?:[Dd]as|[Dd]ies|[Dd]iese[rsmn]?)(?= \p{Ll})(?! \p{Ll}+ \p{Lu})|(?<!\p{L})(?:(?:ich|man|wir) (?:es|sie|ihn|ihm|ihnen)|(?:ist|wird|kann|muss|soll|darf|hat|läuft|bleibt|gilt|braucht) (?:er|sie|es(?! (?:möglich|nötig|erlaubt|sicher|sinnvoll|auch (?:ein|möglich))))|(?:sind|werden|können|müssen) sie)(?!\p{L})/u;

/** "où est-elle ?", "comment la renouveler ?" Not "les clés sont-elles valables ?", which names its subject. */
const FRENCH_PRONOUN =
  /^(?:(?:et|mais|où|quand|comment|combien|pourquoi|de|temps|à|quoi) ){0,4}(?!faut-il|est-il (?:possible|nécessaire|obligatoire))\p{L}{1,20}-(?:t-)?(?:ils?|elles?)(?!\p{L})|(?<!\p{L})(?:comment|pour|puis-je|peut-on|dois-je|faut-il|on peut|je peux) (?:le|la|les) \p{L}{2,20}(?:er|ir|re)(?!\p{L})/iu;

/** "¿cómo la borro?", "¿dónde se guarda?" */
const SPANISH_PRONOUN =
  /(?<!\p{L})(?:cómo|dónde|cuándo|puedo|debo) (?:lo|la|los|las) \p{L}{2,20}(?:o|amos|emos|imos)(?!\p{L})|(?<!\p{L})(?:cómo|dónde|cuándo) se \p{L}{2,20}\s*[?.!]*$/iu;

const POINTS_BACK_UNSPACED =
  /它们?|这个|那个|这些|那些|这样|那样|这里|那里|其中|上面|前者|后者|另一个|呢[?？。\s]*$|それ|これ|あれ|そこ|その|この|そう|同じ|場合は[?？。\s]*$|[^\sに]は[?？]\s*$|の方は/u;

const ELSEWHERE = [
  POINTS_BACK_ELSEWHERE,
  GERMAN_PRONOUN,
  FRENCH_PRONOUN,
  SPANISH_PRONOUN,
  POINTS_BACK_UNSPACED,
];

const CLAUSE =
  /[,;:.!?]\s|\s(?:and|then|if|when|whenever|after|before|because|but|while|until|so|und|dann|wenn|et|si|y)\s/giu;

/** Whether a question contains a word that stands for something outside of it. */
export function hasPronoun(question: string): boolean {
  return ELSEWHERE.some((pronouns) => pronouns.test(question)) || finds(POINTS_BACK, question);
}

/** Whether a question contains a pronoun, or ends as if it went on from something. */
export const pointsBack = (question: string): boolean =>
  hasPronoun(question) || finds(JOINS_AT_END, question);

/** Whether English words stand for something that the question does not name itself. */
function finds(words: RegExp, question: string): boolean {
  const text = question.replace(EXPLETIVE, (found) => " ".repeat(found.length));
  const found = words.exec(text);
  return found !== null && !isNamedBefore(text.slice(0, found.index));
}

/**
 * Whether an earlier clause names what the word stands for: "If a job runs for too long, how do I end it?"
 */
function isNamedBefore(before: string): boolean {
  const boundary = [...before.matchAll(CLAUSE)].at(-1);
  const clause = boundary === undefined ? "" : before.slice(0, boundary.index);
  return tellingWords(clause).length >= 2;
}
