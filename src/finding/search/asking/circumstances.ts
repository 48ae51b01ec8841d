import { analyzeQuestion, isStopWord } from "../analyze.ts";

/** Something of the reader's own that a question tells: an id, a path, a time, a host, a version. */
interface Circumstance {
  start: number;
  end: number;
  /** As it is written, without what names its kind. */
  token: string;
}

/** What names of machines end with: those of a network of its own, and the commonest of all. */
const INNER = "local|lan|internal|corp|intranet|example|test|invalid|home";
const TOP = `(?:[a-z]{2}|com|net|org|info|cloud|app|dev|tld|${INNER})`;
/** What docs can't know, by its form. Each is bounded, and none begins inside of a word. */
const FORMS = [
  // Addresses of the web and of people.
  String.raw`https?://[^\s()<>"']{1,500}`,
  String.raw`[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}`,
  // Ids: UUIDs, hashes, keys such as req_8f7a6b5c4d.
  String.raw`[\da-fA-F]{8}-(?:[\da-fA-F]{4}-){3}[\da-fA-F]{12}`,
  String.raw`0x[\da-fA-F]{4,40}`,
  String.raw`(?=[a-f]{0,64}\d)(?=\d{0,64}[a-f])[\da-f]{7,64}(?:-[\da-f]{2,12}){0,6}`,
  String.raw`[a-z]{2,10}_(?=[A-Za-z]{0,40}\d)[A-Za-z\d]{5,40}`,
  String.raw`(?=[A-Za-z]{0,64}\d)(?=[\dA-Z]{0,64}[a-z])(?=[\da-z]{0,64}[A-Z])[A-Za-z\d]{16,64}={0,2}`,
  String.raw`(?:[ugp]id )\d{1,10}`,
  // Times and dates.
  String.raw`\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?`,
  String.raw`\d{1,2}[./]\d{1,2}[./]\d{4}`,
  String.raw`\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?: ?[aApP]\.?[mM]\b\.?)?`,
  // Machines: addresses, and names of several parts, or below a name that only a network of its own has.
  String.raw`\d{1,3}(?:\.\d{1,3}){3}(?:[:/]\d{1,5})?`,
  String.raw`(?:[\da-fA-F]{1,4}:){3,7}[\da-fA-F]{1,4}`,
  String.raw`(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.){2,6}${TOP}(?::\d{2,5})?(?:/[\w.:@+-]{1,100}){0,10}`,
  String.raw`(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)${TOP}(?::\d{2,5})?(?:/[\w.:@+-]{1,100}){1,10}`,
  String.raw`[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.(?:${INNER})(?::\d{2,5})?`,
  // Places of files, in two folders or more.
  String.raw`(?:~|\.{1,2})?/(?:[\w.@+-]{1,100}/){1,20}[\w.@+-]{0,100}`,
  String.raw`[A-Za-z]:\\(?:[\w.@+ -]{1,100}\\){0,20}[\w.@+-]{0,100}`,
  // Versions of three parts or more, and numbers that somebody measured or counted.
  String.raw`v?\d{1,5}(?:\.\d{1,5}){2,4}(?:[-+][\w.]{1,40})?`,
  String.raw`\d{1,12}\.\d{3,20}|\d{1,12},\d{4,20}`,
  String.raw`\d{6,20}`,
];
/** What people call such things, right before them. */
const KINDS = String.raw`(?:(?:request|trace|correlation|transaction|order|ticket|session|user|customer|account|build|job|run|container|pod|commit|device|machine|process|client|tenant) )?(?:ids?|uuid|guid|hash|sha|numbers?|no\.?|ip|host(?:name)?|version|release|timestamp|time|path|serial|commit|revision)\s{0,3}(?:is )?[:=#]?\s{0,3}`;
const TOKEN = new RegExp(
  String.raw`(?<![\p{L}\p{N}@/_.-])(?:(?:at|on|from|with|since|under|my|our|the) )?(?:${KINDS})?(?<token>${FORMS.join("|")})(?![\p{L}\p{N}@_])`,
  "gu",
);
/** A version of two parts is one where it is called so. */
const VERSION = /(?<![\p{L}\p{N}])(?:versions?|release) (?<token>v?\d{1,5}\.\d{1,5})(?![\p{L}\p{N}.])/giu;
/** A name of the reader's own, of which the docs can know nothing: "our AcmeShopRunner". */
const OWN_NAME =
  /(?<![\p{L}\p{N}])our(?: own| internal| in-house| custom)? (?<token>[A-Z][a-z]{1,30}(?:[A-Z][a-z]{1,30}){1,5})(?![\p{L}\p{N}])/gu;
/** One that no word of a language has the form of, behind what it names: "on host nuc7", "the app is called crm-eu". */
const GIVEN_NAME =
  /(?<![\p{L}\p{N}-])(?:called|named|host|box|machine|vm)\s{1,3}(?<quote>['"“‘]?)(?<token>[a-z][a-z\d]{0,30}(?:-[a-z\d]{1,30}){1,5}|[a-z]{1,30}\d[a-z\d]{0,30})\k<quote>(?![\p{L}\p{N}@/_.-])/gu;
/** One that says in which of their surroundings it is. */
const PLACED_NAME =
  /(?<![\p{L}\p{N}@/_.-])(?<token>[a-z\d]{1,30}(?:-[a-z\d]{1,30}){0,4}-(?:prod|production|staging|stage|qa|uat|eu|us|apac))(?![\p{L}\p{N}@/_-])/gu;
/** A name that joins several words as programs do; one that is said to be a setting, a class or the like is asked about. */
const JOINED_NAME =
  /(?<![\p{L}\p{N}@/_.:`"'-])(?<token>[a-z][a-z\d]{0,30}(?:_[a-z\d]{1,30}){1,6}|[a-z][a-z\d_]{0,30}(?:\.[a-z][a-z\d_]{0,30}){2,6})(?![\p{L}\p{N}@/_(=:`"'-]|\.\p{L})/gu;
const KIND_OF_NAME =
  "settings?|options?|flags?|parameters?|params?|arguments?|args?|functions?|methods?|commands?|variables?|vars?|env|class(?:es)?|modules?|packages?|librar(?:y|ies)|propert(?:y|ies)|fields?|keys?|decorators?|attributes?|tables?|columns?|files?|errors?|exceptions?|types?";
const CALLED_BEFORE = new RegExp(
  String.raw`\b(?:${KIND_OF_NAME}|does|is|are|what(?:['’]s)?|set|use|using|call|import)\s{1,3}$`,
  "iu",
);
/** The longest of these words, and the spaces around it. */
const CALLED_CHARACTERS = 20;
const CALLED_BEHIND = new RegExp(String.raw`^\s{1,3}(?:${KIND_OF_NAME}|do|does|mean|means|work)\b`, "iu");
/** A firm of several names: "the auditors at Brandt & Vogel". */
const FIRM =
  /(?<![\p{L}\p{N}])(?:(?:at|for|from|of|by|with) )(?<token>\p{Lu}\p{L}{1,30}(?: ?& ?\p{Lu}\p{L}{1,30}){1,3})(?![\p{L}\p{N}])/gu;
const PARENTHESIS = /[([]([^()[\]\n]{1,200})[)\]]/g;
/** So many other words may stand in parentheses with something of the reader's own, and say nothing else. */
const WORDS_BESIDE_MAX = 6;
const CHARACTERS_MAX = 10_000;

/** What a question tells of the reader's own, in order. */
export function circumstancesIn(question: string): Circumstance[] {
  if (question.length > CHARACTERS_MAX || !/[\d/\\@.&_-]|\b(?:our|my)\b/i.test(question)) return [];
  const found = [TOKEN, VERSION, OWN_NAME, GIVEN_NAME, PLACED_NAME, JOINED_NAME, FIRM].flatMap((pattern) =>
    [...question.matchAll(pattern)].flatMap(({ 0: { length }, index, groups }) => {
      const place = { start: index, end: index + length, token: groups?.["token"] ?? "" };
      return pattern === JOINED_NAME && isAskedAbout(question, place) ? [] : place;
    }),
  );
  return found.toSorted((a, b) => a.start - b.start || b.end - a.end);
}

const isAskedAbout = (question: string, { start, end }: Circumstance): boolean =>
  CALLED_BEFORE.test(question.slice(Math.max(0, start - CALLED_CHARACTERS), start)) ||
  CALLED_BEHIND.test(question.slice(end));

/**
 * A question without what the docs can't know of it: it would be searched for parts of that, and docs be asked to cover it.
 * What they know stays, and so does a question of nothing else.
 */
export function withoutCircumstances(question: string, isKnown: (token: string) => boolean): string {
  const own = circumstancesIn(question).filter(({ token }) => !isKnown(token));
  if (own.length === 0) return question;
  const rest = withoutParts(question, [...own, ...parenthesesAround(question, own)]);
  if (analyzeQuestion(rest).every(isStopWord)) return question;
  return rest
    .replace(/[^\S\n]{2,}/g, " ")
    .replace(/ (?=[?!.,;:])/g, "")
    .trim();
}

function parenthesesAround(
  question: string,
  own: readonly Circumstance[],
): Pick<Circumstance, "start" | "end">[] {
  return [...question.matchAll(PARENTHESIS)].flatMap(({ 0: { length }, index }) => {
    const end = index + length;
    const inside = own.filter((each) => each.start > index && each.end < end);
    const beside =
      withoutParts(question.slice(0, end), inside)
        .slice(index)
        .match(/[\p{L}\p{N}]+/gu) ?? [];
    return inside.length > 0 && beside.length <= WORDS_BESIDE_MAX ? [{ start: index, end }] : [];
  });
}

/** The text with spaces in the place of parts of it, so that the rest stands where it stood. */
function withoutParts(text: string, parts: readonly Pick<Circumstance, "start" | "end">[]): string {
  let rest = text;
  for (const { start, end } of parts) rest = rest.slice(0, start) + " ".repeat(end - start) + rest.slice(end);
  return rest;
}
