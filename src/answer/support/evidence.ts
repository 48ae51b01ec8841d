import { plainText } from "../../markdown/plain-text.ts";
import { analyze, analyzeQuestion, wordsOf } from "../../search/analyze.ts";
import { cutUnits } from "../pieces.ts";

/** What a text claims, in a form that can be looked for in another one. */
export interface Claim {
  /** Its telling words, each once. */
  terms: string[];
  /** Names that must stand in the other text as well, each in the ways in which it can be written. */
  names: string[][];
  numbers: string[];
  /** It says that something is not so. */
  denies: boolean;
}

/** A passage as that which claims are looked for in. */
export interface Evidence {
  number: number;
  /** The words of its title and headings, which its sentences leave away. */
  about: ReadonlySet<string>;
  /** Every word of it. */
  terms: ReadonlySet<string>;
  /** Its sentences, list items, rows and lines of code. */
  units: Unit[];
  /** Its lines, with their spaces made one, for code. */
  lines: ReadonlySet<string>;
}

interface Unit {
  text: string;
  terms: ReadonlySet<string>;
  numbers: ReadonlySet<string>;
  denies: boolean;
}

interface Citable {
  number: number;
  title: string;
  headings?: readonly string[] | undefined;
  text: string;
}

const NUMBER = /(?<![\p{L}\d_.-])\d+(?:[.,:]\d+)*(?![\p{L}\d_])/gu;
const NUMBER_WORDS = "two three four five six seven eight nine ten eleven twelve".split(" ");
const NUMBER_WORD = new RegExp(`\\b(?:${NUMBER_WORDS.join("|")})\\b`, "gi");
const DENIAL =
  /\b(?:not|never|cannot|no|nor|neither|without|nothing|none|nowhere|unable|unsupported|unavailable|nicht|nie|niemals|kein(?:e[mnrs]?)?|ohne|nichts|pas|jamais|sans|aucune?|rien|nunca|jamás|sin|ningun[oa]?|tampoco|nada)\b|n['’]t\b|[不没無无非]|ない|ません|なし/iu;

export function toClaim(text: string): Claim {
  const words = wordsOf(text);
  return {
    terms: analyzeQuestion(text).filter((term) => !/^[\d.,:]+$/.test(term)),
    names: words.flatMap(({ identifier, spellings }) =>
      identifier === undefined ? [] : [[identifier, ...spellings]],
    ),
    numbers: [...numbersIn(text)],
    denies: DENIAL.test(text),
  };
}

export function toEvidence({ number, title, headings = [], text }: Citable): Evidence {
  const units = cutUnits(text, "en").map(({ header = "", markdown }): Unit => {
    const own = plainText(markdown);
    // A row is about what its columns are.
    const plain = header === "" ? own : `${plainText(header)}\n${own}`;
    return {
      text: own,
      terms: new Set(analyze(plain)),
      numbers: numbersIn(plain),
      denies: DENIAL.test(own),
    };
  });
  const about = new Set(analyze([title, ...headings].join("\n")));
  const terms = new Set([...about, ...units.flatMap((unit) => [...unit.terms])]);
  return { number, about, terms, units, lines: new Set(text.split("\n").map(oneSpaced)) };
}

/** A line of code, however it is indented. */
export const oneSpaced = (line: string) => line.replace(/\s+/g, " ").trim();

function numbersIn(text: string): Set<string> {
  const written = (text.match(NUMBER) ?? []).map((number) => number.replace(/,(?=\d{3}\b)/g, ""));
  const words = (text.match(NUMBER_WORD) ?? []).map((word) =>
    String(NUMBER_WORDS.indexOf(word.toLowerCase()) + 2),
  );
  return new Set([...written, ...words]);
}
