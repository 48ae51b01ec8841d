import type { AnswerRequest } from "@docent/answering/answer/answer";
import type { PastMessage, ReaderContext } from "@docent/answering/answer/responder";
import {
  ANONYMOUS,
  type AppChats,
  type CallerKind,
  type QuestionFilter,
  storedName,
} from "@docent/answering/threads/threads";
import { AppError } from "@docent/kernel/errors";
import type { Audience } from "@docent/sites/pages/audience";
import { pathWithin as pathInSite } from "@docent/sites/site/page-address";
import type { Site } from "@docent/sites/site/sites";
import { readPageFilter, storableText } from "../request/fields.ts";
import { readAttachments } from "./attachments.ts";
import type { RunningChat } from "./running-answers.ts";

type PostedContexts = { type: ReaderContext["kind"]; value: string; path?: string | null | undefined }[];

/** What the reader pointed at, as features know it. */
const readContexts = (contexts: PostedContexts | null | undefined): ReaderContext[] =>
  (contexts ?? []).map(({ type, value, path }) => ({ kind: type, text: value, path: path ?? undefined }));

/** One message of a conversation, whichever version of the operation it was posted to. */
export interface PostedMessage {
  id: string;
  role: "system" | "assistant" | "data" | "user";
  text: string;
  files: { url: string; name?: string | null | undefined; contentType?: string | null | undefined }[];
  /** The thread that an assistant's message says it belongs to. */
  threadId: string | undefined;
}

/** What a body asks, whichever version of the operation it was posted to. */
export interface PostedQuestion {
  fp: string;
  messages: PostedMessage[];
  /** Of the chat of an app. */
  chatId?: string | undefined;
  threadId: string | undefined;
  /** As many as the site says where it is missing. */
  pageSize: number | undefined;
  filter: QuestionFilter | undefined;
  contexts: ReaderContext[];
  currentPath: string | undefined;
}

/** The fields of a body that are alike in all versions. */
interface PostedBody {
  fp: string;
  id?: string | undefined;
  threadId?: string | null | undefined;
  retrievalPageSize?: number | null | undefined;
  filter?: Parameters<typeof readPageFilter>[0] | null | undefined;
  context?: PostedContexts | null | undefined;
  currentPath?: string | null | undefined;
}

/** What a body asks, whose messages have been read. */
export function postedQuestion(body: PostedBody, messages: PostedMessage[]): PostedQuestion {
  return {
    fp: body.fp,
    messages,
    chatId: body.id,
    threadId: body.threadId ?? undefined,
    pageSize: body.retrievalPageSize ?? undefined,
    filter: body.filter ? readPageFilter(body.filter) : undefined,
    contexts: readContexts(body.context),
    currentPath: body.currentPath ?? undefined,
  };
}

/** What is known of who asks, apart from the body. */
export interface Asking {
  site: Site;
  /** Undefined where no key was asked for. */
  keyId: string | undefined;
  caller: CallerKind;
  audience: Audience;
  /** Whose thread it is; undefined where nobody vouches for who asks. */
  readerId: string | undefined;
  requestId: string;
  address: string;
  /** Names the chat that a body says it is of. */
  appChats?: AppChats;
}

/** A reader's name as it is stored. An empty one names nobody. */
export const storedFp = (fp: string) => storedName(storableText(fp)) || ANONYMOUS;

/** The chat of an app that a question is asked in, where its client says so. */
export function chatOf({ chatId, fp }: PostedQuestion, asking: Asking): RunningChat | undefined {
  if (chatId === undefined) return undefined;
  const { site, keyId, readerId, audience, address } = asking;
  return { chatId, siteId: site.id, keyId, readerId, audience, fp: storedFp(fp), address };
}

/** The question that a body asks: its last message of a user, with what was said before. */
export function toAnswerRequest(posted: PostedQuestion, asking: Asking): AnswerRequest {
  const { site, keyId, caller, audience, readerId, requestId, address } = asking;
  const { messages, filter, pageSize = site.settings.pageSize } = posted;
  const last = messages.findLastIndex((message) => message.role === "user");
  const asked = messages[last];
  if (!asked) throw new Error("the schema lets no body without a user's message pass");
  const named = posted.threadId || messages.findLast((message) => message.threadId)?.threadId;
  const threadId = named === undefined ? undefined : storedName(storableText(named));
  const past = messages.slice(0, last).flatMap(toPastMessage);
  const fp = storedFp(posted.fp);
  const chat = chatOf(posted, asking);
  const chatName = chat && asking.appChats?.nameOf(chat);
  const goesOn = threadId !== undefined || chatName !== undefined;
  const attached = readAttachments(asked.files);
  const contexts = [...notesIn(messages), ...posted.contexts.map(cleanContext), ...attached.texts];
  const text = storableText(asked.text).trim();
  if (text === "" && contexts.length + attached.images.length === 0) throw emptyQuestion(last);
  return {
    requestId,
    // Many readers share an address, and most have no fingerprint of their own.
    reader: `${address} ${fp}`,
    site,
    question: {
      // One that is empty takes no other's place.
      questionMessageId: storedName(storableText(asked.id)) || requestId,
      text,
      keyId,
      fp,
      caller,
      audience,
      readerId,
      currentPath: posted.currentPath === undefined ? undefined : pathWithin(site, posted.currentPath),
      filter,
    },
    threadId,
    chat: chatName === undefined ? undefined : { name: chatName, isWhole: past.length > 0 },
    posted: past.length === 0 && goesOn ? undefined : past,
    contexts,
    images: attached.images,
    pageSize,
    sectionsMax: posted.pageSize,
  };
}

/** For clients that would show the block of suggestions as code. */
export const withoutSuggestions = (site: Site): Site => ({
  ...site,
  settings: { ...site.settings, suggestions: false },
});

function emptyQuestion(index: number): AppError {
  const fault = { path: `messages[${index}]`, message: "the question is empty" };
  return new AppError("invalid_request", `${fault.path}: ${fault.message}`, { details: [fault] });
}

function toPastMessage({ role, text }: PostedMessage): PastMessage[] {
  const said = storableText(text);
  return (role === "user" || role === "assistant") && said !== "" ? [{ role, text: said }] : [];
}

/** What an app says in a system message is a reader's text as well: it is material, and never instructions. */
function notesIn(messages: PostedMessage[]): ReaderContext[] {
  return messages
    .filter(({ role, text }) => role === "system" && text.trim() !== "")
    .map(({ text }) => ({ kind: "note", text: storableText(text) }));
}

function cleanContext({ kind, text, path }: ReaderContext): ReaderContext {
  return { kind, text: storableText(text), path: path && storableText(path) };
}

/** The page that an address of a reader's means. */
export const pathWithin = (site: Site, currentPath: string): string =>
  storableText(pathInSite(site, currentPath));
