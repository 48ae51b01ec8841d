import { AppError } from "@docent/kernel/errors";
import type { Clock } from "@docent/kernel/lib/clock";

/** A way on which letters go out: to webhooks, by mail. */
export interface Delivery {
  /** Whether that is a destination of this kind. */
  takes(destination: string): boolean;
  /** What the operator has to allow before anything goes there; undefined where it may. */
  fault(destination: string): string | undefined;
  /** Resolves when the other side has taken it; raises what went wrong otherwise. */
  deliver(letter: Letter, destination: string): Promise<void>;
}

/** The part of the analytics that has conversations as they were. */
interface ConversationReader {
  thread(
    siteId: number,
    threadId: string,
    limit: number,
    readBy: { readerId: string | undefined },
  ): Promise<{ turns: (LetterTurn & { id: string })[] } | undefined>;
}

interface HandOverDeps {
  deliveries: readonly Delivery[];
  conversations: ConversationReader;
  organizationName(id: string): Promise<string>;
  clock: Clock;
}

/** The site whose reader asks for a person. */
interface HandingSite {
  id: number;
  organizationId: string;
  domain: string;
  name: string;
  settings: { handOver: string };
}

/** What a reader sends. */
interface HandOverRequest {
  threadId: string;
  /** Who sends it, where somebody vouches for them: the conversation of another known reader is none. */
  readerId: string | undefined;
  reader: LetterReader;
  message: string;
  /** Where the server is reached from outside, with its dashboard below. */
  serverUrl: string;
}

export interface HandOver {
  /** Why nothing can be handed over to there; undefined where it can. */
  fault(destination: string): string | undefined;
  /** Whether a site's readers may hand over. */
  isOffered(site: Pick<HandingSite, "settings">): boolean;
  /**
   * Sends a conversation to whom the site's owner has named. Raises `not_found` where the site hands nothing over or has
   * no such conversation, and `unavailable` where it could not be delivered.
   */
  send(site: HandingSite, request: HandOverRequest): Promise<void>;
}

/** The newest turns are what the reader wants help with. */
const TURNS_MAX = 20;

/** Hands conversations over to a person. Docent keeps nothing of what the reader says of themself. */
export function createHandOver({
  deliveries,
  conversations,
  organizationName,
  clock,
}: HandOverDeps): HandOver {
  const ways = (destination: string) => deliveries.filter((delivery) => delivery.takes(destination));
  const fault = (destination: string) => {
    if (destination === "") return undefined;
    const [way] = ways(destination);
    return way ? way.fault(destination) : "must be an e-mail address, or begin with https://";
  };
  const isOffered = ({ settings: { handOver } }: Pick<HandingSite, "settings">) =>
    handOver !== "" && fault(handOver) === undefined;

  return {
    fault,
    isOffered,
    async send(site, { threadId, readerId, reader, message, serverUrl }) {
      const destination = site.settings.handOver;
      const [way] = ways(destination);
      const turns = isOffered(site) ? await turnsOf(conversations, site.id, { threadId, readerId }) : [];
      const last = turns.at(-1);
      if (!way || !last) throw new AppError("not_found", "Not found");
      const { domain, name } = site;
      const owner = await organizationName(site.organizationId);
      const place = ["dashboard", owner, domain, "conversations", last.id].map(encodeURIComponent);
      const letter = {
        site: { domain, name },
        reader,
        message,
        turns,
        conversationUrl: `${serverUrl}/${place.join("/")}`,
        sentAt: clock(),
      };
      try {
        await way.deliver(letter, destination);
      } catch (cause) {
        throw new AppError("unavailable", "It could not be sent. Try again in a moment.", {
          hint: `A reader's request of ${domain} was not delivered: look at the site's setting handOver.`,
          cause,
        });
      }
    },
  };
}

async function turnsOf(
  conversations: ConversationReader,
  siteId: number,
  { threadId, readerId }: Pick<HandOverRequest, "threadId" | "readerId">,
): Promise<(LetterTurn & { id: string })[]> {
  const found = await conversations.thread(siteId, threadId, TURNS_MAX, { readerId });
  return found?.turns ?? [];
}

/** Who asks for a person, as they say it themselves. */
interface LetterReader {
  /** Empty where it is not said. */
  name: string;
  email: string;
}

/** A question with its answer, as the reader had it. */
interface LetterTurn {
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
