/** Matches a sequence of these with nothing else but punctuation. */
const only = (phrases: string) =>
  new RegExp(`^(?:(?:${phrases})(?![\\p{L}\\p{N}])[\\s,.!;、，。！…-]*)+$`, "iu");
/** Matches one or more of these at the start, each with the punctuation after it. */
const leading = (phrases: string) =>
  new RegExp(`^(?:(?:${phrases})(?![\\p{L}\\p{N}'’])[\\s,.!;:、，。！…-]*)+`, "iu");

const THANKS =
  "thanks?(?: you)?(?: (?:so|very) much| a lot)?|thx|many thanks|great|cool|perfect|nice|awesome|excellent|brilliant|got it|" +
  "i see|understood|good|so|now|well|(?:that|it|this) (?:works|worked|helps|helped)(?: now)?|hi|hello|hey|" +
  "vielen dank|danke(?: schön| dir| ihnen)?|perfekt|super|toll|prima|hallo|merci(?: beaucoup)?|parfait|bonjour|(?:muchas )?gracias|" +
  "perfecto|genial|hola|谢谢你?|谢谢您|多谢|太好了|ありがとう(?:ございます|ございました)?|どうも|なるほど";
const YES =
  "yes|yeah|yep|yup|ok|okay|sure(?: thing)?|please|go ahead|do (?:it|that|so)|show (?:me|it)|show me (?:that|how)|of course|" +
  "absolutely|definitely|certainly|sounds good|why not|i (?:do|would)|i'?d (?:like|love) (?:that|to)|continue|go on|" +
  "ja|jawohl|bitte(?: schön)?|gerne?|klar|natürlich|mach das|oui|d['’]accord|s['’]il (?:te|vous) pla[iî]t|volontiers|bien sûr|" +
  "s[ií]|claro|por favor|vale|adelante|sim|好的?|是的?|对|行|可以|请|要的?|嗯|当然|はい|ええ|うん|お願いします|お願い|もちろん|そうです";
const NO =
  "no|nope|nah|sorry|wait|actually|not that|nein|doch|eigentlich|non|désolé|perdón|不是?|不对|いいえ|違います";
const MEANT =
  "i (?:mean|meant|am asking about|was asking about|am talking about)|rather|instead|ich mein(?:e|te)|je (?:veux|voulais) dire|" +
  "quiero decir|quise decir|quería decir|我(?:是说|的意思是|说的是|指的是?)";
const AND =
  "and(?: then)?|but|or|also|then|what about|how about|what of|same (?:for|with|on|in)|und|aber|oder|auch|dann|" +
  "was ist mit|wie (?:ist|steht|sieht) es (?:mit|bei)|et|mais|ou|alors|aussi|qu['’]en est-il (?:de|pour)|y|pero|entonces|también|" +
  "(?:y )?qu[ée] (?:hay de|pasa con|tal)";
const AND_UNSPACED = "那么?|还有|另外|而且|では|じゃあ?|それでは|あと|また|ちなみに";

/** After a longer "no" comes a new question. */
const CORRECTION_WORDS_MAX = 8;

const OPENING = {
  thanks: leading(THANKS),
  yes: leading(YES),
  no: leading(NO),
  meant: leading(MEANT),
  and: leading(AND),
  andUnspaced: new RegExp(`^[¿¡\\s]*(?:${AND_UNSPACED})[\\s,、，]*`, "u"),
};
const ONLY_YES = only(`${YES}|${THANKS}`);
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
  rest: string;
}

/** Strips the opening of a question, such as "yes, but". */
export function openingOf(question: string): Opened {
  const text = question.trim().replace(/^[¿¡\s]+/, "");
  const isPleasantry = ONLY_PLEASANT.test(text);
  const polite = strip(text, OPENING.thanks);
  const isYes = !isPleasantry && ONLY_YES.test(text);
  const afterYes = strip(polite, OPENING.yes);
  const afterNo = strip(afterYes, OPENING.no);
  const meant = strip(afterNo, OPENING.meant);
  const isCorrection =
    meant !== afterNo || (afterNo !== afterYes && wordCount(meant) <= CORRECTION_WORDS_MAX);
  const opened = strip(strip(meant, OPENING.and), OPENING.andUnspaced);
  return {
    isPleasantry,
    isYes,
    beginsWithYes: afterYes !== polite,
    isCorrection,
    isContinued: opened !== meant,
    rest: opened === "" ? text : opened,
  };
}

/** The text without its opening; a text that is nothing else stays. */
function strip(text: string, opening: RegExp): string {
  const rest = text.replace(opening, "");
  return rest.replace(/[\s?？!.]+/g, "") === "" ? text : rest.trimStart();
}

const wordCount = (text: string) => text.split(/\s+/).length;
