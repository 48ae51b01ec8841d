import type { EvalQuestion } from "../question.ts";
import { seededRandom } from "../seeded-random.ts";
import { createOccurrences, type Occurrences, type PageText } from "./occurrences.ts";

/** A thing, and the few pages that contain it. */
interface Known {
  thing: string;
  pages: string[];
}

/** On more pages than this, it is a word of the docs and does not identify a place. */
const PAGES_MAX = 5;
/** How many things of each kind are asked for, each in several ways. */
const THINGS_OF_KIND = 60;
const PHRASES = 150;
const PHRASE_WORDS = { min: 4, max: 8 };
const SEED = 20_261_121;

const QUOTED: readonly ((phrase: string) => string)[] = [
  (phrase) => `"${phrase}"`,
  (phrase) => `where does it say “${phrase}”?`,
];

/**
 * Questions for what stands on one or a few pages: identifiers bare, in another case, in a sentence and by
 * their parts, and quoted phrases. The same pages always give the same questions.
 */
export function identifierQuestions(pages: readonly PageText[]): EvalQuestion[] {
  const occurrences = createOccurrences(pages);
  const random = seededRandom(SEED);
  const questions = IDENTIFIER_KINDS.flatMap((kind) =>
    knownOf(candidatesOf(kind, pages), occurrences, {
      random,
      most: THINGS_OF_KIND,
      pagesMax: PAGES_MAX,
    }).flatMap((known, index) => askFor(kind, known, index)),
  );
  const phrases = knownOf(phrasesOf(pages, random), occurrences, { random, most: PHRASES, pagesMax: 1 });
  for (const [index, known] of phrases.entries()) {
    QUOTED.forEach((quote, way) => {
      questions.push(
        toQuestion(
          way === 0 ? "phrase: quoted" : "phrase: quoted in a sentence",
          index,
          quote(known.thing),
          known,
        ),
      );
    });
  }
  return questions;
}

function askFor({ name, sentences }: IdentifierKind, known: Known, index: number): EvalQuestion[] {
  const { thing } = known;
  const sentence = sentences[index % sentences.length] ?? String;
  const ways: [way: string, text: string][] = [
    ["bare", thing],
    ["lower case", thing.toLowerCase()],
    ["upper case", thing.toUpperCase()],
    ["in a sentence", sentence(thing)],
    ["in a sentence, lower case", sentence(thing.toLowerCase())],
    ["by its parts", partsOf(thing)],
  ];
  const asked = new Set<string>();
  return ways.flatMap(([way, text]) => {
    if (text === "" || asked.has(text)) return [];
    asked.add(text);
    return [toQuestion(`${name}: ${way}`, index, text, known)];
  });
}

function toQuestion(subset: string, index: number, text: string, { pages }: Known): EvalQuestion {
  return {
    id: `${subset} ${index + 1}`,
    text,
    subset,
    filter: {},
    pages: new Map(pages.map((path) => [path, 1])),
    sections: new Map(),
    spans: undefined,
  };
}

/** Its words with spaces between, where it has several: `dry run` for `--dry-run` and `dryRun`. */
function partsOf(thing: string): string {
  const parts = thing
    .replace(/(?<=[a-z\d])(?=[A-Z])/g, " ")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== "");
  return parts.length > 1 && parts.some((part) => /\p{L}/u.test(part)) ? parts.join(" ").toLowerCase() : "";
}

/** Each distinct thing, as first written, in an order that does not depend on that of the pages. */
function candidatesOf({ pattern }: IdentifierKind, pages: readonly PageText[]): string[] {
  const candidates = new Map<string, { thing: string; pages: number }>();
  for (const { text } of pages) {
    const onPage = new Map((text.match(pattern) ?? []).map((thing) => [thing.toLowerCase(), thing]));
    for (const [key, thing] of onPage) {
      const known = candidates.get(key);
      if (known) known.pages++;
      else candidates.set(key, { thing, pages: 1 });
    }
  }
  return [...candidates.values()].filter((each) => each.pages <= PAGES_MAX).map(({ thing }) => thing);
}

/** Runs of words from paragraphs, one from every page. */
function phrasesOf(pages: readonly PageText[], random: () => number): string[] {
  return pages.flatMap(({ text }) => {
    const paragraphs = text
      .split("\n")
      .map(plainRun)
      .filter(({ length }) => length >= PHRASE_WORDS.min);
    const words = paragraphs[Math.floor(random() * paragraphs.length)];
    if (words === undefined) return [];
    const { min, max } = PHRASE_WORDS;
    const length = Math.min(words.length, min + Math.floor(random() * (max - min + 1)));
    const start = Math.floor(random() * (words.length - length + 1));
    return [words.slice(start, start + length).join(" ")];
  });
}

/** The longest run of words in a paragraph without a mark between them. */
function plainRun(paragraph: string): string[] {
  const runs =
    paragraph.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*(?: [\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*)*/gu) ?? [];
  const longest = runs.reduce((most, run) => (run.length > most.length ? run : most), "");
  return longest.split(" ");
}

/** As many things as wanted that stand on few enough pages. */
function knownOf(
  things: string[],
  occurrences: Occurrences,
  { random, most, pagesMax }: { random: () => number; most: number; pagesMax: number },
): Known[] {
  const known: Known[] = [];
  for (const thing of shuffled(things.toSorted(), random)) {
    if (known.length === most) break;
    const pages = occurrences.pagesWith(thing);
    if (pages.length > 0 && pages.length <= pagesMax) known.push({ thing, pages });
  }
  return known;
}

function shuffled<T>(values: readonly T[], random: () => number): T[] {
  return values
    .map((value) => ({ value, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ value }) => value);
}

/** One kind of thing that readers search by its exact name. */
interface IdentifierKind {
  name: string;
  /** Finds such things in a page's text. */
  pattern: RegExp;
  /** The ways in which a reader asks for one. */
  sentences: readonly ((thing: string) => string)[];
}

const FILE_TYPES =
  "jsonc?|ya?ml|toml|ini|config|props|xml|exe|dll|lib|hp?p?|c(?:pp|s)?|[jt]sx?|py|ps[dm]?1|md|txt";

const meaning = (thing: string) => `what does ${thing} mean`;
const use = (thing: string) => `how do I use ${thing}`;
const where = (thing: string) => `where is ${thing} documented?`;

/** The kinds that software documentation contains. */
const IDENTIFIER_KINDS: readonly IdentifierKind[] = [
  {
    name: "error code",
    pattern: /(?<![\w-])(?:[A-Z]{1,5}\d{4,5}|0x[\dA-F]{8})(?![\w-])/g,
    sentences: [meaning, (thing) => `I get error ${thing}, how do I fix it?`],
  },
  {
    name: "flag",
    pattern: /(?<![^\s(["'“])(?:--?[A-Za-z][\w-]{1,30}|\/[A-Za-z][\w:+-]{0,30}\w\b)(?!\.?[\w/\\-])/g,
    sentences: [use, (thing) => `what is the option ${thing} for`],
  },
  {
    name: "snake_case name",
    pattern: /(?<![\w.:$-])_{0,2}[a-z]+\d*(?:_[a-z\d]+)+(?![\w:.-])/g,
    sentences: [use, meaning],
  },
  {
    name: "camelCase name",
    pattern: /(?<![\w.:$/-])(?:[a-z]+|[A-Z][a-z\d]+)(?:[A-Z][a-z\d]+)+(?![\w:.-])/g,
    sentences: [use, (thing) => `which arguments does ${thing} take`],
  },
  {
    name: "qualified name",
    pattern: /(?<![\w:])[A-Za-z_]\w*(?:::~?[A-Za-z_]\w*)+(?![\w:])/g,
    sentences: [use, where],
  },
  {
    name: "command",
    pattern: /(?<![\w-])[A-Z][a-z]+-[A-Z][a-z]+[A-Z][A-Za-z]+(?![\w-])/g,
    sentences: [use, (thing) => `give me an example of ${thing}`],
  },
  {
    name: "file name",
    pattern: new RegExp(String.raw`(?<![\w./\\-])[\w-]+\.(?:${FILE_TYPES})(?![\w.-])`, "g"),
    sentences: [(thing) => `what belongs in ${thing}?`, where],
  },
  {
    name: "key",
    pattern: new RegExp(
      String.raw`(?<![\w./\\@$-])[A-Za-z]\w+(?:\.(?!(?:${FILE_TYPES})\b)[A-Za-z_]\w*)+(?![\w./\\(-])`,
      "g",
    ),
    sentences: [(thing) => `what is the default of ${thing}?`, where],
  },
  {
    name: "variable or constant",
    pattern: /(?<![\w.:$-])(?:\$env:\w+|\$[A-Za-z]\w+|[A-Z][A-Z\d]+(?:_[A-Z\d]+)+)(?![\w:.-])/g,
    sentences: [meaning, (thing) => `how do I set ${thing}`],
  },
  {
    name: "version",
    pattern: /(?<![\w.-])v?\d+\.\d+(?:\.\d+)+(?![\w.-])/g,
    sentences: [(thing) => `what changed in ${thing}?`, (thing) => `does it need ${thing}`],
  },
  {
    name: "symbol",
    pattern:
      /(?<![\w#.])(?:operator ?[-+*/%<>=!&|~^]{1,3}|#[a-z]+(?:_[a-z]+)*|[A-Z]\+\+\d\d|\.[A-Z][A-Z]+)(?![\w+=<>&|])/g,
    sentences: [use, meaning],
  },
];
