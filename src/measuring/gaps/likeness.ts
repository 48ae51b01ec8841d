import {
  areOpposite,
  haveSameNames,
  type MeasureQuestions,
  meaningsIn,
  type QuestionKind,
  type ReadQuestion,
  sharedPart,
} from "@docent/answering/curated/questions/questions";

/** A question that is in a gap already. */
interface GapMember {
  gapId: string;
  question: ReadQuestion;
}

/** Measured with test/fixtures/gaps: see docs/gaps.md. */
const STRENGTH_MIN = 0.62;
const BY_MEANING = 0.5;
/** Where a text has no vector, words must agree more. */
const UNKNOWN_MEANING = 0.5;
/** With fewer words in common, the same meaning would not be enough. */
const WORDS_MIN = (STRENGTH_MIN - BY_MEANING) / (1 - BY_MEANING);
const MEASURED_MAX = 8;
/** Comparing takes long, and nobody else is answered meanwhile: those that share the rarest words come first. */
const COMPARED_MAX = 300;

/** The questions of a site's gaps, by their words. */
export interface GapIndex {
  add(member: GapMember): void;
  /** The gap that a question belongs to; undefined where it is the first of its kind. */
  find(question: ReadQuestion, measure: MeasureQuestions, signal: AbortSignal): Promise<string | undefined>;
}

interface Likeness extends GapMember {
  words: number;
}

export function createGapIndex(): GapIndex {
  const exact = new Map<string, string>();
  const having = new Map<string, GapMember[]>();
  /** Each gap's first question: all others must be able to mean the same as it, or gaps would drift. */
  const first = new Map<string, ReadQuestion>();

  function sharingWords({ terms }: ReadQuestion): Set<GapMember> {
    const found = new Set<GapMember>();
    const shared = [...terms.keys()].map((term) => having.get(term) ?? []);
    for (const members of shared.sort((a, b) => a.length - b.length)) {
      for (const member of members) {
        if (found.size === COMPARED_MAX) return found;
        found.add(member);
      }
    }
    return found;
  }

  function mostAlike(question: ReadQuestion): Likeness[] {
    return [...sharingWords(question)]
      .map((member) => ({ ...member, words: compareForGaps(question, member.question) }))
      .filter(({ gapId, words }) => words >= WORDS_MIN && isLike(question, first.get(gapId)))
      .sort((a, b) => b.words - a.words)
      .slice(0, MEASURED_MAX);
  }

  return {
    add({ gapId, question }) {
      if (!first.has(gapId)) first.set(gapId, question);
      if (exact.has(question.exact)) return;
      exact.set(question.exact, gapId);
      for (const term of question.terms.keys()) {
        const others = having.get(term);
        if (others) others.push({ gapId, question });
        else having.set(term, [{ gapId, question }]);
      }
    },

    async find(question, measure, signal) {
      const same = exact.get(question.exact);
      if (same !== undefined) return same;
      const alike = mostAlike(question);
      if (alike.length === 0) return undefined;
      const near = await measure(
        question.text,
        alike.map((each) => each.question.text),
        signal,
      );
      const [best] = alike
        .map(({ gapId, words, question: { text } }) => ({
          gapId,
          strength: words * (1 - BY_MEANING) + (near?.get(text) || UNKNOWN_MEANING) * BY_MEANING,
        }))
        .filter(({ strength }) => strength >= STRENGTH_MIN)
        .sort((a, b) => b.strength - a.strength);
      return best?.gapId;
    },
  };
}

const isLike = (question: ReadQuestion, other: ReadQuestion | undefined) =>
  other === undefined || compareForGaps(question, other) > 0;

/** What asks for the cause of a fault, or for a person or a moment, wants another page than what asks how it is done. */
const NOT_HOW_TO: ReadonlySet<QuestionKind> = new Set(["why", "when", "who"]);

/** Words that tell questions apart where an answer is given to them, and not where a page is to be written. */
const SOFT_QUALIFIERS: ReadonlySet<string> = new Set(["=all", "=only", "=again", "=same", "=first", "=out"]);

const FAINT_WEIGHT = 0.25;

/**
 * How much of what two questions are about they share, from 0 to 1. 0 where they cannot be of one meaning: another
 * number, version, name or direction. Looser than what decides whether a curated answer fits, because no reader sees
 * it: "is it possible", "how do I" and the bare words want the same page.
 */
export function compareForGaps(a: ReadQuestion, b: ReadQuestion): number {
  if (a.exact === b.exact) return 1;
  if (a.terms.size === 0 || b.terms.size === 0) return 0;
  const cannotMatch =
    NOT_HOW_TO.has(a.kind) !== NOT_HOW_TO.has(b.kind) ||
    !hardQualifiers(a).isSubsetOf(hardQualifiers(b)) ||
    !hardQualifiers(b).isSubsetOf(hardQualifiers(a)) ||
    !haveSameNames(a, b) ||
    areOpposite(a, b) ||
    areRivals(a.terms, b.terms);
  return cannotMatch ? 0 : sharedPart(a, b, weighFaint);
}

const weighFaint = (term: string, weight: number) =>
  FAINT.has(term) ? Math.min(weight, FAINT_WEIGHT) : weight;

const hardQualifiers = ({ strict }: ReadQuestion) => strict.difference(SOFT_QUALIFIERS);

/** Words that ask whether something is there, or how one comes by it: whoever writes the page answers them all. */
const FAINT_WORDS = `
support available availability offer provide exist have compatible compatibility work run use set add do get
configure enable need require requirement official policy custom
`;

/** Each line has things of one kind: a question about one of them is none about another. */
const RIVALS = `
linux windows macos mac ios android ubuntu debian fedora
pdf csv excel xlsx json xml yaml html markdown word
aws azure gcp gcs s3
mysql postgresql sqlite mongodb mariadb oracle redis
eu us uk europe usa germany china
python ruby go java javascript typescript php rust kotlin swift
react vue angular svelte
slack teams discord telegram
github gitlab bitbucket
google microsoft apple facebook okta
chrome firefox safari edge
production staging development
mobile desktop tablet
monthly yearly daily weekly hourly
enable disable reset
create remove change copy rename
start stop restart pause
import export
upload download
install uninstall
encrypt decrypt
grant revoke
input output
read write
backup restore
`;

/** Words that weigh little in what a question is about. */
const FAINT: ReadonlySet<string> = new Set(meaningsIn(FAINT_WORDS));

const rivals: readonly ReadonlySet<string>[] = RIVALS.trim()
  .split("\n")
  .map((line) => new Set(meaningsIn(line)));

/** Whether questions of these words are about different things of one kind, such as Linux and Windows. */
function areRivals(a: ReadonlySetLike<string>, b: ReadonlySetLike<string>): boolean {
  return rivals.some((line) => {
    const own = line.intersection(a);
    if (own.size === 0) return false;
    const other = line.intersection(b);
    return other.size > 0 && own.isDisjointFrom(other);
  });
}
