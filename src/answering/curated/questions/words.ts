import { stemmer } from "stemmer";

/** Short forms with what they stand for, and things written in two words with the one word for them. */
const PHRASES: readonly [RegExp, string][] = [
  [/[’‘]/g, "'"],
  [/\b(?:can'?t|cannot)\b/gi, "can not"],
  [/\bwon't\b/gi, "will not"],
  [/n't\b/gi, " not"],
  [/\b(what|where|when|who|how|it|that|there)'s\b/gi, "$1 is"],
  [/'(?:s|re|ve|ll|m|d)\b/gi, ""],
  [/\b(?:sign|log)(?:ging|ing|ged|ed|s)?[ -](?:in|on)(?:to)?\b|\bsignin\b|\blogon\b/gi, "login"],
  [/\b(?:sign|log)(?:ging|ing|ged|ed|s)?[ -](?:out|off)\b|\bsignout\b|\blogoff\b/gi, "logout"],
  [/\bsign(?:ing|ed|s)?[ -]up\b/gi, "signup"],
  [/\bset(?:ting|s)?[ -]up\b/gi, "setup"],
  [/\bback(?:ing|ed|s)?[ -]up\b/gi, "backup"],
  [/\b(?:turn|switch)(?:ing|ed|s|es)?[ -]on\b/gi, "enable"],
  [/\b(?:turn|switch)(?:ing|ed|s|es)?[ -]off\b/gi, "disable"],
  [/\bget(?:ting)?[ -]rid of\b/gi, "remove"],
  [/\broll(?:ing|ed|s)?[ -]back\b/gi, "rollback"],
  [/\btime(?:d|s)?[ -]out\b/gi, "timeout"],
  [/\bplug[ -]in(s?)\b/gi, "plugin$1"],
  [/\b(?:data ?base)(s?)\b/gi, "database$1"],
  [/\be-mail(s?|ed|ing)\b/gi, "email$1"],
  [/\bwhere (?:can|do|could|would|should) (?:i|we|you|one) (?:find|see|get|locate|look for)\b/gi, "where is"],
  [/\bhow (?:do|can) (?:i|we) find out\b/gi, "how"],
  [/\b(?:a )?(?:brand )?new\b/gi, "a"],
];

/** Words that ask for the same. Each line is one meaning; no word may change what is asked for. */
const SAME = `
setup configure config configuration
change modify edit alter
remove delete erase
create make
error failure
enable activate
disable deactivate
start launch
stop halt
find locate
upgrade update
see view show display
get obtain retrieve fetch
password passphrase
picture image photo
folder directory
docs documentation
parameter argument
delay latency
email mail
repository repo
kubernetes k8s
postgres postgresql
javascript js
typescript ts
authenticate authentication auth
authorize authorization
administrator admin
application app
environment env
variable var
maximum max
minimum min
signup register registration
crash crashing
login
backup
choose pick select
allow permit
`;

/** What "not" and its like say, and the words that say which of several is meant. */
const QUALIFIER_WORDS = `
not no without never neither nor except excluding nicht kein keine ohne pas sans sin senza niet geen zonder не без
all every each everything everyone
only
other another else different
before
after
off
out
over
more
less fewer
most
least
same
again
first
last
`;

const FILLER_WORDS = `
step guide please instruction tutorial procedure process docs documentation question currently quickly exactly simply
easiest easy simplest simple best proper properly correct correctly right actually anyway anybody someone somebody
hello hey dear quick fast possible possibility way able ability recommend recommended explain describe tell
wonder know understand learn regard regarding concerning information info detail about sure kindly advice idea help
thank thanks there here it its would could should want need like try lot bit really need successfully
wie kann ich man mein meine der die das ein eine comment puis je mon ma le la les un une cómo puedo mi el los las
`;

/** Words that say what is done, but hardly what with. */
const LIGHT_WORDS = "use get see give go work happen mean";

const LABEL_WORDS = "error code option flag switch parameter argument version release number message status";

const PLACED_WORDS = "store keep locate find live lie save put";

/** A word spelled as it is compared: `instal` and `install` are one. */
export const keyOf = (term: string) => stem(term.toLowerCase()).replace(/(\p{L})\1/gu, "$1");

const stem = (word: string) => (/^[a-z]{3,}$/.test(word) ? stemmer(word) : word);
const wordsIn = (text: string) => text.split(/\s+/).filter((word) => word !== "");

const meanings = new Map(
  SAME.split("\n").flatMap((line) => {
    const keys = wordsIn(line).map(keyOf);
    return keys.map((key) => [key, keys[0] ?? key] as const);
  }),
);

/** The word that stands for all that ask for the same, spelled as it is compared. */
export function meaningOf(word: string): string {
  const key = keyOf(word);
  return meanings.get(key) ?? key;
}

/** The meanings of a list of words. */
export const meaningsIn = (text: string): string[] => wordsIn(text).map(meaningOf);

/** Words that must be in both questions, by what they say. */
export const QUALIFIERS: ReadonlyMap<string, string> = new Map(
  QUALIFIER_WORDS.split("\n").flatMap((line) => {
    const words = wordsIn(line);
    return words.map((word) => [word, `=${words[0]}`] as const);
  }),
);

export const FILLERS: ReadonlySet<string> = new Set(wordsIn(FILLER_WORDS).map(keyOf));

export const LIGHT: ReadonlySet<string> = new Set(meaningsIn(LIGHT_WORDS));

/** Words that search does not look for, because nearly every question has them, and that are what this one is about. */
export const TELLING: ReadonlySet<string> = new Set([...LIGHT, ...meanings.values(), keyOf("user")]);

/** Words for what a number, a code or an option is: beside it, they add nothing. */
export const LABELS: ReadonlySet<string> = new Set(meaningsIn(LABEL_WORDS));

/** Words for being somewhere: where it is is where it is kept. */
export const PLACED: ReadonlySet<string> = new Set(meaningsIn(PLACED_WORDS));

/** A question with its short forms written out, and what is said in two words in one. */
export function expandPhrases(text: string): string {
  return PHRASES.reduce((written, [phrase, plain]) => written.replace(phrase, plain), text.normalize("NFKC"));
}
