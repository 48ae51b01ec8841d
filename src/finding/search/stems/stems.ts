import { stemmer as english } from "stemmer";

/** Loaded with the first text that is not all English: their tables take a megabyte, which a server that waits need not have. */
function stemmers(): Readonly<Record<string, (word: string) => string>> {
  const { STEMMERS }: typeof import("./stemmers.ts") = require("./stemmers.ts");
  return STEMMERS;
}

/**
 * Scripts whose words have endings, each with the endings of the language that most of what is written in it is in: those
 * of its neighbors are alike, and what is cut off wrongly is cut off everywhere.
 */
const BY_SCRIPT: readonly [words: RegExp, language: string][] = [
  [/^\p{Script=Cyrillic}{4,40}$/u, "ru"],
  [/^\p{Script=Greek}{4,40}$/u, "el"],
  // Persian and Urdu, which have letters of their own, form words otherwise.
  [/^[[\p{Script=Arabic}]--[پچژگٹڈڑںھہےۓ]]{3,40}$/v, "ar"],
  [/^\p{Script=Devanagari}{3,40}$/u, "hi"],
];

/** A word in lower case without its ending, where its script tells how words end. */
export function withoutEnding(word: string): string {
  const [, language] = BY_SCRIPT.find(([words]) => words.test(word)) ?? [];
  return language === undefined ? koreanStem(word) : (stemmers()[language]?.(word) ?? word);
}

/** A word in plain small letters as English cuts it, whatever its language: which one it is, letters do not tell. */
export const englishStem = (word: string): string => (/^[a-z]{3,}$/.test(word) ? english(word) : word);

/** Languages in Latin letters whose endings are known, by their tags. Which one a word is in, only its text tells. */
export const INFLECTED_LANGUAGES: readonly string[] = [
  "de",
  "es",
  "fi",
  "fr",
  "hu",
  "id",
  "it",
  "nl",
  "pt",
  "ro",
  "sv",
  "tr",
];

/** A word in lower case without its ending, in a language; undefined where that language's endings are not known. */
export const stemIn = (language: string, word: string): string | undefined =>
  INFLECTED_LANGUAGES.includes(language) ? stemmers()[language]?.(word) : undefined;

// A word of Korean carries what other languages say with prepositions and endings of verbs: 데이터베이스를, 데이터베이스에서는 and
// 데이터베이스 are found by each other only where that is taken off. What is taken off too much is so everywhere.

/** Hangul alone; shorter words have nothing to lose. */
const HANGUL = /^[가-힣]{3,}$/;
const LATIN_WITH_HANGUL = /^(.*[A-Za-z\d+#])([가-힣]+)$/s;
const PARTICLE =
  /(?:에게서|으로써|으로서|이라는|에서|에게|한테|으로|까지|부터|처럼|보다|마다|밖에|조차|마저|이란|라는|이나|이랑|이라|들|은|는|이|가|을|를|의|에|로|와|과|도|만|란|께)$/;
/** Of verbs that are made of nouns: 설치하는, 설치됩니다. */
const VERB =
  /(?:(?:하|되|시키)(?:는지|는가|는데|려면|려고|도록|세요|십시오|나요|는|기|다|고|여|며|면|지|던|게|였다|였습니다|었다|었습니다)|합니다|됩니다|합니까|됩니까|했습니다|됐습니다|시킵니다|해주세요|한다|된다|했다|됐다|해서|해야|했던|할|한|된|될|해)$/;
const LEFT_MIN = 2;
const ENDINGS_MAX = 4;

/** A word of Korean without its endings, as far as it stays a word. */
function koreanStem(word: string): string {
  if (!HANGUL.test(word)) return word;
  let stem = word;
  for (let count = 0; count < ENDINGS_MAX; count++) {
    const shorter = [VERB, PARTICLE].map((ending) => stem.replace(ending, "")).find((each) => each !== stem);
    if (shorter === undefined || shorter.length < LEFT_MIN) break;
    stem = shorter;
  }
  return stem;
}

/** A name in Latin letters with what Korean writes behind it without a space: `Docker를`, `API문서`. */
export function latinWithHangul(token: string): { latin: string; hangul: string } | undefined {
  const [, latin, hangul = ""] = LATIN_WITH_HANGUL.exec(token) ?? [];
  if (latin === undefined) return undefined;
  let rest = hangul;
  for (let shorter = ""; rest !== ""; rest = shorter) {
    shorter = rest.replace(PARTICLE, "");
    if (shorter === rest) break;
  }
  return { latin, hangul: rest };
}

// Words that are the same to a reader are written in several ways: with marks and without, from keyboards that differ, with
// breaks that nobody sees.

/** Where a line may be broken inside a word, or may not. */
const BREAKS =
  /[\u00ad\u2060\ufeff]|(?<=[\p{Script=Latin}\p{N}\p{P}])\u200b(?=[\p{Script=Latin}\p{N}\p{P}])/gu;

/** A text whose words are whole, wherever a line of it may be broken. */
export const withoutBreaks = (text: string) => text.replace(BREAKS, "");

/** Vowels, which who writes Arabic or Hebrew leaves out, and the stroke that widens a word. */
const VOWELS = /(?<=[\p{Script=Arabic}\p{Script=Hebrew}]\p{Mn}*)\p{Mn}|\u0640/gu;
/** What a Persian keyboard writes, and an Arabic one. */
const PERSIAN_LETTERS: Readonly<Record<string, string>> = { ک: "ك", ی: "ي" };
/** The dot below borrowed sounds, and a nasal before a consonant, which are written in two ways. */
const DOT_BELOW = /\u093c/g;
const NASAL = /\u0928\u094d(?=[क-ह])|\u0901/g;
const NASAL_DOT = "\u0902";
const OTHER_DIGIT = /[\p{Nd}--[0-9]]/gv;
const OTHER_SCRIPTS = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}]/u;

/** A word without marks that many leave out, in the letters and digits of one keyboard: whichever, as long as it is one. */
export function withPlainLetters(word: string): string {
  const plain = word.replace(OTHER_DIGIT, digitOf);
  if (!OTHER_SCRIPTS.test(plain)) return plain;
  return plain
    .replace(VOWELS, "")
    .replace(/[کی]/g, (letter) => PERSIAN_LETTERS[letter] ?? letter)
    .normalize("NFD")
    .replace(DOT_BELOW, "")
    .replace(NASAL, NASAL_DOT)
    .normalize("NFC");
}

/** Every script has its ten digits in a row, and the first of a row is told by the one before it being none. */
function digitOf(digit: string): string {
  let value = 0;
  let at = (digit.codePointAt(0) ?? 0) - 1;
  while (value < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(at))) {
    value++;
    at--;
  }
  return String(value);
}

/** Letters that are no plain letter with a mark, and are typed as plain ones by who has no other keys. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ı: "i",
  đ: "d",
  ð: "d",
  ħ: "h",
  ł: "l",
  ø: "o",
  ŧ: "t",
  æ: "ae",
  œ: "oe",
  þ: "th",
  ß: "ss",
};
const LETTERS_WITHOUT_MARK = /[ıđðħłøŧæœþß]/g;

/** A word in lower case without the marks on its letters. */
export function withoutMarks(lower: string): string {
  return (
    lower
      .normalize("NFD")
      .replace(/(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{Mn}+/gu, "")
      .normalize("NFC")
      .replace(LETTERS_WITHOUT_MARK, (letter) => PLAIN_LETTERS[letter] ?? letter)
      // The sigma that ends a word is the same letter: while a word is typed, any letter is its last.
      .replaceAll("ς", "σ")
  );
}
