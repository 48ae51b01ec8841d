/** Who asks for a person, as they say it themselves. */
export interface LetterReader {
  /** Empty where it is not said. */
  name: string;
  email: string;
}

/** A question with its answer, as the reader had it. */
export interface LetterTurn {
  question: string;
  /** Markdown. */
  answer: string;
  askedAt: number;
}

/** A conversation that its reader hands over to a person. */
export interface Letter {
  site: { domain: string; name: string };
  reader: LetterReader;
  /** What the reader adds; empty for nothing. */
  message: string;
  /** Oldest first. */
  turns: LetterTurn[];
  /** Where the site's owner sees the conversation. */
  conversationUrl: string;
  sentAt: number;
}

const SUBJECT_CHARACTERS_MAX = 100;
const SUGGESTIONS = /(?<!\n)\n*```suggestions\n[^`]*```\s*$/;

/** The letter in one line: whose docs they are, and what was asked last. */
export function subjectOf({ site, turns }: Letter): string {
  const asked = (turns.at(-1)?.question ?? "").replace(/\s+/g, " ").trim();
  const subject = `${site.name}: ${asked}`;
  return subject.length <= SUBJECT_CHARACTERS_MAX
    ? subject
    : `${subject.slice(0, SUBJECT_CHARACTERS_MAX - 1).toWellFormed()}…`;
}

/** The letter as a person reads it. */
export function textOf({ site, reader, message, turns, conversationUrl }: Letter): string {
  const from = reader.name === "" ? reader.email : `${reader.name} <${reader.email}>`;
  const head = `A reader of ${site.name} asks for a person.\n\nFrom: ${from}`;
  const said = turns.map(({ question, answer }) => `Question: ${question}\n\nAnswer:\n${readable(answer)}`);
  return [
    head,
    ...(message === "" ? [] : [message]),
    ...said,
    `The conversation in Docent: ${conversationUrl}`,
  ].join("\n\n---\n\n");
}

/** The letter as a program reads it. Chat programs show its `text`. */
export function payloadOf(letter: Letter) {
  const { site, reader, message, turns, conversationUrl, sentAt } = letter;
  return {
    type: "hand_over",
    text: textOf(letter),
    site,
    reader,
    message,
    conversationUrl,
    sentAt: new Date(sentAt).toISOString(),
    turns: turns.map(({ question, answer, askedAt }) => ({
      question,
      answer: readable(answer),
      askedAt: new Date(askedAt).toISOString(),
    })),
  };
}

const readable = (answer: string) => answer.replace(SUGGESTIONS, "").trim() || "(no answer)";
