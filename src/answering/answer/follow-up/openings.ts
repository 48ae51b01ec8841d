import { anyOf } from "./words.ts";

/** Matches a sequence of these with nothing else but punctuation. */
const only = (phrases: string) =>
  new RegExp(`^(?:(?:${phrases})(?![\\p{L}\\p{N}])[\\s,.!;、，。！…-]*)+$`, "iu");
/** Matches one or more of these at the start, each with the punctuation after it. */
const leading = (phrases: string) =>
  new RegExp(`^(?:(?:${phrases})(?![\\p{L}\\p{N}'’])[\\s,.!;:¿¡、，。！…-]*)+`, "iu");

const THANKS = anyOf({
  en:
    "thanks?(?: you)?(?: (?:so|very) much| a lot)?|thx|many thanks|great|cool|perfect|nice|awesome|excellent|brilliant|got it|" +
    "i see|understood|good|so|now|well|(?:that|it|this) (?:works|worked|helps|helped)(?: now)?|hi|hello|hey",
  de: "vielen dank|danke(?: schön| dir| ihnen)?|perfekt|super|toll|prima|hallo|das (?:hat geholfen|hilft|geht|klappt)",
  fr: "merci(?: beaucoup)?|parfait|bonjour",
  es: "(?:muchas )?gracias|perfecto|genial|hola",
  zh: "谢谢你?|谢谢您|多谢|太好了",
  ja: "ありがとう(?:ございます|ございました)?|どうも|なるほど",
});
const YES = anyOf({
  en:
    "yes|yeah|yep|yup|ok|okay|sure(?: thing)?|please|go ahead|do (?:it|that|so)|show me (?:that|how)|of course|" +
    "absolutely|definitely|certainly|sounds good|i (?:do|would)|i'?d (?:like|love) (?:that|to)|continue|go on",
  de: "ja|jawohl|bitte(?: schön)?|gerne?|klar|natürlich|mach das",
  fr: "oui|d['’]accord|s['’]il (?:te|vous) pla[iî]t|volontiers|bien sûr",
  es: "s[ií]|claro|por favor|vale|adelante",
  pt: "sim",
  zh: "好的?|是的?|对|行|可以|请|要的?|嗯|当然",
  ja: "はい|ええ|うん|お願いします|お願い|もちろん|そうです",
});
/** What is a yes only where nothing follows: "why not 80?" asks. */
const YES_ALONE = "why not|show (?:me|it)|warum nicht|pourquoi pas|por qué no";
const NO = anyOf({
  en: "no|nope|nah|sorry|wait|actually|not that",
  de: "nein|doch|eigentlich",
  fr: "non|désolé",
  es: "perdón",
  zh: "不是?|不对",
  ja: "いいえ|違います",
});
const MEANT = anyOf({
  en: "i (?:mean|meant|am asking about|was asking about|am talking about)|rather|instead",
  de: "ich mein(?:e|te)",
  fr: "je (?:veux|voulais) dire",
  es: "quiero decir|quise decir|quería decir",
  zh: "我(?:是说|的意思是|说的是|指的是?)",
});
const AND = anyOf({
  en: "and(?: then)?|but|or|also|then|what about|how about|what of|same (?:for|with|on|in)",
  de: "und|aber|oder|auch|dann|was ist mit|wie (?:ist|steht|sieht) es (?:mit|bei)",
  fr: "et|mais|ou|alors|aussi|qu['’]en est-il (?:de|pour)",
  es: "y|pero|entonces|también|(?:y )?qu[ée] (?:hay de|pasa con|tal)",
});
const AND_UNSPACED = anyOf({
  zh: "那么?|还有|另外(?!一)|而且",
  ja: "では|じゃあ?|それでは|あと|また|ちなみに",
});
/** What announces that the topic is left behind. */
const TOPIC_CHANGE = anyOf({
  en:
    "(?:(?:just|now|one|an?|i have|on|about|to|more|completely|totally|whole|quick|small) ){0,4}" +
    "(?:an)?(?:other|different|new|unrelated|separate) (?:small |quick )?(?:question|topic|subject|thing|matter|note)|" +
    "(?:(?:now |on )?to )?something (?:else|(?:completely |entirely )?different)|(?:totally |completely )?unrelated|off[- ]topic|change of (?:topic|subject)|changing (?:the )?(?:topic|subject)",
  de: "(?:(?:noch|eine|ganz|völlig|und|zu) ){0,3}(?:andere|neue) frage|(?:ein )?(?:ganz )?anderes thema|(?:noch )?(?:et)?was (?:ganz )?anderes|themenwechsel",
  fr: "(?:(?:une|j['’]ai une) )?(?:autre|nouvelle) question|(?:sur )?(?:un )?autre sujet|autre chose|rien à voir|changement de sujet",
  es: "(?:(?:una|tengo) ){0,2}(?:otra|nueva) (?:pregunta|cosa|duda)|(?:otro|cambio de|cambiando de) tema",
  zh: "(?:另外?一?个|别的|其他|换个)(?:问题|话题)|题外话",
  ja: "(?:別|他)の(?:質問|話題?|件)(?:です(?:が|けど)?)?|話(?:は|が)?変わります(?:が|けど)",
});
/** After an announcement, a mark or the question itself shows that it is one. */
const NEW_QUESTION =
  /[\s]*[,.:;!?，、。：；！？–—-]+\s*|\s+(?=(?:how|what|where|when|why|which|who|can|could|is|are|do|does|wie|was|wo|kann|comment|où|cómo|qué|dónde)\b)/u;

/** After a longer "no" comes a new question. */
const CORRECTION_WORDS_MAX = 8;

const OPENING = {
  change: new RegExp(`^(?:${TOPIC_CHANGE})(?:${NEW_QUESTION.source})`, "iu"),
  thanks: leading(THANKS),
  yes: leading(YES),
  no: leading(NO),
  meant: leading(MEANT),
  and: leading(AND),
  andUnspaced: new RegExp(`^[¿¡\\s]*(?:${AND_UNSPACED})[\\s,、，]*`, "u"),
};
const ONLY_YES = only(`${YES}|${YES_ALONE}|${THANKS}`);
const ONLY_PLEASANT = only(`${THANKS}|${NO}|no thanks?(?: you)?|nein danke|non merci`);

/** A question split into its opening and the rest. */
export interface Opened {
  /** Only thanks, a greeting, or a no. */
  isPleasantry: boolean;
  /** Only a yes. */
  isYes: boolean;
  /** Begins with a yes, and continues. */
  beginsWithYes: boolean;
  /** Takes back what was asked before. */
  isCorrection: boolean;
  /** Begins with "and", "what about", or the like. */
  isContinued: boolean;
  /** Announces another topic. */
  isNewTopic: boolean;
  rest: string;
}

/** Strips the opening of a question, such as "yes, but". */
export function openingOf(question: string): Opened {
  const text = question.trim().replace(/^[¿¡\s]+/, "");
  const isPleasantry = ONLY_PLEASANT.test(text);
  const polite = strip(text, OPENING.thanks);
  const isYes = !isPleasantry && ONLY_YES.test(text);
  const afterYes = strip(strip(polite, OPENING.yes), OPENING.thanks);
  const afterNo = strip(afterYes, OPENING.no);
  const meant = strip(afterNo, OPENING.meant);
  const isCorrection =
    meant !== afterNo || (afterNo !== afterYes && wordCount(meant) <= CORRECTION_WORDS_MAX);
  const opened = strip(strip(meant, OPENING.and), OPENING.andUnspaced);
  const changed = strip(opened, OPENING.change);
  return {
    isPleasantry,
    isYes,
    beginsWithYes: afterYes !== polite,
    isCorrection,
    isContinued: opened !== meant,
    isNewTopic: changed !== opened,
    rest: changed === "" ? text : changed,
  };
}

/** The text without its opening; a text that is nothing else stays. */
function strip(text: string, opening: RegExp): string {
  const rest = text.replace(opening, "");
  return rest.replace(/[\s?？!.]+/g, "") === "" ? text : rest.trimStart();
}

const wordCount = (text: string) => text.split(/\s+/).length;
