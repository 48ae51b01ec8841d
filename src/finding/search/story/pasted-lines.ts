import { hasUnspaced } from "@docent/kernel/text/sentences/sentences";

/** Lines of a question that belong together: what somebody wrote, or what was pasted. */
export interface Block {
  lines: string[];
  /** Undefined for what somebody wrote. */
  pasted: "code" | "log" | undefined;
}

const FENCE = /^[ \t]*(`{3,20}|~{3,20})/;
/** Code that a fence opens and closes on one line. */
const FENCED_WHOLE = /^[ \t]*(`{3,20}|~{3,20}).*\1\s*$/;
const CODE_LINE = new RegExp(
  [
    // Indented as Markdown has it, and what a shell shows.
    String.raw`^(?: {4}|\t)\s*\S`,
    String.raw`[;{}\\]\s*$`,
    String.raw`^\s*(?:[$>#❯%]|>>>|\.\.\.)\s+\S`,
    String.raw`^\s*(?:import|from|const|let|var|def|class|return|function|public|private|protected|export|async|RUN|COPY|FROM|ENV|WORKDIR)\s+[^.!?。！？]*$`,
    String.raw`^\s*[\w.@/$-]+\s*(?:=|:=|=>|\+=)\s*\S`,
    String.raw`^\s*</?[a-zA-Z!]`,
  ].join("|"),
);
/** Lines that programs write. */
const LOG_LINE = new RegExp(
  [
    // Stack traces.
    String.raw`^\s*(?:at .*(?:[(:]\d|\)$)|File "|Traceback|Caused by:|\.{3} \d+ more|#\d+ )`,
    // A level or a time, and rules.
    String.raw`^\s*(?:\[[^\]]*\]|\d{2,4}[-:/]\d\d[-:./])`,
    String.raw`^\s*([=_\-*#~+])\1{4,}`,
    String.raw`^E\s{2,}\S`,
    // A name with its version.
    String.raw`^[^?？.!。]{0,60}\bv?\d+\.\d+[\w.+-]*(?:\s*[(,/][^?？]{0,40})?\s*$`,
  ].join("|"),
);
/** A line that a program writes when something goes wrong. */
export const ERROR =
  /^E\s{2,}|(?:^|[\s"'([])[A-Z]\w*(?:Error|Exception|Warning)\b|(?:^|\s)(?:error|fatal|panic|uncaught|exception)\b\s?[:[(]|\bERR_[A-Z_]+|\berror\s(?:TS|C|E)\d+/i;
/** One that stands by itself, as it was copied. */
const ERROR_ALONE =
  /^\s*(?:[\w.]*(?:Error|Exception|Warning)\s?[:(]|(?:error|fatal|panic|uncaught)\b[^.?]{0,20}:|\[?ERR_[A-Z_]+)/i;
/** From this share of lines on that a program writes, all lines around them are its own. */
const LOG_SHARE_MIN = 0.25;
/**
 * A word as people write it, with the marks around it. A hyphen or an apostrophe may be of the word or of the marks, and is
 * read one way only: otherwise a row of them would be divided in each possible way.
 */
const PLAIN_WORD = new RegExp(
  [
    String.raw`^["'«„“(¿¡*_-]*[\p{L}\p{M}’][\p{L}\p{M}'’-]*(?:["»”)*_,.;:!?…]["'»”’)*_,.;:!?…]*)?$`,
    // Nothing but marks.
    `^["'«„“(¿¡*_-]*['-]["*_]*(?:[»”’),.;:!?…]["'»”’)*_,.;:!?…]*)?$`,
  ].join("|"),
  "u",
);
/** A line with a smaller share of such words is nothing that somebody says. */
const PLAIN_SHARE_MIN = 0.4;
/** One with so many of them, and this share, is said by somebody even amid what was pasted. */
const PROSE = { words: 5, share: 0.7 };
/** So many lines in a row that begin alike are a log's. */
const ALIKE = [0, 1, 2];

/** Divides a question at blank lines, fences, and where what was pasted begins and ends. */
export function blocksIn(text: string): Block[] {
  const blocks: Block[] = [];
  let open: string[] = [];
  let fence: string | undefined;
  const end = (isFenced: boolean) => {
    if (open.length > 0) blocks.push(...(isFenced ? [pastedBlock(open)] : cutParagraph(open)));
    open = [];
  };
  for (const line of text.split(/\r?\n/)) {
    const mark = FENCED_WHOLE.test(line) ? undefined : FENCE.exec(line)?.[1];
    if (fence === undefined && mark !== undefined) {
      end(false);
      fence = mark;
    } else if (fence !== undefined && mark?.startsWith(fence)) {
      end(true);
      fence = undefined;
    } else if (fence === undefined && line.trim() === "") end(false);
    else open.push(line);
  }
  end(fence !== undefined);
  return blocks;
}

function pastedBlock(lines: string[]): Block {
  const ofPrograms = lines.filter((line, at) => LOG_LINE.test(line) || isRepeated(lines, at)).length;
  return { lines, pasted: ofPrograms >= lines.length * LOG_SHARE_MIN ? "log" : "code" };
}

/** What is said in a paragraph apart from what was pasted; a line that may be either is as most lines are. */
function cutParagraph(lines: readonly string[]): Block[] {
  const isOdd = lines.map((line, at) => isOddLine(line) || isRepeated(lines, at));
  const areMostOdd = lines.length > 2 && isOdd.filter(Boolean).length > lines.length / 2;
  const runs: { isPasted: boolean; lines: string[] }[] = [];
  for (const [at, line] of lines.entries()) {
    const isPasted = isOdd[at] === true || (areMostOdd && (ERROR.test(line) || !isProse(line)));
    const last = runs.at(-1);
    if (last?.isPasted === isPasted) last.lines.push(line);
    else runs.push({ isPasted, lines: [line] });
  }
  return runs.map((run) => (run.isPasted ? pastedBlock(run.lines) : { lines: run.lines, pasted: undefined }));
}

const isOddLine = (line: string): boolean =>
  CODE_LINE.test(line) ||
  LOG_LINE.test(line) ||
  ERROR_ALONE.test(line) ||
  (!hasUnspaced(line) && plainWords(line).share < PLAIN_SHARE_MIN);

function isProse(line: string): boolean {
  if (hasUnspaced(line)) return true;
  const { words, share } = plainWords(line);
  return words >= PROSE.words && share >= PROSE.share;
}

function plainWords(line: string): { words: number; share: number } {
  const all = line.trim().split(/\s+/);
  const words = all.filter((each) => PLAIN_WORD.test(each)).length;
  return { words, share: words / all.length };
}

/** Whether some lines in a row, of which this is one, begin with the same two words. */
function isRepeated(lines: readonly string[], at: number): boolean {
  const own = beginningOf(lines[at]);
  const isSame = (other: number) => beginningOf(lines[other]) === own;
  return own !== undefined && ALIKE.some((back) => ALIKE.every((on) => isSame(at - back + on)));
}

const beginningOf = (line: string | undefined) => /^\s*\S+\s+\S+/.exec(line ?? "")?.[0].trim();
