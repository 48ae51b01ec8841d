import { hasUnspaced } from "../../text/sentences/sentences.ts";
import { denialsIn, EXCEPTS, hedges, oppositesOf, turnsRound } from "./denials.ts";
import { type Clause, clausesOf, mayDeny, REPLY, readTold, termsOf, type ToldPassage, type ToldPiece } from "./facts.ts";
import { isSame, type Quantity, quantitiesIn, timesNamedIn, unitBetween } from "./quantities.ts";
import type { Sentence } from "./sentences.ts";
import type { SupportPassage } from "./supporting-passages.ts";

/** Why a statement is in doubt: a fact of it that its passages do not say, or say otherwise. */
export interface Doubt {
  kind: "number" | "name" | "denial" | "contrary" | "words";
  what: string;
}

export interface Judge {
  /** The doubts about a statement, compared with what it cites; all that was found where it cites nothing. */
  doubts(sentence: Sentence, cites: readonly number[], language: string | undefined): Doubt[];
}

interface Known {
  question: string;
  asked: Quantity[];
  all: (ToldPassage & { number: number })[];
  /** Everything that the model was given, in lower case. */
  text: string;
}

interface Statement {
  text: string;
  isCode: boolean;
  terms: Set<string>;
  /** Whether its words can be compared: those of another language cannot. */
  isComparable: boolean;
  /** The pieces of what it cites, each with its share of the statement's words. */
  near: { piece: ToldPiece; share: number; own: number }[];
  cited: ToldPassage[];
  code: string[];
  language: string | undefined;
}

export function createJudge(passages: readonly SupportPassage[], question: string): Judge {
  let known: Known | undefined;
  const open = (): Known => {
    const all = passages.map(({ number, title, headings = [], text }) => ({ number, ...readTold(title, headings, text) }));
    const text = [question.toLowerCase(), ...all.map((each) => each.text)].join("\n");
    return { question, asked: quantitiesIn(question), all, text };
  };
  return {
    doubts(sentence, cites, language) {
      known ??= open();
      const statement = readStatement(known, sentence, cites, language);
      return [
        ...numberDoubts(known, statement),
        ...unitDoubts(known, statement),
        ...nameDoubts(known, statement),
        ...(statement.isComparable && !statement.isCode
          ? [...denialDoubts(statement), ...orderDoubts(statement), ...contraryDoubts(statement), ...wordDoubts(statement)]
          : []),
      ];
    },
  };
}

const ELSEWHERE_SHARE_MIN = 0.6;

function readStatement({ all }: Known, { text, isCode, code }: Sentence, cites: readonly number[], language: string | undefined): Statement {
  const terms = termsOf(text);
  const isCited = ({ number }: { number: number }) => cites.length === 0 || cites.includes(number);
  const cited = all.filter(isCited);
  const near = all.flatMap((passage) =>
    passage.pieces.flatMap((piece, index) => {
      const around = [passage.pieces[index - 1], passage.pieces[index + 1]];
      const own = shareOf(terms, (term) => piece.terms.has(term));
      if (!isCited(passage) && own < ELSEWHERE_SHARE_MIN) return [];
      const has = (term: string) =>
        piece.terms.has(term) || passage.about.has(term) || around.some((each) => each?.terms.has(term));
      return { piece, share: shareOf(terms, has), own };
    }),
  );
  const theirs = cited.flatMap((each) => each.language ?? []);
  const isOther = language !== undefined && theirs.length > 0 && !theirs.includes(language);
  const isComparable = !isOther && (!hasUnspaced(text) || cited.some((each) => hasUnspaced(each.text)));
  return { text, isCode, terms, isComparable, near, cited: cited.length > 0 ? cited : all, code, language };
}

function shareOf(terms: ReadonlySet<string>, has: (term: string) => boolean): number {
  if (terms.size === 0) return 0;
  let count = 0;
  for (const term of terms) if (has(term)) count++;
  return count / terms.size;
}

const REACH = 0.4;
const COUNTING =
  /^\W*(?:\p{L}+\s){0,1}?(?:ways?|options?|steps?|things?|methods?|reasons?|cases?|parts?|kinds?|types?|conditions?|places?|commands?|settings?|possibilities|forms?|choices|of them|of these|Möglichkeiten|Schritten?|Arten|Fällen?|Optionen|façons|étapes|formas|pasos|种|个步骤|つ)/iu;

function numberDoubts({ asked, question }: Known, statement: Statement): Doubt[] {
  const { text, near, isCode, isComparable, cited, code } = statement;
  if (/[=×≈≙]/.test(text) && !isCode) return [];
  const best = Math.max(0, ...near.map(({ share }) => share));
  const stated = quantitiesIn(text);
  const found: Quantity[] = [];
  const lost: Quantity[] = [];
  for (const quantity of stated) {
    if (asked.some((each) => isSame(quantity, each))) continue;
    const isCounted = quantity.unit === undefined && /^\p{L}/u.test(quantity.written) && quantity.values.every((value) => value < 3);
    if (isCounted || (quantity.unit === undefined && quantity.values.every((value) => value <= 10) && COUNTING.test(text.slice(quantity.at + quantity.written.length)))) continue;
    const telling = near.filter(({ piece }) =>
      piece.quantities.some((each) => matches(quantity, each, cited) && !isOtherBound(quantity, each)),
    );
    const reach = Math.max(0, ...telling.map(({ share }) => share));
    const isNamed = telling.some(({ piece }) => code.some((name) => piece.text.includes(name)));
    const isThere = telling.length > 0 && (!isComparable || isCode || isNamed || reach >= best * REACH);
    (isThere && !isOfOther(quantity, statement, telling.map(({ piece }) => piece)) ? found : lost).push(quantity);
  }
  const given = [...found, ...asked];
  return lost
    .filter((quantity) => !isReckoned(quantity, given))
    .filter(() => !(isCode && quantitiesIn(question).length > 0))
    .map(({ at, written }) => ({ kind: "number", what: text.slice(at, at + written.length + 12) }));
}

const NAMES_TIME = /sec|sek|minu|hour|stund|heure|hora|\bdays?\b|秒|分钟|小时/i;

/** Units of time that stand in none of what is cited, where others do: "given in minutes". */
function unitDoubts({ question }: Known, { text, cited, isCode }: Statement): Doubt[] {
  if (isCode) return [];
  let bare = text;
  for (const { at, end } of quantitiesIn(text))
    bare = bare.slice(0, at) + " ".repeat(end - at) + bare.slice(end);
  const told = cited.map((each) => each.text).join("\n");
  if (!NAMES_TIME.test(told)) return [];
  return timesNamedIn(bare)
    .filter((names) => !names.test(told) && !names.test(question))
    .map((names) => ({ kind: "number" as const, what: names.exec(bare)?.[0] ?? "" }));
}

/** Whether the clause of a number stands in the passages with another number, and this one elsewhere. */
function isOfOther({ at }: Quantity, { text, near, isComparable, isCode }: Statement, telling: readonly ToldPiece[]): boolean {
  if (!isComparable || isCode) return false;
  let end = 0;
  const clause = clausesOf(text).find((each) => {
    const start = text.indexOf(each.text, end);
    end = start + each.text.length;
    return start <= at && at < end;
  });
  if (clause === undefined || clause.terms.size < 2) return false;
  const shareIn = ({ terms }: ToldPiece) => shareOf(clause.terms, (term) => terms.has(term));
  const best = Math.max(0, ...near.map(({ piece }) => (piece.quantities.length > 0 ? shareIn(piece) : 0)));
  return best >= SAME_PIECE && best * clause.terms.size >= 2 && Math.max(0, ...telling.map(shareIn)) < best * OTHER_SHARE;
}

const OTHER_SHARE = 0.34;

const isOtherBound = (one: Quantity, other: Quantity) =>
  one.bound !== undefined && other.bound !== undefined && one.bound !== other.bound;

/** Whether the docs have the number; a unit that they leave out must at least be named. */
function matches(stated: Quantity, told: Quantity, cited: readonly ToldPassage[]): boolean {
  if (stated.unit === undefined || told.unit !== undefined) return isSame(stated, told);
  const names = unitBetween(told, stated);
  if (names === undefined) return stated.unit !== "time" && isSame(stated, told);
  return cited.some(({ text }) => names.test(text) || !NAMES_TIME.test(text));
}

function isReckoned({ values, unit }: Quantity, given: readonly Quantity[]): boolean {
  if (given.length < 2) return false;
  const known = given.filter((each) => each.unit === unit || each.unit === undefined || unit === undefined);
  return known.some((one, index) =>
    given.some((other, at) => at !== index && one.values.some((a) => other.values.some((b) => values.some((value) => [a + b, Math.abs(a - b), a * b, a / b, b / a].some((each) => Math.abs(each - value) < 1e-6))))),
  );
}

const PLACEHOLDER = /[<>…{}$*]|\.\.\.|^(?:your|my|some|foo|bar|example|path|file|name)|your[-_]|my[-_]|example|^["']|^[A-Z_]*(?:YOUR|MY)_/i;
/** What every reader knows, and the docs may say in other words. */
const COMMON_NAME = /^(?:URLs?|URIs?|APIs?|HTTPS?|IDs?|UIs?|CLIs?|OS|CPUs?|GPUs?|RAM|IPs?|TVs?|PCs?|SSD|OK|FAQ|JSON|YAML|HTML|SQL|SSL|TLS|DNS|SSH|I|Markdown|English|Unix|Linux|January|February|March|April|May|June|July|August|September|October|November|December|Monday|Sunday)$/;
const NAME_LIKE = /^[A-Z][\p{L}\d]*[a-z\d]|^[A-Z]{2,}/u;
const IDENTIFIER = /^-{1,2}[a-z]|[_/@]|\p{L}\.\p{L}|\p{Ll}\p{Lu}|^[A-Z]+_|\p{L}-?\d|::/u;

function nameDoubts(known: Known, statement: Statement): Doubt[] {
  const { text, isCode, code, cited, near } = statement;
  const lost = new Set<string>();
  const spans = isCode ? text.split("\n") : code;
  const where = { text: [known.question.toLowerCase(), ...cited.map((each) => each.text), ...near.map(({ piece }) => piece.text.toLowerCase())].join("\n") };
  for (const span of spans) for (const token of tokensOfCode(span)) if (!isTold(where, token)) lost.add(token);
  if (!isCode) {
    for (const token of namesIn(text, statement)) if (!isTold(known, token)) lost.add(token);
  }
  return [...lost].map((what) => ({ kind: "name", what }));
}

/** The words of code that are facts: not the values that a reader puts in. */
function tokensOfCode(span: string): string[] {
  const words = span.replace(/\s(?:#|\/\/)\s.*$/, "").split(/[\s,;()[\]=|]+/);
  return words
    .filter((word, index) => !/^--?\w/.test(words[index - 1] ?? "") || /^--?\w/.test(word) || words.length < 2)
    .map((word) => word.replace(/^["'`]+|["'`:.]+$/g, ""))
    .filter((word) => word.length > 1 && !PLACEHOLDER.test(word) && !/^[-\d.,:%/]+[a-zA-Z]{0,2}$/.test(word) && /[\p{L}\d]/u.test(word));
}

function namesIn(text: string, { isComparable, language }: Statement): string[] {
  const isUnspaced = /[\p{Script=Han}\p{Script=Hiragana}]/u.test(text);
  const words = [...text.matchAll(/[\p{Script=Latin}\d_/@:.-]+/gu)];
  return words.flatMap(({ 0: written, index }) => {
    const word = written.replace(/^[.:/-]*(?=[^-])|[.:/-]+$/g, "").replace(/(?<=^[A-Z]\p{L}+)-[a-z]+$/u, "");
    if (word.length < 3 || PLACEHOLDER.test(word) || /^[\d.,:/-]+$/.test(word)) return [];
    if (IDENTIFIER.test(word)) return [word];
    const isFirst = /(?:^|[.!?:;"“„(]\s*|\n\s*)$/.test(text.slice(0, index));
    if (isUnspaced) return [word];
    return isComparable && !isFirst && NAME_LIKE.test(word) && !COMMON_NAME.test(word) && language !== "de" ? [word] : [];
  });
}

function isTold({ text }: { text: string }, token: string): boolean {
  const lower = token.toLowerCase();
  if (hasWord(text, lower)) return true;
  const singular = lower.replace(/(?:'s|’s|s)$/, "");
  if (singular !== lower && singular.length > 2 && hasWord(text, singular)) return true;
  const joint = Math.max(lower.lastIndexOf("/"), lower.lastIndexOf("."), lower.search(/:\d+$/));
  if (joint < 1 || lower.startsWith("-")) return false;
  // What the docs name apart may be joined: a folder and its file, a host and its port.
  return [lower.slice(0, joint), lower.slice(joint + 1)].every((part) => part === "" || hasWord(text, part));
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text[at - 1] ?? " ";
    const after = text[at + word.length] ?? " ";
    const isLoose = (mark: string, edge: string | undefined) => !/[\p{Script=Latin}\d_]/u.test(mark) || !/[\p{L}\d_]/u.test(edge ?? "");
    if (isLoose(before, word[0]) && isLoose(after, word.at(-1)) && !(before === "-" && word[0] === "-")) return true;
  }
  return false;
}

/** What a clause begins with that says when the one before it holds. */
const GOES_ON = /^(?:if|when|unless|nor|or|where|without|except|wenn|falls|außer)\b/iu;
const SAME_CLAUSE = 0.5;

function denialDoubts({ text, terms, near }: Statement): Doubt[] {
  const told = near.flatMap(({ piece }) => piece.clauses.map((clause) => ({ ...clause, piece })));
  const isSure = !mayDeny(text.replace(REPLY, "").replace(/\bonly\b/, ""));
  const whole = { text, terms, denies: hedges(text) || denialsIn(text) > 1 ? undefined : denialsIn(text.replace(REPLY, "")) === 1 };
  if (whole.denies === false && isWholeContrary(whole, near)) return [{ kind: "denial", what: text.slice(0, 60) }];
  const own = clausesOf(text);
  return own.flatMap((clause, index) => {
    if (clause.denies === undefined || clause.terms.size < 2) return [];
    const goesOn = GOES_ON.test(own[index + 1]?.text ?? "");
    const same = nearest(clause, told).filter(
      (other) => clause.denies || isSure || (!goesOn && shareOf(other.terms, (term) => clause.terms.has(term)) >= 0.6 && shareOf(clause.terms, (term) => other.terms.has(term)) >= 0.9),
    );
    if (same.length === 0) return [];
    const isContrary = same.every(({ denies, piece }) => (clause.denies ? denies === false && !piece.mayDeny : denies === true));
    return isContrary ? [{ kind: "denial" as const, what: clause.text }] : [];
  });
}

/** A denial in a clause that only says when, or of what. */
const UNDER_CONDITION = /(?<!\p{L})(?:if|when|where|that|which|who|wenn|falls|si|quand)(?!\p{L})[^,.;]*(?:not|n't|never|no|without)(?!\p{L})/iu;

/** Whether the one sentence that says the same in about as many words says the contrary. */
function isWholeContrary({ terms }: Clause, near: Statement["near"]): boolean {
  const best = Math.max(0, ...near.map(({ own }) => own));
  if (best < 0.7 || terms.size < 3) return false;
  return near
    .filter(({ own }) => own >= best - 0.15)
    .every(({ piece }) => {
      const said = termsOf(piece.text);
      const denies = piece.clauses.filter((clause) => denialsIn(clause.text) > 0 && clause.terms.size > 0);
      const isOfIt = denies.every((clause) => shareOf(clause.terms, (term) => terms.has(term)) >= SAME_CLAUSE);
      const denials = !isOfIt || UNDER_CONDITION.test(piece.text) ? 0 : denialsIn(piece.text);
      if (hedges(piece.text) || shareOf(said, (term) => terms.has(term)) < 0.5) return false;
      return denials === 1;
    });
}

const THEN = /(?:,\s*|\s)(?:and\s)?(?:only\s)?(?:then|afterwards|after that|(?<!\b(?:week|day|hour|minute|month|year|one|time|as)\s)before|dann|danach|bevor|puis|luego|después)\s|，?(?:然后|之后)/iu;
const ORDERED = /(?<!\p{L})(?:first|then|next|finally|before|after|afterwards|zuerst|dann|danach|bevor|nachdem)(?!\p{L})|先|然后|之后/iu;

function orderDoubts({ text, cited }: Statement): Doubt[] {
  const [first = "", second = ""] = text.split(THEN);
  const [earlier, later] = [termsOf(first), termsOf(second)];
  if (earlier.size < 2 || later.size < 2) return [];
  for (const { pieces } of cited) {
    const told = pieces.flatMap(({ clauses, text: whole }) => clauses.map(({ terms }) => ({ terms, whole })));
    const [a, b] = [earlier, later].map((terms) => bestOf(told.map((each) => shareOf(terms, (term) => each.terms.has(term)))));
    if (a === undefined || b === undefined || b >= a) continue;
    const between = told.slice(b, a + 1).map(({ whole }) => whole);
    if (between.every((whole) => ORDERED.test(whole)) && !/\bafter\b|nachdem/i.test(between.join(" "))) return [{ kind: "contrary", what: text.slice(0, 60) }];
  }
  return [];
}

function bestOf(shares: readonly number[]): number | undefined {
  const best = Math.max(0, ...shares);
  return best < SAME_CLAUSE ? undefined : shares.indexOf(best);
}

/** The clauses that say nearly the same. */
function nearest<Told extends Clause>(clause: Clause, told: readonly Told[]): Told[] {
  const scored = told.map((other) => {
    const share = shareOf(clause.terms, (term) => other.terms.has(term));
    return { other, share, common: share * clause.terms.size };
  });
  const best = Math.max(0, ...scored.map(({ share }) => share));
  if (best < SAME_CLAUSE) return [];
  return scored.filter(({ share, common }) => share >= best - 0.15 && (common >= 3 || (common >= 2 && share >= 0.66))).map(({ other }) => other);
}

const SAME_PIECE = 0.5;

function contraryDoubts({ text, terms, near }: Statement): Doubt[] {
  const best = near.toSorted((a, b) => b.own - a.own)[0];
  if (best !== undefined && best.own >= 0.6 && turnsRound(text, best.piece.text)) return [{ kind: "contrary", what: text.slice(0, 60) }];
  const opposites = oppositesOf(text);
  if (opposites.length === 0) return [];
  return clausesOf(text).flatMap((clause) => {
    return oppositesOf(clause.text).flatMap(([said, contrary]) => {
      const own = [...clause.terms].filter((term) => !said.test(term));
      const rest = new Set(own.length < 3 ? [...terms].filter((term) => !said.test(term)) : own);
      if (rest.size < 2) return [];
      const scored = near.filter(({ piece }) => !piece.isCode).map(({ piece }) => ({ piece, share: shareOf(rest, (term) => piece.terms.has(term)) }));
      const best = Math.max(0, ...scored.map(({ share }) => share));
      if (best < SAME_PIECE) return [];
      const same = scored.filter(({ share }) => share >= best - 0.2);
      const isContrary = same.every(({ piece }) => !EXCEPTS.test(piece.text) && !said.test(piece.text)) && same.some(({ piece, share }) => share === best && contrary.test(piece.text));
      return isContrary ? [{ kind: "contrary" as const, what: `${clause.text} ${contrary.source.slice(34, 60)}` }] : [];
    });
  });
}

const WORDS_SHARE_MIN = 0.3;

function wordDoubts({ text, near, terms }: Statement): Doubt[] {
  const best = Math.max(0, ...near.map(({ share }) => share));
  return terms.size >= 3 && best < WORDS_SHARE_MIN ? [{ kind: "words", what: text.slice(0, 40) }] : [];
}
