import { denialsIn, EXCEPTS, hedges, oppositesOf, turnsRound } from "./denials.ts";
import { type Doubt, type NearPiece, type Statement, shareOf } from "./statement.ts";
import { type Clause, clausesOf, mayDeny, REPLY, termsOf } from "./told.ts";

/** The share of a clause's words from which on another one may say the same. */
const SAME_CLAUSE = 0.5;
/** How much less than the nearest clause one may have, and still be as near. */
const AS_NEAR = 0.15;
/** The same for a whole sentence, which has more to differ in. */
const SAME_SENTENCE = 0.7;
/** What a clause begins with that says when the one before it holds. */
const GOES_ON = /^(?:if|when|unless|nor|or|where|without|except|wenn|falls|außer)\b/iu;
/** A denial in a clause that only says when, or of what. */
const UNDER_CONDITION =
  /(?<!\p{L})(?:if|when|where|that|which|who|wenn|falls|si|quand)(?!\p{L})[^,.;]*(?:not|n't|never|no|without)(?!\p{L})/iu;

/** The clauses that deny what is cited, or state what it denies. */
export function denialDoubts(statement: Statement): Doubt[] {
  const { text, near } = statement;
  const plain = text.replace(REPLY, "");
  if (!mayDeny(plain) && isDenied(statement)) return [{ kind: "denial", what: text }];
  const isSure = !mayDeny(plain.replace(/\bonly\b/, ""));
  const told = near.flatMap(({ piece }) => piece.clauses.map((clause) => ({ ...clause, piece })));
  const own = clausesOf(text);
  return own.flatMap((clause, at) => {
    const { terms, denies } = clause;
    if (denies === undefined || terms.size < 2) return [];
    const isFollowed = GOES_ON.test(own[at + 1]?.text ?? "");
    const same = nearest(clause, told).filter(
      (other) => denies || isSure || (!isFollowed && areAlike(clause, other)),
    );
    const isContrary = same.every(({ denies: theirs, piece }) =>
      denies ? theirs === false && !piece.mayDeny : theirs,
    );
    return same.length > 0 && isContrary ? [{ kind: "denial", what: clause.text }] : [];
  });
}

/** Whether the one sentence that says the same, in about as many words, denies it. */
function isDenied({ terms, near }: Statement): boolean {
  const best = Math.max(0, ...near.map(({ own }) => own));
  if (best < SAME_SENTENCE || terms.size < 3) return false;
  return near
    .filter(({ own }) => own >= best - AS_NEAR)
    .every(({ piece: { text, clauses } }) => {
      if (hedges(text) || UNDER_CONDITION.test(text) || denialsIn(text) !== 1) return false;
      const isOf = (words: ReadonlySet<string>) => shareOf(words, (term) => terms.has(term)) >= SAME_CLAUSE;
      return (
        isOf(termsOf(text)) && clauses.every((clause) => denialsIn(clause.text) === 0 || isOf(clause.terms))
      );
    });
}

/** The clauses that say nearly the same. */
function nearest<Told extends Clause>({ terms }: Clause, told: readonly Told[]): Told[] {
  const shares = told.map((other) => shareOf(terms, (term) => other.terms.has(term)));
  const best = Math.max(0, ...shares);
  if (best < SAME_CLAUSE) return [];
  return told.filter((other, at) => {
    const share = shares[at] ?? 0;
    const common = share * terms.size;
    // Two words in common are enough where there are hardly more.
    const isShort = share >= 0.66 && terms.size + other.terms.size <= 6;
    return share >= best - AS_NEAR && (common >= 3 || (common >= 2 && isShort));
  });
}

const areAlike = (one: Clause, other: Clause) =>
  shareOf(one.terms, (term) => other.terms.has(term)) >= 0.9 &&
  shareOf(other.terms, (term) => one.terms.has(term)) >= 0.6;

const THEN =
  /(?:,\s*|\s)(?:and\s)?(?:only\s)?(?:then|afterwards|after that|(?<!\b(?:week|day|hour|minute|month|year|one|time|as)\s)before|dann|danach|bevor|puis|luego|después)\s|，?(?:然后|之后)/iu;
const ORDERED =
  /(?<!\p{L})(?:first|then|next|finally|before|after|afterwards|zuerst|dann|danach|bevor|nachdem)(?!\p{L})|先|然后|之后/iu;

/** What is said to come first, where what is cited has it last. */
export function orderDoubts({ text, cited }: Statement): Doubt[] {
  const [earlier, later] = text.split(THEN).map(termsOf);
  if (earlier === undefined || later === undefined || earlier.size < 2 || later.size < 2) return [];
  const isTurned = cited.some(({ pieces }) => {
    const told = pieces.flatMap(({ clauses, text: whole }) => clauses.map(({ terms }) => ({ terms, whole })));
    const [first, second] = [earlier, later].map((terms) =>
      bestOf(told.map((each) => shareOf(terms, (term) => each.terms.has(term)))),
    );
    if (first === undefined || second === undefined || second >= first) return false;
    const between = told.slice(second, first + 1).map(({ whole }) => whole);
    return between.every((whole) => ORDERED.test(whole)) && !/\bafter\b|nachdem/i.test(between.join(" "));
  });
  return isTurned ? [{ kind: "contrary", what: text }] : [];
}

function bestOf(shares: readonly number[]): number | undefined {
  const best = Math.max(0, ...shares);
  return best < SAME_CLAUSE ? undefined : shares.indexOf(best);
}

/** Words of which what is cited says the contrary: "enabled" for "disabled". */
export function contraryDoubts({ text, terms, near }: Statement): Doubt[] {
  const [best] = near.toSorted((a, b) => b.own - a.own);
  if (best !== undefined && best.own >= 0.6 && turnsRound(text, best.piece.text))
    return [{ kind: "contrary", what: text }];
  const prose = near.filter(({ piece }) => !piece.isCode);
  return clausesOf(text).flatMap((clause) =>
    oppositesOf(clause.text)
      .filter(([said, contrary]) => {
        const isOther = (term: string) => !said.test(term);
        const own = [...clause.terms].filter(isOther);
        return saysContrary(
          prose,
          new Set(own.length < 3 ? [...terms].filter(isOther) : own),
          said,
          contrary,
        );
      })
      .map(() => ({ kind: "contrary" as const, what: clause.text })),
  );
}

/** Whether the pieces that say the rest of a clause have the contrary of its word, and none has the word itself. */
function saysContrary(
  near: readonly NearPiece[],
  rest: ReadonlySet<string>,
  said: RegExp,
  contrary: RegExp,
): boolean {
  if (rest.size < 2) return false;
  const scored = near.map(({ piece }) => ({
    text: piece.text,
    share: shareOf(rest, (term) => piece.terms.has(term)),
  }));
  const best = Math.max(0, ...scored.map(({ share }) => share));
  if (best < SAME_CLAUSE) return false;
  return (
    scored.every(({ text, share }) => share < best - 0.2 || !(EXCEPTS.test(text) || said.test(text))) &&
    scored.some(({ text, share }) => share === best && contrary.test(text))
  );
}
