import type { CountTokens } from "../../answer/prompt/fitting.ts";
import { type Kind, kindOf } from "./kinds.ts";

/** What each kind of character adds to the tokens of a text; of a word, only what is longer than the common ones. */
export type TokenRates = Readonly<Record<Kind, number>>;

/** Common words are one token, whatever their length up to this. */
const COMMON_LETTERS = 6;
const COMMON_CAPITALS = 3;

/**
 * A counter with these rates. A text is never fewer tokens than its beginning, and what is at the end of one text and
 * at the start of the next is at most a token or two more together.
 */
export function countWith(rates: TokenRates): CountTokens {
  return (text) => {
    let tokens = 0;
    let before: Kind = "line";
    let unitBefore = -1;
    let run = 0;
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      const kind = kindOf(unit);
      // An accent neither ends a word nor makes it longer: it has a price of its own.
      if (kind === "accent") {
        tokens += rates.accent;
        continue;
      }
      const goesOn = kind === before || (kind === "letter" && before === "capital" && run === 1);
      run = goesOn ? run + 1 : 1;
      tokens += costOf(rates, kind, before, run, unit === unitBefore);
      before = kind;
      unitBefore = unit;
    }
    return Math.ceil(tokens);
  };
}

/** What one character adds, being the so-many-th of its run, after a character of another kind or of the same. */
function costOf(rates: TokenRates, kind: Kind, before: Kind, run: number, isSame: boolean): number {
  switch (kind) {
    case "letter":
      if (run === 1) return rates.word;
      return run > COMMON_LETTERS ? rates.letter : 0;
    case "capital":
      if (run === 1) return rates.word;
      if (run === 2) return rates.capitals;
      return run > COMMON_CAPITALS ? rates.capital : 0;
    case "digit":
      return before === "space" ? rates.digit + rates.number : rates.digit;
    case "space":
      // The space before a word is a part of the word.
      if (run === 1) return before === "line" || before === "tab" ? rates.gap : 0;
      return run === 2 && before === "space" ? rates.gap + rates.space : rates.space;
    case "mark":
    case "sign":
      return isSame ? rates.again : rates[kind];
    default:
      return rates[kind];
  }
}
