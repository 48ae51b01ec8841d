import { closesFence } from "@docent/kernel/text/markdown-lines";
import { afterEnd, tokenBegunAtEnd, tokenIn } from "./control-tokens.ts";
import { type Lines, openLines, readOn } from "./lines.ts";

/** Finds where a model's turn ends in its text, as it streams. */
interface TurnEnd {
  /** The text as far as it is of the answer. Holds back what may turn out to end it. */
  write(text: string): string;
  end(): string;
  /** Whether the answer has ended: nothing that comes is said. */
  isOver(): boolean;
}

/** The lines are those that were passed on. */
interface Reading extends Lines {
  held: string;
  /** Whether the open code shows such tokens: they are its own. */
  hasTokens: boolean;
  hasSaid: boolean;
  isEnding: boolean;
  isOver: boolean;
}

/** What a token is: the end of the answer, or a part of it. */
type Verdict = "over" | "stays" | "undecided";

/** How much behind a token is read to tell what it is. */
const BEHIND_CHARACTERS_MAX = 200;
/** A line that is in the middle of a sentence, before a token that it speaks of. */
const IN_SENTENCE = /[\p{L}\p{N},;:(]\s$/u;
const SENTENCE_GOES_ON = /^(?: ?[\p{L}\p{N}(]|[.,;:!?)])/u;
const ROLE_FIRST = /^\s*(?:user|human|system|assistant|model)\b/i;
const ROLE_CHARACTERS = 12;
const QUOTE_AT_END = /["'“”„«‘]$/;
const CLOSING_MARK = /^[^\n`]*`/;

/**
 * Ends an answer at the token that ends a turn in its chat template, or where a model goes on with a turn of the reader.
 * What speaks of such tokens, in code or in a sentence, is no end.
 */
export function createTurnEnd(): TurnEnd {
  const reading: Reading = {
    held: "",
    ...openLines(),
    hasTokens: false,
    hasSaid: false,
    isEnding: false,
    isOver: false,
  };
  return {
    write(text) {
      if (reading.isOver) return "";
      reading.held += text;
      return drain(reading);
    },
    end() {
      reading.isEnding = true;
      return drain(reading);
    },
    isOver: () => reading.isOver,
  };
}

function drain(reading: Reading): string {
  let said = "";
  while (reading.held !== "" && !reading.isOver) {
    const step = nextStep(reading);
    if (step === undefined) break;
    said += step;
  }
  return said;
}

/** The next piece that is surely of the answer; undefined where more has to come first. */
function nextStep(reading: Reading): string | undefined {
  const { held, line, fence, hasSaid, isEnding } = reading;
  if (line === "" && fence === undefined && hasSaid) {
    const invents = inventsTurn(held, isEnding);
    if (invents === "undecided") return undefined;
    if (invents) return endTurn(reading);
  }
  const lineEnd = held.indexOf("\n") + 1;
  const found = tokenIn(lineEnd === 0 ? held : held.slice(0, lineEnd));
  if (found === undefined) {
    if (lineEnd > 0) return pass(reading, lineEnd);
    const sure = held.length - (isEnding ? 0 : tokenBegunAtEnd(held));
    return sure === 0 ? undefined : pass(reading, sure);
  }
  if (found.at > 0) return pass(reading, found.at);
  const behind = held.slice(found.token.length);
  const verdict = isInCode(reading) ? inCode(reading, behind) : inWords(reading, found.token, behind);
  if (verdict === "over") return endTurn(reading);
  if (verdict === "undecided" && !isEnding && behind.length < BEHIND_CHARACTERS_MAX) return undefined;
  reading.hasTokens = true;
  return pass(reading, found.token.length);
}

function endTurn(reading: Reading): string {
  reading.isOver = true;
  reading.held = "";
  return "";
}

const INDENTED = /^(?: {4}|\t)/;

/** Whether the line so far is code: not one that closes it. */
const isInCode = ({ line, fence }: Lines) =>
  fence === undefined ? INDENTED.test(line) : !closesFence(line.trimStart(), { ...fence, indent: 0 });

/** What a token in code is: the code ends with it where nothing follows, or a turn where the code has shown none before. */
function inCode({ hasTokens, fence, line, isEnding }: Reading, behind: string): Verdict {
  // Nothing closes code without a fence: what the token is stuck to was its last line.
  if (fence === undefined && !hasTokens && /[^\s"'`]$/.test(line)) return "over";
  const after = afterEnd(behind);
  if (after === "nothing") return isEnding ? "over" : "undecided";
  if (after === "turn" && !hasTokens) return "over";
  return after === "undecided" ? "undecided" : "stays";
}

function inWords({ line, isEnding }: Reading, token: string, behind: string): Verdict {
  const isWhole = isEnding || behind.includes("\n");
  if (QUOTE_AT_END.test(line) || (token === "</s>" && /<s>/i.test(line))) return "stays";
  if (isInSpan(line)) {
    if (CLOSING_MARK.test(behind)) return "stays";
    if (!isWhole && behind.length < BEHIND_CHARACTERS_MAX) return "undecided";
  }
  if (!IN_SENTENCE.test(line)) return "over";
  if (!isWhole && behind.length < ROLE_CHARACTERS) return "undecided";
  return SENTENCE_GOES_ON.test(behind) && !ROLE_FIRST.test(behind) ? "stays" : "over";
}

/** Whether a code span is open at the end of a line. */
function isInSpan(line: string): boolean {
  let open = 0;
  for (const [run] of line.matchAll(/`+/g)) {
    if (open === 0) open = run.length;
    else if (open === run.length) open = 0;
  }
  return open > 0;
}

/** Passes characters on, at most to the end of the line. */
function pass(reading: Reading, length: number): string {
  const said = reading.held.slice(0, length);
  reading.held = reading.held.slice(length);
  reading.hasSaid ||= said.trim() !== "";
  const { fence, line } = reading;
  readOn(reading, said);
  const isWords = fence === undefined && /^(?! {4}|\t)\s*\S/.test(line + said);
  if (fence !== reading.fence || isWords) reading.hasTokens = false;
  return said;
}

const MARKS = ["", "# ", "## ", "### ", "#### ", "**"];
const ASKERS = ["User", "USER", "Human", "HUMAN", "Instruction"];
const COLONS = [":**", "**:", ":"];
const ASKING = MARKS.flatMap((mark) => ASKERS.flatMap((name) => COLONS.map((colon) => mark + name + colon)));
const REPLY = /\n[ \t]*(?:#{1,4} |\*\*)?(?:Assistant|ASSISTANT|AI|Bot|Response|Model)(?::|\*\*:)/;
/** A turn that is longer than this before it is replied to is a part of the answer. */
const TURN_CHARACTERS_MAX = 600;

/**
 * Whether a line begins a turn that a model invents behind its answer: "User: And TLS?". "undecided" until the reply to it
 * begins, which tells it from an answer about a user.
 */
function inventsTurn(text: string, isWhole: boolean): boolean | "undecided" {
  const asking = ASKING.find((each) => text.startsWith(each));
  if (asking === undefined) return !isWhole && ASKING.some((each) => each.startsWith(text)) && "undecided";
  const turn = text.slice(0, TURN_CHARACTERS_MAX);
  if (REPLY.test(turn)) return true;
  if (!isWhole) return text.length < TURN_CHARACTERS_MAX && "undecided";
  const said = text.slice(asking.length).trim();
  const isQuestion = said === "" || (/[?？]$/.test(said) && !said.includes("\n"));
  return isQuestion || asking.startsWith("#");
}
