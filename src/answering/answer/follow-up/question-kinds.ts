import { alternativesIn } from "./alternatives.ts";
import { anyOf, list, type Phrases } from "./words.ts";

const beginsWith = (phrases: Phrases) => new RegExp(`^[¿¡\\s]*(?:${anyOf(phrases)})`, "iu");
const contains = (phrases: Phrases) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${anyOf(phrases)})`, "iu");

/** "why not 80?": a why asks about an answer unless it says more. */
const WHY = beginsWith({
  en: "(?:why|how come)\\b",
  de: "(?:warum|wieso|weshalb|wozu)\\b",
  fr: "pourquoi\\b",
  es: "(?:por qué|para qué)(?!\\p{L})",
  zh: "为什么|为何",
  ja: "なぜ|どうして",
});

/** "give me", "zeig mir". */
const SHOWING = {
  en: "(?:(?:can|could|would) you |please |just )*(?:show|give|send|write|print) (?:me|us)\\b",
  de: "(?:kannst du|können sie|bitte)? ?(?:mir )?(?:zeig|gib)e?(?: mir)?\\b",
  fr: "(?:montre|donne)(?:z)?-moi(?!\\p{L})",
  es: "(?:muéstrame|dame|enséñame)(?!\\p{L})",
};
const SHOWS = beginsWith(SHOWING);

/** "give me the config line", unless it says of what. */
const SHOW = beginsWith({
  en: `${SHOWING.en}(?!.*\\b(?:of|for|on|about|how|where|which|with|to)\\b)`,
  de: `${SHOWING.de}(?!.*(?<!\\p{L})(?:für|von|wie|wo|mit|zu)(?!\\p{L}))`,
  fr: `${SHOWING.fr}(?!.*(?<!\\p{L})(?:de|du|des|pour|comment|où|avec)(?!\\p{L}))`,
  es: `${SHOWING.es}(?!.*(?<!\\p{L})(?:de|del|para|cómo|dónde|con)(?!\\p{L}))`,
});

/** "why not just open the port?": a why without a subject is short for the last answer. */
const WHY_ALONE = beginsWith({
  en: "(?:but )?why (?:not|only|just|then)\\b",
  de: "(?:warum|wieso|weshalb) (?:nicht|nur|dann|denn)\\b",
  fr: "pourquoi (?:pas|seulement|alors)\\b",
  es: "por qué (?:no|sólo|solo|entonces)(?!\\p{L})",
  zh: "为什么不",
});

/** "now everybody is logged out, why?": a statement of which the reader wants the reason is of what was done. */
const WHY_AT_END = new RegExp(
  `[,.;–—-] ?(?:${anyOf({
    en: "(?:but )?why(?: is (?:that|this|it))?",
    de: "(?:aber )?(?:warum|wieso|weshalb)(?: (?:das|denn))?",
    fr: "(?:mais )?pourquoi",
    es: "¿?(?:pero )?por qué",
  })}) ?[?!.]*$`,
  "iu",
);

/** "can't I just copy the file?": the reader doubts the answer. */
const DOUBT = beginsWith({
  en: "(?:can['’]?t|couldn['’]?t|isn['’]?t|aren['’]?t|don['’]?t|doesn['’]?t|won['’]?t|shouldn['’]?t)\\b",
  de: "(?:kann|darf|muss|geht|ist|wird) (?:ich|man|es|das|der|die) (?:denn |also |da )?nicht\\b",
  fr: "(?:on |je )?ne (?:peut|peux|faut|doit|dois)-?(?:on|je|il)? ?pas\\b",
  es: "no (?:puedo|se puede|es|hay|debería)\\b",
  zh: "(?:难道|不能|不是)",
});

/** "how many are kept?": what is counted was named before. */
const UNNAMED = beginsWith({
  en: "(?:how many|how much) (?:is|are|was|were|do|does|can|will|of|times)\\b",
  de: "(?:wie viele?) (?:ist|sind|wird|werden|davon|gibt)\\b",
  fr: "(?:combien|lequel|laquelle|lesquels) (?:est|sont|en)\\b",
  es: "(?:cuántos|cuántas) (?:son|hay|se)\\b",
});

/** "what if the disk is full?" */
const WHAT_IF = contains({
  en: "what (?:if|when)\\b",
  de: "was(?: ist| passiert)?,? wenn\\b",
  fr: "(?:et )?que se passe-t-il si\\b",
  es: "qué pasa si\\b",
  zh: "如果|要是|万一",
  ja: "もし|\\S{1,30}たら[?？]?$",
});

/** "which driver do I need at least?": a condition of what was advised. */
const CONDITION = contains({
  en: "(?:(?<!^i )need(?:ed|s)?|have to|must|required?|necessary|enough|at (?:least|most))\\b",
  de: "(?:brauche|muss|nötig|reicht|mindestens|höchstens)(?!\\p{L})",
  fr: "(?:besoin|faut|dois|suffit|au (?:moins|plus))\\b",
  es: "(?:necesit\\p{L}+|hace falta|hay que|tengo que|basta|al menos|como mínimo)",
  zh: "需要|至少|必须",
  ja: "\\S{0,30}(?:必要|少なくとも)",
});

/** 'I get "command not found"': what happened when the reader did as advised. */
const REPORT = beginsWith({
  en:
    "(?:(?:but|now|and|then|still) )*(?:i(?:['’]m| am| have|['’]ve)?(?: now| still| only| just| always)? (?:get|got|getting|see|tried|did)|" +
    "it (?:now |still |only |just )?(?:says|said|shows|prints|fails|failed|gives|complains|hangs)|(?:there|here)['’]s an error)\\b",
  de: "(?:ich (?:bekomme|kriege|erhalte|sehe|habe)|(?:es|da) (?:kommt|steht|erscheint))\\b",
  fr: "(?:j['’](?:obtiens|ai)|je (?:reçois|vois)|il (?:dit|affiche))(?!\\p{L})",
  es: "(?:me (?:sale|aparece|dice|da)|obtengo|recibo)\\b",
  zh: "(?:我?(?:得到|看到))?(?:了)?(?:报错|出现|显示|提示)",
  ja: ".{1,200}と(?:表示され|出|言われ)",
});

/** Words of reports and of errors that many things have: they do not say which one failed. */
const ERROR_WORDS = list(`
  access connection denied directory error errors exist exists failed failure fails found invalid message refused says shows
  terminal timed timeout tried unable unexpected unknown
  bekomme erhalte erscheint fehler fehlgeschlagen gefunden kommt kriege sehe steht unbekannt verweigert zugriff
  accès affiche dit erreur introuvable obtiens reçois refusé refusée trouvé vois échec
  acceso aparece denegado dice encontrado error fallo obtengo recibo rechazada sale
`);
/** The name of an error, which needs no topic. */
const ERROR_NAME = /\b[A-Z]{2,}(?:_[A-Z]+)+\b/;

/** Questions that are complete with a single word of their own: "Where are the logs?" */
const WHOLE = beginsWith({
  en:
    "(?:what|which|where|who|how) (?:is|are|was|were|do|does|did|can|could|should|would|will|must|to)\\b|(?:what|where)['’]s\\b|" +
    "(?:is|are) there\\b|(?:do|does) (?:you|\\S+) (?:have|support)\\b|can i\\b|(?:tell|show|explain|list)\\b",
  de: "(?:was (?:ist|sind)|wie (?!viel|lang|oft|groß)|wo|gibt es|kann (?:ich|man))",
  fr: "(?:qu['’]est-ce|c['’]est quoi|comment|où|y a-t-il|est-ce qu['’]il y a|peut-on|puis-je)",
  es: "(?:qué (?:es|son)|cómo|dónde|hay|puedo|se puede)",
  zh: ".{0,30}(?:是什么|什么是|如何|怎|哪|有没有)",
  ja: ".{0,30}(?:とは|どう|どこ|なに|何|ありますか|方法)",
});

const WORDS_MAX = 2;

/** Whether a question may be complete though it has next to no words of its own. */
export const isWhole = (question: string): boolean => WHOLE.test(question);

/** Whether a question is of a kind that is about the last answer, unless it has enough words of its own. */
export function isAboutAnswer(question: string, own: readonly string[]): boolean {
  if (CONDITION.test(question) && own.length < WORDS_MAX && alternativesIn(question).length <= 1) return true;
  if ([WHY_ALONE, WHY_AT_END, WHAT_IF, DOUBT, UNNAMED].some((kind) => kind.test(question))) return true;
  return [WHY, SHOW].some((kind) => kind.test(question)) && own.length <= WORDS_MAX;
}

/** A question without the words that have something shown: docs do not have them. */
export const withoutShowing = (question: string): string => question.replace(SHOWS, "").trim() || question;

/** Whether a reader says what happened, in words that fit many errors. */
export const isReport = (text: string, own: readonly string[]): boolean =>
  REPORT.test(text) &&
  !ERROR_NAME.test(text) &&
  own.filter((word) => !ERROR_WORDS.has(word)).length <= WORDS_MAX;
