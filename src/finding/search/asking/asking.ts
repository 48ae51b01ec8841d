import { analyze, analyzeQuestion, isStopWord, wordsOf } from "../analyze.ts";
import type { KeywordView } from "../keyword-index/keyword-index.ts";
import { circumstancesIn, withoutCircumstances } from "./circumstances.ts";

export { withoutCircumstances } from "./circumstances.ts";
export { ownNameTerms } from "./own-names.ts";
export { areOfOneProduct, productNames, withoutNames } from "./product-names.ts";

/** What an English reader says before what is asked; its words by themselves may be the docs' subject, as EXPLAIN is. */
const ENGLISH = [
  "(?:(?:can|could|would|will) (?:you|someone|anyone)(?: please| kindly)?|please|kindly|(?:i|we)(?: want|(?: would|['’]d) (?:like|love)) you to) (?:explain|describe|clarify|elaborate(?: on)?|summari[sz]e|outline)(?: (?:to|for) (?:me|us))?",
  "(?:help me(?: to)?|(?:i|we)(?: want|(?: would|['’]d) (?:like|love)|(?: am|['’]m| are|['’]re)? trying) to) understand",
  "(?:give(?: me| us)?|(?:show|provide|send) (?:me|us)) (?:an?|some|more|the)?(?: brief| short| quick| detailed| general)* ?(?:overview|summary|explanation|description|details|information|info) (?:of|on|about|for)",
  String.raw`explain(?: (?:to|for) (?:me|us))?(?= (?:what|how|why|when|where|which|who|the (?:difference|purpose|meaning|concept))\b)`,
  "in (?:more |greater )?detail",
  "(?:please |kindly )?help me(?: out)?",
  "(?:i(?: am|['’]m) )?(?:(?:still|quite|very|totally) )?new to (?:this|all this|it all)|i(?: am|['’]m) (?:still |quite |very )?new here|i(?: am|['’]m) an? (?:absolute |total |complete )?(?:beginner|newbie|noob|newcomer)",
  "(?:many )?thanks(?: a lot| so much| in advance)?|thank you(?: very much| so much)?(?: in advance)?",
];
/** The same in other languages; most are stems of verbs. */
const OTHERS: Readonly<Record<string, string>> = {
  de: "erklär(?:e|en|st|t)|erläuter(?:e|n|t)|beschreib(?:e|en|st|t)|versteh(?:e|en|t)|zusammenfassen|überblick|genau|eigentlich|bitte|könn(?:en sie|test|ten)|würden?|möchte|gern|wissen|sagen",
  fr: String.raw`expliqu\p{L}*|décri(?:re|s|vez)|préciser|comprendre|résum(?:er|ez)|exactement|s['’]il (?:te|vous) pla[iî]t|pou(?:vez|rriez)|peux|voudrais|aimerais|savoir`,
  es: String.raw`expl[ií](?:c|qu)\p{L}*|describ(?:ir\p{L}*|a|as|an|eme)|aclar\p{L}*|entender|exactamente|por favor|podrías?|podéis|puedes|quisiera|gustaría|saber|decirme`,
  it: String.raw`spieg(?:a|ami|armi|are|ate|azione)|descriv(?:ere|i|imi|ete)|chiari(?:re|sci|menti)|capire|riassum\p{L}*|esattamente|per favore|potr(?:esti|este|ebbe)|vorrei|sapere|dirmi`,
  pt: String.raw`expli(?:ca|que|car)|descrev(?:a|er)|esclarec\p{L}*|entender|exatamente|poderia|gostaria|dizer`,
  nl: String.raw`uitleggen|leg uit|beschrijf|verduidelijk\p{L}*|begrijpen|samenvatten|precies|alstublieft|alsjeblieft|zou je|graag|vertellen`,
  pl: String.raw`wyjaśni\p{L}*|wytłumacz\p{L}*|opisz|opisać|zrozumieć|dokładnie|proszę|możesz|chciał\p{L}*|wiedzieć|powiedz\p{L}*`,
  ru: String.raw`объясн\p{L}*|поясн\p{L}*|опиш\p{L}*|понять|подробн\p{L}*|пожалуйста|можете|можешь|хотел\p{L}*|узнать|расска\p{L}*|скажи\p{L}*`,
  uk: String.raw`опиши\p{L}*|зрозуміти|докладн\p{L}*|будь ласка|можеш|хотів|хотіла|дізнатися|розкаж\p{L}*|скаж\p{L}*`,
  cs: String.raw`vysvětl\p{L}*|popiš(?:te)?|pochopit|přesně|prosím|můžete|mohl(?:a|i)? bys?te?|chtěl\p{L}*|vědět|řekn\p{L}*`,
  sv: "förklara|beskriv(?:a)?|förstå|sammanfatta|exakt|snälla|skulle|berätta|veta",
  tr: String.raw`açıkla\p{L}*|anlat\p{L}*|tarif et|anlamak|tam olarak|lütfen|istiyorum|m[iı]s[iı]n[iı]z|söyle\p{L}*`,
  vi: "giải thích|mô tả|cho (?:tôi|mình) biết|làm ơn|vui lòng|muốn biết",
  id: "(?:men)?jelaskan|tolong|bisakah|mohon|ingin tahu|beri ?tahu",
  hi: "समझाइए|समझाएं|बताइए|बताएं|कृपया|जानना",
  ar: "اشرح|وضح|من فضلك|هل يمكنك|أخبرني|أريد أن أعرف",
  ko: String.raw`설명\s?(?:해|하)\p{L}*|알려\s?(?:주|줘)\p{L}*|자세히|궁금\p{L}*|알고 싶\p{L}*|주세요|주시겠어요`,
};
/** The same in scripts without spaces, where a word has no end: what asks is as often a part of one, as in 请求 and 申请. */
const UNSPACED =
  /[请請][问問]|(?:[请請]?[帮幫]我|能否|能不能|(?<![申邀])[请請](?=[详詳解说說描介告]))(?:[详詳][细細])?(?:解[释釋]|[说說]明|描述|介[绍紹]|告[诉訴]我)?(?:一下)?|(?:解[释釋]|[说說]明|描述|介[绍紹])一下|我想(?:知道|了解|瞭解)|教えて(?:ください|下さい|ほしい)?|説明して(?:ください|下さい|ほしい)?|知りたい(?:です)?|詳しく|ください|お願いします/gu;
/** "How", "what is" and the like, which docs need not have, and whose pieces no page has beside its own words. */
const UNSPACED_QUESTION = new RegExp(
  [
    "怎[么麼][办辦]|(?<![别別])是否|[为為](?:何|什[么麼])|可不可以|有[没沒]有",
    String.raw`(?:要|该|應該|应该)?怎[么麼](?:样|樣)?(?:才能|\p{Script=Han}?(?=[\s?？。!！呢啊呀吗嗎了]*$))?|怎[样樣]`,
    "(?<![论論])如何(?:才能)?|什[么麼]是|是什[么麼](?:意思)?|(?:有|是)?哪些|[吗嗎呢](?=[\\s?？。!！]*$)",
    "どうやって|どのように(?:して)?|どうすれば(?:いい|良い|よい)?|とは(?:何)?|(?:の|する|した)(?:方法|やり方|仕方)|やり方",
    String.raw`(?<=\p{Script=Hiragana}\p{Script=Han}{1,9})方法(?=[\s?？。]*$)`,
    "(?:です|ます|でしょう)か(?=[\\s?？。]*$)",
  ].join("|"),
  "gu",
);
/** What makes a name of a word that it touches: `info.json`, `--explain`, "details". */
const standingAlone = (words: string) =>
  new RegExp(
    String.raw`(?<![\p{L}\p{M}\p{N}_@#/."\x60-])(?:${words})(?:-(?:vous|tu|moi|nous|me))?(?![\p{L}\p{M}\p{N}_(/"\x60-]|\.\p{L})`,
    "giu",
  );
const SPACED = standingAlone([...ENGLISH, ...Object.values(OTHERS)].join("|"));

/** The same in Korean, where "how to make" is one word, too. */
const KOREAN_QUESTION = standingAlone(
  String.raw`어떻게(?:\s?(?:하|해|되|돼)\p{L}*)?|(?:하는|만드는|쓰는)?\s?방법\p{L}{0,2}|만들기|만드는|만들려면|무엇\p{L}*|뭔가요|뭐예요|(?:하|되|있)나요`,
);

/**
 * A question without what is said to whoever answers, and not of the docs: they would be searched for it, and pages that ask
 * or explain something would be found. As it is where nothing else is left.
 */
export function withoutAsking(question: string): string {
  const rest = [SPACED, UNSPACED, UNSPACED_QUESTION, KOREAN_QUESTION].reduce(
    (text, words) => text.replace(words, " "),
    question,
  );
  return rest === question || analyzeQuestion(rest).every(isStopWord) ? question : rest;
}

/**
 * Words that ask or make conversation, wherever they stand in an English question. One that is a subject as often, as
 * "definition", is none.
 */
const WORDS = standingAlone(
  [
    "explain(?:s|ed|ing)?|explanations?|describe|clarify|clarifications?|elaborate|understand(?:ing)?|summari[sz]e",
    "overview|in detail|details|information|info|ideas?|clue|advice|suggestions?|tips?|hints?|questions?|stuff",
    "exactly|specifically|basically|actually|briefly|quick|somehow|totally|simply|properly|correctly|currently",
    "hopefully|unfortunately|apparently|absolutely|definitely|probably|perhaps|kindly",
    "curious|interested|confused|wondering|sorry|appreciate|in advance|regards|cheers",
    "hey|guys|folks|everybody|anybody|somebody|newbie|beginner",
  ].join("|"),
);

/** The terms of a question that docs have to cover; all of them where it only asks. */
export function subjectTerms(question: string, terms: readonly string[]): string[] {
  const rest = question.replace(WORDS, " ");
  if (rest === question) return [...terms];
  const ofRest = new Set(analyze(rest));
  const ofQuestion = new Set(analyze(question));
  // What was translated stands in neither.
  const telling = terms.filter((term) => ofRest.has(term) || !ofQuestion.has(term));
  return telling.length === 0 ? [...terms] : telling;
}

/** What passages have. */
type Known = Pick<KeywordView, "frequencies" | "phraseFrequency">;

/** So many names are looked for within longer ones; a log has hundreds, and none of them is asked about. */
const LOOKED_FOR_MAX = 12;

/** Texts without what they tell of the reader's own, as far as no passage has it either. */
export async function withoutOwnThings(texts: readonly string[], docs: Known): Promise<string[]> {
  const tokens = new Set(texts.flatMap((text) => circumstancesIn(text)).map(({ token }) => token));
  if (tokens.size === 0) return [...texts];
  const known = await knownOf([...tokens], docs);
  return texts.map((text) => withoutCircumstances(text, (token) => known.has(token)));
}

/** Those that passages have, be it within a longer name: an address in one with a port, the beginning of an id. */
async function knownOf(tokens: readonly string[], docs: Known): Promise<ReadonlySet<string>> {
  const words = new Map(tokens.map((token) => [token, wordsOf(token)]));
  const terms = [...words.values()].flat().flatMap((word) => word.terms);
  const of = await docs.frequencies([...new Set(terms)]);
  const isThere = (term: string | undefined) => term !== undefined && (of.get(term) ?? 0) > 0;
  const known = new Set<string>();
  let looked = 0;
  for (const [token, parts] of words) {
    let isKnown = true;
    for (const {
      terms: [whole, ...inside],
    } of parts) {
      if (isThere(whole)) continue;
      const mayBeInside = inside.length > 1 && inside.every(isThere) && looked++ < LOOKED_FOR_MAX;
      isKnown &&= mayBeInside && (await docs.phraseFrequency(inside)) > 0;
    }
    if (isKnown) known.add(token);
  }
  return known;
}
