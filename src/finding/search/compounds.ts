import { firstTerm, isSpelledWord, isStopWord, type Word, wordsOf } from "./analyze.ts";
import type { KeywordView } from "./keyword-index/keyword-index.ts";
import { withoutQuotes } from "./read-query.ts";

// The same thing is written in one word or in two: "time zone" and "timezone", "Datenbankverbindung" and "Verbindung zur
// Datenbank". Docs have their way, and readers do not know it.

/** So much more often must docs have the other way, to be asked that way alone. */
const RARER = 20;
const LETTERS_MIN = 3;
/** What makes a verb of two words, and one word where it is a noun: "back up" and "backup", "log in" and "login". */
const PARTICLES = new Set(["up", "out", "off", "down", "back"]);
/** The same, where no thing follows in which, or on which, something is: "the log in the console". */
const PREPOSITIONS = new Set(["in", "on", "over"]);
const NO_THING_FOLLOWS =
  /^\s*(?:$|[^\p{L}\p{N}\s]|(?:to|with|without|as|via|by|from|using|and|or|again)\b)/iu;
/** How much more often docs must have the noun: they may well have both. */
const RARER_THAN_NOUN = 2;
/** How much more often docs must have the verb: titles have the noun, and instructions, which are more, the verb. */
const RARER_THAN_VERB = 5;
/** Without a place where they stand side by side, two words must be long, and not rare, to be no parts by chance. */
const APART_LETTERS_MIN = 5;
const APART_PASSAGES_MIN = 3;
/** Fewer may be a typo of the docs. */
const JOINED_PASSAGES_MIN = 10;
/** What German, Dutch and the Scandinavian languages put between two words. */
const JOINTS = ["", "s", "es", "n", "en", "er"];
const COMPOUND_LETTERS_MIN = 7;
const COMPOUND_LETTERS_MAX = 30;
/** Each is looked up in all the ways in which it could be cut. */
const SPLIT_MAX = 3;
const LETTERS = /^\p{L}+$/u;
/** Of a long text, not every word is looked up. */
const LOOKED_UP_MAX = 24;

type DocsView = Pick<KeywordView, "frequencies" | "phraseFrequency">;

interface CompoundDeps {
  view: DocsView;
  /** Whether this is a word as people write it, on whatever subject. */
  isWord(text: string): Promise<boolean>;
}

/** A question with its compounds written in one word or in two, as the docs do. */
export async function asDocsWrite(text: string, deps: CompoundDeps): Promise<string> {
  const words = wordsOf(withoutQuotes(text)).slice(0, LOOKED_UP_MAX);
  const pairs = pairsIn(text, words);
  const nouns = words.filter(isPlain).flatMap(nounOf);
  const terms = [
    ...words.flatMap((word) => word.terms),
    ...nouns.map(({ verb }) => verb),
    ...pairs.map(({ joined }) => joined),
  ];
  const frequencies = await deps.view.frequencies([...new Set(terms)]);
  const unknown = words.filter((word) => !word.terms.some((term) => frequencies.has(term)));
  let result = text;
  const split = (written: string, parts: readonly string[]) => {
    result = result.replace(written, () => parts.join(" "));
  };
  for (const noun of nouns) if (await isAskedAsVerb(noun, frequencies, deps)) split(noun.written, noun.parts);
  // A question in another language than the docs has no compounds of theirs; one word alone may be of any.
  if (unknown.length > 1 && unknown.length > words.length / 2) return result;
  for (const { written } of unknown.filter(isPlain).slice(0, SPLIT_MAX)) {
    const parts = await partsOf(written, deps);
    if (parts !== undefined) split(written, parts);
  }
  for (const { written, parts, joined, isVerb } of pairs) {
    const asOne = frequencies.get(joined) ?? 0;
    if (asOne < (isVerb ? 1 : JOINED_PASSAGES_MIN)) continue;
    const rarer = isVerb ? RARER_THAN_NOUN : RARER;
    if (asOne > rarer * (await deps.view.phraseFrequency(parts.map(termOf))))
      result = result.replace(written, () => parts.join(""));
  }
  return result;
}

const isPlain = ({ written, terms, isName }: Word) => !isName && terms.length === 1 && LETTERS.test(written);

interface Pair {
  written: string;
  parts: [string, string];
  /** The term of both as one word. */
  joined: string;
  /** Whether they are a verb and its particle. */
  isVerb: boolean;
}

/** Words with nothing but a space or a hyphen between them. */
function pairsIn(text: string, words: readonly Word[]): Pair[] {
  return words.slice(1).flatMap((second, index): Pair[] => {
    const first = words[index];
    if (first === undefined || !isPlain(first) || !isPlain(second)) return [];
    if (isTooPlain(first)) return [];
    if (!isSpelledWord(`${first.written}${second.written}`)) return [];
    const written = [" ", "-"].map((between) => `${first.written}${between}${second.written}`);
    const there = written.find((each) => text.includes(each));
    if (there === undefined) return [];
    const isVerb = isParticle(second, text.slice(text.indexOf(there) + there.length));
    if (!isVerb && isTooPlain(second)) return [];
    const parts: Pair["parts"] = [first.written, second.written];
    return [{ written: there, parts, joined: termOf(parts.join("")), isVerb }];
  });
}

function isParticle({ written }: Word, behind: string): boolean {
  const word = written.toLowerCase();
  return PARTICLES.has(word) || (PREPOSITIONS.has(word) && NO_THING_FOLLOWS.test(behind));
}

/** A word that may be the noun of a verb and its particle. */
interface ParticleNoun {
  written: string;
  term: string;
  parts: [string, string];
  /** The term of the verb without its particle. */
  verb: string;
  /** Whether its particle is none where a thing follows, which nobody can see in a noun. */
  isPreposition: boolean;
}

function nounOf({ written, terms: [term = ""] }: Word): ParticleNoun[] {
  const one = written.replace(/s$/i, "");
  const particle = [...PARTICLES, ...PREPOSITIONS].find((each) => one.toLowerCase().endsWith(each));
  if (particle === undefined || one.length - particle.length < LETTERS_MIN) return [];
  const parts: ParticleNoun["parts"] = [one.slice(0, -particle.length), one.slice(-particle.length)];
  return [{ written, term, parts, verb: termOf(parts[0]), isPreposition: PREPOSITIONS.has(particle) }];
}

/** Whether docs have the verb where a reader wrote its noun, and have the noun too rarely. */
async function isAskedAsVerb(
  { term, parts, verb, isPreposition }: ParticleNoun,
  frequencies: ReadonlyMap<string, number>,
  { view }: CompoundDeps,
): Promise<boolean> {
  const rarer = isPreposition ? RARER : RARER_THAN_VERB;
  const wanted = Math.max(1, rarer * (frequencies.get(term) ?? 0));
  // Most words that end as a particle ("version", "admin") have no verb in them: nothing is read of the particle for these.
  if ((frequencies.get(verb) ?? 0) < wanted) return false;
  return (await view.phraseFrequency(parts.map(termOf))) >= wanted;
}

/** Whether a word is part of no compound. */
const isTooPlain = ({ written, terms }: Word) => written.length < LETTERS_MIN || terms.every(isStopWord);

/** The two words of which the docs make what a reader wrote as one; undefined where there are none. */
async function partsOf(written: string, { view, isWord }: CompoundDeps): Promise<string[] | undefined> {
  if (written.length < COMPOUND_LETTERS_MIN || written.length > COMPOUND_LETTERS_MAX) return undefined;
  const splits = splitsOf(written);
  const of = await view.frequencies([...new Set(splits.flat().map(termOf))]);
  const known = splits
    .map((parts) => ({ parts, rarest: Math.min(...parts.map((part) => of.get(termOf(part)) ?? 0)) }))
    .filter(({ rarest }) => rarest > 0)
    .sort((a, b) => b.rarest - a.rarest);
  for (const { parts } of known) if ((await view.phraseFrequency(parts.map(termOf))) > 0) return parts;
  const apart = known.find(
    ({ parts, rarest }) =>
      rarest >= APART_PASSAGES_MIN && parts.every(({ length }) => length >= APART_LETTERS_MIN),
  );
  return apart === undefined || (await isWord(written)) ? undefined : apart.parts;
}

function splitsOf(written: string): [string, string][] {
  const splits: [string, string][] = [];
  for (let at = LETTERS_MIN; at <= written.length - LETTERS_MIN; at++) {
    const before = written.slice(0, at);
    for (const joint of JOINTS)
      if (before.endsWith(joint) && before.length - joint.length >= LETTERS_MIN)
        splits.push([before.slice(0, before.length - joint.length), written.slice(at)]);
  }
  return splits;
}

const termOf = (word: string) => firstTerm(word.toLowerCase()) ?? "";
