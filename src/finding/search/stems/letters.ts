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
