/** A number of a list as it is shown. Formats have the names that Word gives them. */
export function formatNumber(number: number, format: string): string {
  switch (format) {
    case "lowerLetter":
      return letters(number).toLowerCase();
    case "upperLetter":
      return letters(number);
    case "lowerRoman":
      return roman(number).toLowerCase();
    case "upperRoman":
      return roman(number);
    case "ordinal":
      return `${number}${ORDINALS.get(ORDINAL.select(number)) ?? "th"}`;
    case "decimalZero":
      return `${number}`.padStart(2, "0");
    case "none":
    case "bullet":
      return "";
    default:
      return `${number}`;
  }
}

const ORDINAL = new Intl.PluralRules("en", { type: "ordinal" });
const ORDINALS: ReadonlyMap<string, string> = new Map([
  ["one", "st"],
  ["two", "nd"],
  ["few", "rd"],
]);

/** A, B … Z, AA, BB: Word repeats the letter. */
function letters(number: number): string {
  if (number < 1 || number > 780) return `${number}`;
  return String.fromCharCode(65 + ((number - 1) % 26)).repeat(Math.ceil(number / 26));
}

const ROMAN: readonly [number, string][] = [
  [1000, "M"],
  [900, "CM"],
  [500, "D"],
  [400, "CD"],
  [100, "C"],
  [90, "XC"],
  [50, "L"],
  [40, "XL"],
  [10, "X"],
  [9, "IX"],
  [5, "V"],
  [4, "IV"],
  [1, "I"],
];

function roman(number: number): string {
  if (number < 1 || number > 3999) return `${number}`;
  let left = number;
  let written = "";
  for (const [value, letter] of ROMAN) {
    written += letter.repeat(Math.floor(left / value));
    left %= value;
  }
  return written;
}
