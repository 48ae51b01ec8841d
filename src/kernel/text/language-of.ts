import { type Language, spokenLanguage } from "./languages.ts";

/** Words of nearly every sentence of a language. */
const FREQUENT: Record<string, string> = {
  en: "the of and to is are that with for this be on as it you can when from by not your which how do does i in a an or if there what my have has was at",
  de: "der die und das ist nicht mit ein eine den dem zu von auf für sich wird werden sie im des als auch wie kann oder ich",
  fr: "de la à en un le les des et est une dans pour que qui pas vous sur avec par du au sont ce cette ou être je il plus",
  es: "de la que el en y a un los las y es una para con por del se no como su al más puede está son lo cómo qué usted",
  it: "la in e un a il di che è per una con non sono del della gli dei nel alla come si da più questo essere puoi anche",
  pt: "de a que um o os as e é uma para com não do da dos em no na por mais como se você ser pode ao são",
  nl: "de het een van en is dat niet met voor op zijn worden wordt te die kan om als ook je aan bij naar",
  sv: "och att det är som en för på av med inte den till om kan har ett du eller från",
  pl: "i w na z nie jest się do że to jak dla przez oraz lub są który może aby po od",
  cs: "a v na je se že s z do pro není jako jsou nebo který může být od lze tak při",
  tr: "ve bir ise kendi ancak sonra arasında en tarafından olup oldu bu için ile olarak da de olan daha çok gibi değil ya kadar var ne olduğu",
  ro: "a o al și în de la este cu nu un o pe care din pentru sau se mai sunt fi ca prin",
  vi: "là của và các được trong không một có cho để với những này khi người đã bạn từ",
  fi: "ja on ei että oli ovat tai kun voi myös joka jos mutta kuin sen tämä tämän ole voidaan sekä kuten jotka niin se",
  hu: "a az és nem hogy egy van meg ha csak vagy de ez azt már lehet kell mint volt amely ezt az ki el",
  id: "yang dan di untuk dengan dari ini adalah tidak pada atau dalam itu ke dapat akan anda juga oleh",
};
/** Scripts that tell a language, or a few that have next to no words in common, by themselves. */
const SCRIPTS: readonly [language: string, letters: RegExp][] = [
  ["ja", /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ["zh", /\p{Script=Han}/gu],
  ["ko", /\p{Script=Hangul}/gu],
  ["ru", /\p{Script=Cyrillic}/gu],
  ["ar", /\p{Script=Arabic}/gu],
  ["he", /\p{Script=Hebrew}/gu],
  ["el", /\p{Script=Greek}/gu],
  ["hi", /\p{Script=Devanagari}/gu],
  ["th", /\p{Script=Thai}/gu],
];
/** Where the first of these scripts begins: most texts have nothing from there on but marks. */
const BEYOND_LATIN = /[\u0370-\uffff]/;
const ANY_SCRIPT = new RegExp(SCRIPTS.map(([, letters]) => letters.source).join("|"), "u");
const CHARACTERS_MAX = 4000;
const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`|https?:\S+/g;
/** The share of a text's letters that a script has even where names and terms are in another one. */
const SCRIPT_SHARE_MIN = 0.25;
/** How many letters of an alphabet a sign of such a script stands for: a question may be full of Latin names. */
const LETTERS_OF_SIGN: Readonly<Record<string, number>> = { ja: 2, zh: 3, ko: 2 };
/** Japanese is at least so much kana; Chinese has none. */
const KANA_SHARE_MIN = 0.05;
const WORDS_MIN = 3;
const WORDS_SHARE_MIN = 0.1;
/** How much more often the words of a language must occur than those of the next likely one. */
const LEAD_MIN = 1.3;

const LANGUAGES = Object.keys(FREQUENT);
/** The languages that a word is frequent in, by their numbers. */
const LANGUAGES_OF_WORD = new Map<string, number[]>();
for (const [number, words] of Object.values(FREQUENT).entries())
  for (const word of new Set(words.split(" ")))
    LANGUAGES_OF_WORD.set(word, [...(LANGUAGES_OF_WORD.get(word) ?? []), number]);

/**
 * The language that a text is written in, as the first part of its tag: by its script, otherwise by its most frequent
 * words. Undefined where that is not certain, as in a few words or in code.
 */
export function languageOf(text: string): string | undefined {
  const plain = text.slice(0, CHARACTERS_MAX).replace(CODE, " ");
  return byScript(plain) ?? byWords(plain);
}

/** Letters that Chinese has only where it is written traditionally. */
const TRADITIONAL =
  /[們個這來對時為說麼樣嗎從過還沒問題點資訊設檔開關應該與將會動變選項無發現錄種類網頁檢視環啟執傳寫讀體裡]/;
/** Letters of languages that share a script with the one that the script stands for. */
const UKRAINIAN = /[іїєґ]/i;
const NOT_UKRAINIAN = /[ыэёъў]/i;
const NOT_ARABIC = /[پچژگکیٹڈڑںے]/;

/** Of the languages that Docent has words of its own in, the one that a text is written in, where that is certain. */
export function spokenLanguageOf(text: string): Language | undefined {
  const language = languageOf(text);
  if (language === "zh" && TRADITIONAL.test(text)) return "zh-Hant";
  if (language === "ru" && UKRAINIAN.test(text) && !NOT_UKRAINIAN.test(text)) return "uk";
  if (language === "ar" && NOT_ARABIC.test(text)) return undefined;
  return language === undefined ? undefined : spokenLanguage(language);
}

function byScript(text: string): string | undefined {
  if (!BEYOND_LATIN.test(text) || !ANY_SCRIPT.test(text)) return undefined;
  const written = SCRIPTS.map(([language, script]) => {
    const signs = text.match(script)?.length ?? 0;
    return { language, signs, letters: signs * (LETTERS_OF_SIGN[language] ?? 1) };
  });
  const more = written.reduce((sum, { signs, letters }) => sum + letters - signs, 0);
  const all = (text.match(/\p{L}/gu)?.length ?? 0) + more || 1;
  const shares = new Map(written.map(({ language, letters }) => [language, letters / all]));
  const kana = shares.get("ja") ?? 0;
  if (kana >= KANA_SHARE_MIN && kana + (shares.get("zh") ?? 0) >= SCRIPT_SHARE_MIN) return "ja";
  return [...shares].find(([, share]) => share >= SCRIPT_SHARE_MIN)?.[0];
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** The same for text in ASCII, which most is: twice as fast. */
const ASCII_WORD = /[a-z\d]+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const BEYOND_ASCII = /[^\x00-\x7f]/;

function byWords(text: string): string | undefined {
  const lower = text.toLowerCase();
  const words = lower.match(BEYOND_ASCII.test(lower) ? WORD : ASCII_WORD) ?? [];
  const counts = new Uint16Array(LANGUAGES.length);
  for (const word of words)
    for (const number of LANGUAGES_OF_WORD.get(word) ?? []) counts[number] = (counts[number] ?? 0) + 1;
  let first = 0;
  let second = 0;
  let language: string | undefined;
  for (const [number, count] of counts.entries())
    if (count > first) {
      second = first;
      first = count;
      language = LANGUAGES[number];
    } else second = Math.max(second, count);
  if (first < Math.max(WORDS_MIN, words.length * WORDS_SHARE_MIN)) return undefined;
  return first >= second * LEAD_MIN ? language : undefined;
}
