import type { AnswerRequest } from "@docent/answering/answer/answer";
import type { AnswerEvent, CitedSource } from "@docent/answering/answer/events";
import { AppError } from "@docent/kernel/errors";
import { SECOND_MS } from "@docent/kernel/lib/clock";
import { sleep } from "@docent/kernel/lib/sleep";
import { UNKNOWN_READER } from "@docent/people/readers/readers";
import { courtesiesFor, type Phrases, phrasesFor } from "@docent/sites/site/phrases";
import { wantsSignIn } from "@docent/sites/site/sites";
import { overLimit, siteCharges } from "../guard/guard.ts";
import { toAnswerRequest, withoutSuggestions } from "../messages/question.ts";
import type { ArrivedRequest } from "../operation.ts";
import type { ChatDeps } from "./chat.ts";
import type { ChatNames } from "./chat-names.ts";
import type { ChatDialect, ChatQuestion, Saying } from "./dialect.ts";
import type { ChatGuarded } from "./guard.ts";
import { sendLater } from "./later.ts";
import { messageOf, type WholeAnswer } from "./message.ts";

/** Within this a chat is replied to: Slack gives up after three seconds. */
const REPLY_WITHIN_MS = 2500;

const SAID = {
  signIn: "Only people who have signed in can read this documentation, and a chat does not say who you are.",
  noWhisper:
    "The answers of this site are for the one who asks alone, and this chat cannot show them so. The site's owner can let everyone in the channel see them: the setting `chat`.",
  tooSlow: "The answer takes longer than this chat waits. Please ask again in a moment.",
  tooLong: "The question is too long. Please ask in fewer words.",
  looking: "Looking it up …",
} as const;

interface Post extends Pick<ChatGuarded, "site" | "sight"> {
  dialect: ChatDialect;
  question: ChatQuestion;
  names: ChatNames;
  requestId: string;
}

/** Answers a question of a chat: in the reply, or later where the answer takes longer than the chat waits. */
export async function answerPost(
  deps: ChatDeps,
  dialect: ChatDialect,
  { site, sight, requestId, signal, waitWithoutEnd }: ChatGuarded & ArrivedRequest,
  question: ChatQuestion,
): Promise<object> {
  const names = deps.nameInChat(site, dialect.name, sight, question);
  const post: Post = { site, sight, dialect, question, names, requestId };
  const refusal = refusalOf(deps, post);
  if (refusal !== undefined) return tell(post, refusal);
  try {
    const request = requestOf(post);
    const leave = await enter(deps, post);
    waitWithoutEnd();
    return await replyTo(deps, post, begin(deps, post, request, leave), signal);
  } catch (error) {
    // The chat would show the status of an error, and not what to do about it.
    if (error instanceof AppError && error.code !== "internal") return tell(post, error.message);
    throw error;
  }
}

/** What is said in place of an answer, to whoever asked. */
function tell({ dialect, question }: Post, sentence: string): object {
  return dialect.say({ text: dialect.toMarks(sentence), sight: "asker", question });
}

function refusalOf({ settings }: ChatDeps, { site, sight, dialect, question }: Post): string | undefined {
  if (wantsSignIn(site)) return SAID.signIn;
  if (sight === "asker" && !dialect.canWhisper) return SAID.noWhisper;
  if (question.text.trim() === "") return courtesiesFor(site.settings.language).empty;
  return question.text.length > settings.message_characters ? SAID.tooLong : undefined;
}

/** Counts the question as every other door does; the people of a chat share its address, so that each is counted by name. */
async function enter({ guard }: ChatDeps, { site, names }: Post): Promise<() => void> {
  const leave = await guard.concurrency.enterEverywhere(names.person);
  if (!leave) throw overLimit(1, "Too many of your questions are being answered at the same time.");
  const { organization, address } = guard.meters.messages;
  try {
    const standing = await guard.limits.take([
      { meter: organization, subject: site.organizationId },
      ...siteCharges(guard.meters.messages, site),
      ...address.map((meter) => ({ meter, subject: names.person })),
    ]);
    if (standing.allowed) return leave;
    throw overLimit(standing.resetSeconds);
  } catch (error) {
    leave();
    throw error;
  }
}

async function replyTo(deps: ChatDeps, post: Post, begun: BegunAnswer, asked: AbortSignal): Promise<object> {
  const { dialect, question } = post;
  const { later } = question;
  const { answer, abort, end } = begun;
  const goesLater = later !== undefined && deps.hosts.fault(later.url) === undefined;
  const stop = () => abort.abort();
  asked.addEventListener("abort", stop, { once: true });
  const waiting = new AbortController();
  const slow = sleep(goesLater ? REPLY_WITHIN_MS : dialect.patienceMs, waiting.signal).catch(() => undefined);
  const first = await Promise.race([answer, slow]);
  waiting.abort();
  asked.removeEventListener("abort", stop);
  if (first === undefined && goesLater) {
    void sendWhenThere(deps, post, begun, later);
    return dialect.looking({ text: dialect.toMarks(SAID.looking), sight: post.sight, question });
  }
  stop();
  end();
  return first === undefined ? tell(post, SAID.tooSlow) : dialect.say(sayingOf(post, first));
}

interface BegunAnswer {
  /** Never rejects: what went wrong is told in its place. */
  answer: Promise<WholeAnswer>;
  /** Ends the answer, and what is sent. */
  abort: AbortController;
  /** To be called when nothing more is done for it. */
  end: () => void;
}

/** Begins an answer, which a server that stops waits for. */
function begin(
  { answer, streams, settings, log }: ChatDeps,
  post: Post,
  request: AnswerRequest,
  leave: () => void,
): BegunAnswer {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), settings.chat_answer_seconds * SECOND_MS);
  const done = streams.add(abort);
  const { failed } = phrasesOf(post);
  return {
    answer: wholeAnswer(answer(request, abort.signal), failed).catch((error: unknown) => {
      const isTold = error instanceof AppError && error.code !== "internal";
      if (!isTold) log.error("an answer to a chat failed", { requestId: post.requestId, error });
      return { text: isTold ? error.message : failed, sources: [], isFailed: true };
    }),
    abort,
    end() {
      clearTimeout(timer);
      done();
      leave();
    },
  };
}

async function sendWhenThere(
  { hosts, log }: ChatDeps,
  post: Post,
  { answer, abort, end }: BegunAnswer,
  later: NonNullable<ChatQuestion["later"]>,
): Promise<void> {
  const { dialect, site } = post;
  try {
    const saying = sayingOf(post, await answer);
    // That an answer was stopped is sent as well.
    const { signal } = abort.signal.aborted ? new AbortController() : abort;
    await sendLater(hosts, later, dialect.sayLater(saying), { signal });
  } catch (error) {
    // The path of the address is a secret of the chat, so that only its host is logged.
    const { host } = new URL(later.url);
    log.warn("an answer to a chat was not delivered", {
      chat: dialect.name,
      site: site.domain,
      host,
      reason: error instanceof Error ? error.message : "unknown",
    });
  } finally {
    end();
  }
}

const phrasesOf = ({ site: { settings } }: Post): Phrases => phrasesFor(settings.language, settings.phrases);

/** A failure is for the one who asked. */
function sayingOf(post: Post, answer: WholeAnswer): Saying {
  const { dialect, question } = post;
  const sight = answer.isFailed ? "asker" : post.sight;
  const asked = { question: question.text, sight, sourcesPhrase: phrasesOf(post).sources };
  return { text: messageOf(dialect, answer, asked), sight, question };
}

/** The question as every other door asks it: of nobody who is known, and so of pages for everyone alone. */
function requestOf({ site, question, names, requestId }: Post): AnswerRequest {
  const posted = {
    fp: names.person,
    messages: [{ id: requestId, role: "user" as const, text: question.text, files: [], threadId: undefined }],
    threadId: names.threadId,
    pageSize: undefined,
    filter: undefined,
    contexts: [],
    currentPath: undefined,
  };
  const asking = {
    site: withoutSuggestions(site),
    keyId: undefined,
    caller: "chat" as const,
    audience: UNKNOWN_READER.audience,
    readerId: undefined,
    requestId,
    address: names.person,
  };
  return toAnswerRequest(posted, asking);
}

/** Reads an answer to its end. What broke off ends with what went wrong, or with the site's sentence for that. */
async function wholeAnswer(events: AsyncIterable<AnswerEvent>, failedPhrase: string): Promise<WholeAnswer> {
  const sources: CitedSource[] = [];
  let text = "";
  const broken = (sentence: string) => ({
    text: `${text}\n\n${sentence}`.trim(),
    sources,
    isFailed: text === "",
  });
  for await (const event of events) {
    if (event.type === "text-delta") text += event.text;
    if (event.type === "source") sources.push(event.source);
    if (event.type === "error") return broken(event.message);
    if (event.type === "finish") return { text, sources, isFailed: false };
  }
  return broken(failedPhrase);
}
