import { analyze, analyzeQuestion, wordsOf } from "@docent/finding/search/analyze";
import { introduces, type ReadPiece } from "../pieces.ts";
import type { NumberedPassage } from "../responder.ts";
import type { Candidate } from "./candidates.ts";
import { asksWhatNotToDo } from "./counterexamples.ts";
import { changeOf, type QuestionKind, turnOf } from "./question-kind.ts";
import { codeInside, isPointer } from "./saying.ts";

/** What a candidate's strength is multiplied by where it is, or is not, of the kind that a question wants. */
interface Rule {
  wanted: (kind: QuestionKind) => boolean;
  is: (candidate: Candidate, question: Asked) => boolean;
  times: number;
  /** Where it is not; 1 unless given. */
  otherwise?: number;
}

/** What rules know of a question. */
interface Asked {
  question: string;
  /** The words of the thing that is to be defined. */
  subject: readonly string[];
  /** The names and codes in the question, as "E31" and "--dry-run". */
  names: readonly string[];
  words: readonly string[];
  titles: readonly string[];
  turn: QuestionKind["turn"];
  change: QuestionKind["change"];
}

// As in `question-kind.ts`, each pattern has the words of several languages.
const CAUSE =
  /\b(?:because|since|due to|so that|in order to|reason|therefore|otherwise|weil|damit|parce que|afin|porque)\b|因为|因此|ため|ので/iu;
const REMEDY =
  /\b(?:if|when|ensure|make sure|instead|avoid|fix|resolve|solution|workaround|warning|must|check|verify|wenn|falls|si|évit\w*|asegúrese)\b|如果|请|場合/iu;
const SETTLING =
  /\b(?:is|are|can(?:not|'t)?|does(?: not|n't)?|must|may|only|not|supports?|supported|available|possible|required?|allows?|ist|kann|nicht|nur|pas|peut|no|puede)\b/iu;
/** Says that something is not so, or so in one case. */
const CONDITION =
  /\b(?:cannot|can['’]t|can only|not|never|only|unless|except|must|requires?|provided that|as long as|no longer|nicht|nur|kein\w*|sofern|es sei denn|ne \w+ pas|sauf|uniquement|seulement|à condition|no|solo|salvo|siempre que)\b|不|仅|除非|のみ|ません|ない限り/iu;
const INSTRUCTING =
  /^(?:[-*+>\s]|\d+[.)])*\**(?:to\b|you can\b|use\b|set\b|add\b|run\b|call\b|open\b|choose\b|select\b|click\b|create\b|configure\b|specify\b|install\b|pass\b|enable\b|define\b|in order to\b|um\b|verwenden\b|utilisez\b|pour\b|para\b|ejecute\b|要|使用|运行)/iu;
/** Says what something is, near its beginning. */
const DEFINING =
  /^.{0,90}?\b(?:is|are|means|refers to|represents?|defines?|lets you|enables|allows|provides|stands for|ist|sind|bezeichnet|est|sont|désigne|es|son)\b|^.{0,40}(?:是|とは|指)/isu;
/** What stands before the verb that defines. */
const DEFINED =
  /^[-*+>\s]*([^.:;?!]{2,50}?) (?:is|are|means|refers to|represents|provides|lets|allows|enables|manages|ist|sind|bezeichnet|est|sont|désigne|es|son) /iu;
/** The share of the thing's words that must be in the sentence or in a heading above. */
const KNOWN_SHARE = 0.6;
/** The share that must be in the name itself: "the container" is not the monitor whose container it is. */
const NAMED_SHARE = 0.5;
const ENUMERATING =
  /\b(?:the following|as follows|such as|(?:two|three|four|five|six|several) (?:\w+ )?(?:types|kinds|modes|states|ways|options))\b|[:：]\s*$|(?:[^,]{2,40}, ){2,}(?:and|or|und|oder|et|ou|y|o) /iu;
/** Pages that tell what was new once, not how things are. */
const HISTORICAL =
  /\b(?:release notes?|change ?log|changes in|what['’]s new|(?:earlier|previous) updates|(?:document|revision) history|news|blog|announcing|roadmap|migration (?:guide|notes?)|upgrade (?:guide|notes?)|(?:migrating|upgrading) (?:from|to)|deprecat\w+)\b/i;
const QUESTION_MARK = /[?？]["')\]]*\s*$/;
/** Longer code holds more than the question asks for. */
const CODE_CHARACTERS_MAX = 700;

const always = () => true;
const isCode = ({ piece }: Candidate) => piece.kind === "code";
const matches = (pattern: RegExp) => (candidate: Candidate) => pattern.test(candidate.piece.markdown);

// The figures are round and set by hand: weights that were fitted on all sets but one gave the set that was left out
// nothing better.
const RULES: readonly Rule[] = [
  { wanted: always, is: pointsOn, times: 0.45 },
  { wanted: always, is: matches(QUESTION_MARK), times: 0.7 },
  { wanted: ({ history }) => !history, is: isHistorical, times: 0.7 },
  { wanted: ({ value }) => value, is: hasNewNumber, times: 1.15, otherwise: 0.9 },
  { wanted: ({ steps }) => steps, is: isShortCode, times: 1.15 },
  { wanted: ({ steps, yesNo }) => steps && !yesNo, is: matches(INSTRUCTING), times: 1.12 },
  { wanted: ({ steps, trouble }) => !steps && !trouble, is: isCode, times: 0.8 },
  { wanted: always, is: isWarnedOf, times: 0.5 },
  { wanted: ({ steps, turn }) => steps && turn !== undefined, is: turnsOtherWay, times: 0.6 },
  { wanted: ({ change }) => change !== undefined, is: doesOpposite, times: 0.4 },
  { wanted: ({ whole }) => whole, is: isFile, times: 2.5 },
  { wanted: ({ whole }) => !whole, is: isLongCode, times: 0.8 },
  { wanted: always, is: isUnexplainedCode, times: 0.75 },
  { wanted: always, is: isOtherParameter, times: 0.7 },
  { wanted: ({ definition }) => definition, is: matches(DEFINING), times: 1.1 },
  { wanted: ({ definition, steps }) => definition || steps, is: isBelowHeading, times: 1.1 },
  { wanted: ({ subject }) => subject !== undefined, is: definesSubject, times: 1.3 },
  { wanted: always, is: isBelowAskedName, times: 1.6 },
  { wanted: ({ subject }) => subject !== undefined, is: isBelowItsName, times: 1.2 },
  { wanted: ({ list }) => list, is: isEnumeration, times: 1.1 },
  { wanted: ({ reason }) => reason, is: matches(CAUSE), times: 1.1 },
  { wanted: ({ trouble }) => trouble, is: isRemedy, times: 1.1 },
  { wanted: ({ yesNo }) => yesNo, is: matches(SETTLING), times: 1.05 },
  { wanted: ({ yesNo }) => yesNo, is: isCondition, times: 1.25 },
];

/** The names and codes in a question, by their terms. */
export const namesIn = (question: string): string[] =>
  wordsOf(question).flatMap(({ identifier }) => identifier ?? []);

/** How well a candidate is of the kind that is asked for, as a factor; 1 where nothing tells. */
export function fitnessFor(
  kind: QuestionKind,
  question: string,
  passages: readonly NumberedPassage[],
): (candidate: Candidate) => number {
  const rules = RULES.filter(({ wanted }) => wanted(kind));
  const names = namesIn(question);
  const subject = kind.subject === undefined ? [] : analyze(kind.subject);
  const asked: Asked = {
    question,
    subject,
    names,
    words: analyzeQuestion(question),
    titles: passages.map(({ title }) => title),
    turn: kind.turn,
    change: kind.change,
  };
  return (candidate) =>
    rules.reduce(
      (factor, { is, times, otherwise = 1 }) => factor * (is(candidate, asked) ? times : otherwise),
      1,
    );
}

/** Whether a sentence says of the thing that is asked about what it is: "Global Control Service (GCS) is a server". */
function definesSubject({ piece, headingTerms }: Candidate, { subject }: Asked): boolean {
  const [, named = ""] = DEFINED.exec(piece.markdown) ?? [];
  const terms = new Set(analyze(named));
  const known = subject.filter((term) => piece.terms.has(term) || headingTerms.has(term));
  const inName = subject.filter((term) => terms.has(term));
  return inName.length >= NAMED_SHARE * subject.length && known.length >= KNOWN_SHARE * subject.length;
}

/** Whether it only leads elsewhere, or is under a sentence that does. */
function pointsOn({ piece, around }: Candidate): boolean {
  if (isPointer(piece.markdown)) return true;
  if (piece.kind !== "list") return false;
  const first = around.findIndex(({ blockIndex }) => blockIndex === piece.blockIndex);
  return isPointer(around[first - 1]?.markdown ?? "");
}

function hasNewNumber({ piece }: Candidate, { question }: Asked): boolean {
  return (piece.markdown.match(/\d+(?:[.,]\d+)*/g) ?? []).some((number) => !question.includes(number));
}

function isHistorical({ passage, heading }: Candidate, { titles }: Asked): boolean {
  return HISTORICAL.test(`${titles[passage] ?? ""}\n${heading}`);
}

/** The share of a question's words from which on a sentence is about the same thing. */
const ASKED_SHARE = 0.5;
const SENTENCE_CHARACTERS_MAX = 400;

/** Whether it says of what is asked that it is not so, or only sometimes. */
function isCondition({ piece }: Candidate, { words }: Asked): boolean {
  if (piece.kind === "code" || piece.markdown.length > SENTENCE_CHARACTERS_MAX) return false;
  const said = words.filter((term) => piece.terms.has(term)).length;
  return said > 0 && said >= ASKED_SHARE * words.length && CONDITION.test(piece.markdown);
}

/** Whether the page shows it to warn of it, and the question does not ask for that. */
function isWarnedOf({ warning }: Candidate, { question }: Asked): boolean {
  return warning !== undefined && !asksWhatNotToDo(question);
}

/** Words of bringing something back to what it was. */
const RESTORING = /\b(?:restor\w+|revert\w*|undo\w*|back to normal|normal operation|unset\w*)\b/i;

/** Whether it turns off what the question wants to turn on, or on what it wants off. */
function turnsOtherWay({ piece, around, heading }: Candidate, { turn }: Asked): boolean {
  const lead = around[piece.position - 1];
  const said =
    piece.kind === "code" && lead?.kind === "paragraph"
      ? `${lead.markdown}\n${piece.markdown}`
      : firstLineOf(piece);
  const told = [said, heading].map((words) => turnOf(words) ?? (RESTORING.test(words) ? "off" : undefined));
  const way = told.find((each) => each !== undefined);
  return way !== undefined && way !== "both" && way !== turn;
}

/** Whether it is introduced as the way to add what is to be taken away, or the other way round. */
function doesOpposite({ piece, around }: Candidate, { change }: Asked): boolean {
  const lead = introduces(piece, around) ? piece : around[piece.position - 1];
  if (lead === undefined || !introduces(lead, around)) return false;
  const told = changeOf(lead.markdown);
  return told !== undefined && told !== change;
}

/** An item says in its first line what it does, and below it what holds without it. */
const firstLineOf = ({ kind, markdown }: ReadPiece): string =>
  kind === "list" ? (markdown.trim().split("\n")[0] ?? "") : markdown;

/** What a heading promises begins right below it. */
function isBelowHeading({ depth }: Candidate): boolean {
  return depth === 0;
}

/** Whether the heading right above has a name or a code that is asked about: "E31: checksum". */
function isBelowAskedName({ heading }: Candidate, { names }: Asked): boolean {
  if (names.length === 0) return false;
  const terms = new Set(analyze(heading));
  return names.some((name) => terms.has(name));
}

/** The share of a heading's words that the thing must be, to be what the section is about. */
const HEADING_OF_SUBJECT_SHARE = 0.6;

/** Whether it begins the section whose heading is the thing that is asked about. */
function isBelowItsName({ heading, depth }: Candidate, { subject }: Asked): boolean {
  const terms = new Set(analyze(heading));
  const common = subject.filter((term) => terms.has(term)).length;
  return depth === 0 && common >= HEADING_OF_SUBJECT_SHARE * Math.max(terms.size, subject.length);
}

/** An item of a list of parameters, or a line of a docstring's. */
const PARAMETER =
  /^\s*(?:[-*+] (?:\*\*|`)([\w.]+)[^*`]*(?:\*\*|`) ?(?:\(|–|-|:|=)|([a-z_]\w*)(?: \([^)]*\))?: )/;

/** Whether it describes a parameter that the question does not name. */
function isOtherParameter({ piece }: Candidate, { question }: Asked): boolean {
  const [, item, line] = PARAMETER.exec(piece.markdown) ?? [];
  const name = item ?? line;
  return name !== undefined && !question.toLowerCase().includes(name.toLowerCase());
}

function isEnumeration({ piece }: Candidate): boolean {
  return piece.kind === "list" || ENUMERATING.test(piece.markdown);
}

/** Whether it says what to do about trouble: warnings are set apart from the text. */
function isRemedy({ piece }: Candidate): boolean {
  return piece.kind === "quote" || REMEDY.test(piece.markdown);
}

function isShortCode(candidate: Candidate): boolean {
  return isCode(candidate) && !isLongCode(candidate);
}

/** Whether no sentence stands before it that says what it is for. */
function isUnexplainedCode({ piece, around }: Candidate): boolean {
  return piece.kind === "code" && around[piece.position - 1]?.kind !== "paragraph";
}

const FILE_LINES_MIN = 5;

function isFile({ piece }: Candidate): boolean {
  return piece.kind === "code" && codeInside(piece.markdown).split("\n").length >= FILE_LINES_MIN;
}

function isLongCode({ piece }: Candidate): boolean {
  return piece.kind === "code" && codeInside(piece.markdown).length > CODE_CHARACTERS_MAX;
}
