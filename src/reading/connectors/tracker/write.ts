import { type FenceOpening, fenceBehind } from "@docent/kernel/text/markdown-lines";
import { eachOutsideCode } from "../../generators/writing/writing.ts";
import type { NoPage, ReadServerPage } from "../connector.ts";

/** An issue or a discussion with what was written in it. */
export interface AskedQuestion {
  title: string;
  author: string;
  /** Markdown. */
  body: string;
  /** ISO 8601. */
  askedAt: string;
  /** When it was closed, or its answer chosen. */
  closedAt: string;
  labels: readonly string[];
  /** As they were written, without the tracker's own notes and what is for a few alone. */
  comments: readonly Comment[];
  /** The address that `#12` means. */
  referenceTo(number: number): string;
}

export interface Comment {
  author: string;
  isBot: boolean;
  /** Whether its author looks after the project. */
  isMaintainer: boolean;
  /** Whether it was chosen as the answer. */
  isAccepted: boolean;
  /** Its place on the page that its tracker shows. */
  anchor: string;
  at: string;
  body: string;
}

const ANSWERS_MAX = 20;
const CHARACTERS_MAX = 60_000;

/** "ci-bot", "k8s-ci-robot", "dependabot[bot]"; but nobody whose name is Talbot. */
const BOT = /\[bot\]$|(?:^|[-_.])(?:ro)?bot(?:$|[-_.])/i;
const NAMED_BOT =
  /^(?:codecov(?:-(?:io|commenter))?|cla-?assistant(?:io)?|dependabot|renovate|stale)$|[a-z]Bot$/;

/** Whether an account is a program, as far as its name says it. */
export const isBot = (name: string): boolean => BOT.test(name) || NAMED_BOT.test(name);

/** Writes what was asked and what answers it; says so where nothing does. */
export function writeQuestion(question: AskedQuestion): ReadServerPage | NoPage {
  const answers = answersIn(question);
  if (answers.length === 0) return { noPage: whyNoAnswer(question.comments) };
  const { askedAt, closedAt, labels, referenceTo } = question;
  const isAccepted = answers.some((each) => each.isAccepted);
  const what = isAccepted ? "answered" : "closed";
  let left = CHARACTERS_MAX;
  let isCut = false;
  const take = (body: string) => {
    isCut ||= body.length > left;
    const words = writeWords(body, { referenceTo, charactersMax: left });
    left -= words.length;
    return words;
  };
  const asked = take(question.body);
  const parts = answers.map(
    (answer) => `## ${headingOf(answer)} {#${answer.anchor}}\n\n${take(answer.body)}`,
  );
  const note = `> From the issue tracker: asked on ${dayOf(askedAt)}, ${what} on ${dayOf(closedAt)}. It may be out of date.`;
  return {
    data: {
      title: question.title.trim(),
      kind: "question",
      answered: dayOf(closedAt),
      ...(labels.length > 0 ? { tags: [...labels] } : {}),
    },
    markdown: [note, asked, ...parts].filter((part) => part !== "").join("\n\n"),
    faults: isCut ? [`has more than ${CHARACTERS_MAX} characters: the rest is left out`] : [],
  };
}

/** The accepted answer; or what those say who look after the project; or else what anybody but the asker does. */
function answersIn({ author, comments }: AskedQuestion): Comment[] {
  const said = comments.filter(saysSomething);
  const accepted = said.filter(({ isAccepted }) => isAccepted);
  if (accepted.length > 0) return accepted.slice(0, ANSWERS_MAX);
  const byMaintainers = said.filter(({ isMaintainer }) => isMaintainer);
  const byOthers = said.filter((comment) => comment.author !== author);
  return (byMaintainers.length > 0 ? byMaintainers : byOthers).slice(0, ANSWERS_MAX);
}

/** "+1", thanks, commands to a bot: nothing that answers. */
const NOTHING_SAID =
  /^(?:\+1|-1|same(?: here| issue| problem| question)?|me too|bump|ping|up|any (?:update|news)s?(?: on this)?|thanks?(?: you)?(?: so much| a lot)?|thx|ty|following|subscribed?|ditto|lgtm|closing|closed|done|fixed|never ?mind|please reopen)$/i;

function saysSomething({ isBot, body }: Comment): boolean {
  if (isBot) return false;
  const words = writeWords(body, { referenceTo: undefined, charactersMax: 1_000 })
    .split("\n")
    .filter((line) => !/^\s*(?:>|\/[a-z][\w-]*(?:\s|$))/.test(line))
    .join(" ")
    .replace(/@[\w.-]+|:[a-z0-9_+-]{1,40}:/g, " ");
  // Without letters and digits nothing is left but emoji and marks.
  const plain = words
    .replace(/[^\p{L}\p{N}+\- ]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  return /[\p{L}\p{N}]/u.test(plain) && !NOTHING_SAID.test(plain);
}

function whyNoAnswer(comments: readonly Comment[]): string {
  if (comments.length === 0) return "has no answer: nobody has commented on it";
  return comments.every(({ isBot }) => isBot)
    ? "has no answer: only bots have commented on it"
    : "has no answer: nobody but its asker has said anything in it";
}

function headingOf({ isAccepted, isMaintainer, at }: Comment): string {
  const who = isMaintainer ? " by a maintainer" : "";
  return `${isAccepted ? "Accepted answer" : "Answer"}${who}, ${dayOf(at)}`;
}

const dayOf = (time: string) => time.slice(0, 10);

interface WordsOptions {
  /** The address that `#12` means; undefined where references stay as they are. */
  referenceTo: ((number: number) => string) | undefined;
  charactersMax: number;
}

/** Instructions of a template, which are not shown. */
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const HEADING = /^ {0,3}#{1,6}[ \t]+(.+)$/gm;
const UNDERLINED = /^(?! {0,3}(?:[-*+>|]|\d+\.))(\S.{0,300})\n {0,3}(?:=+|-{2,})[ \t]*$/gm;
/** Not one in the words of a link. */
const REFERENCE = /(?<![\w&/#[\]()!.-])#(\d{1,9})\b(?![\w-]|[^[\]\n]{0,200}\]\()/g;

/**
 * The body of an issue or of a comment. Its headings have no address on the page that its tracker shows, so they are but
 * strong; a fence that was not closed ends here.
 */
export function writeWords(body: string, { referenceTo, charactersMax }: WordsOptions): string {
  const text = cutAt(body.replace(/\r\n?/g, "\n"), Math.max(0, charactersMax));
  const written = eachOutsideCode(text, (part) => {
    const plain = part
      .replace(COMMENT, "")
      .replace(UNDERLINED, "**$1**")
      .replace(HEADING, (_, heading: string) => strong(heading))
      .replace(/\n{3,}/g, "\n\n");
    if (referenceTo === undefined) return plain;
    return plain.replace(REFERENCE, (all, number: string) => `[${all}](${referenceTo(Number(number))})`);
  });
  return closed(written.trim());
}

const strong = (heading: string) => {
  const words = heading
    .trim()
    .replace(/(?:^|\s)#+$/, "")
    .replaceAll("**", "");
  return words === "" ? "" : `**${words}**`;
};

/** At the end of a line, where there is one. */
function cutAt(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const line = text.lastIndexOf("\n", charactersMax);
  return text.slice(0, line > charactersMax / 2 ? line : charactersMax).toWellFormed();
}

function closed(text: string): string {
  let open: FenceOpening | undefined;
  for (const line of text.split("\n")) open = fenceBehind(line, open);
  return open === undefined ? text : `${text}\n${open.character.repeat(open.length)}`;
}
