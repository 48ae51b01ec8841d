import type { AnswerRequest } from "../answer/request.ts";
import type { PastMessage, ReaderContext } from "../answer/responder.ts";
import { AppError } from "../errors.ts";
import { decodePath, normalizePath } from "../pages/page-path.ts";
import type { Site } from "../sites/sites.ts";
import type { CallerKind } from "../threads/threads.ts";
import { readAttachments } from "./attachments.ts";
import type { V1Body, V1Message } from "./v1-schema.ts";

/** What is known of who asks, apart from the body. */
interface Asking {
  site: Site;
  keyId: string;
  caller: CallerKind;
  requestId: string;
  address: string;
}

/** The question that a v1 body asks. */
export function toAnswerRequest(body: V1Body, asking: Asking): AnswerRequest {
  const { site, keyId, caller, requestId, address } = asking;
  const last = body.messages.findLastIndex((message) => message.role === "user");
  const asked = body.messages[last];
  if (!asked) throw new Error("the schema lets no body without a user's message pass");
  const before = body.messages.slice(0, last);
  const threadId = body.threadId ?? threadIdIn(body.messages);
  const posted = before.flatMap(toPastMessage);
  const attached = readAttachments([...(asked.experimental_attachments ?? []), ...filesOf(asked)]);
  const contexts = [...notesIn(body.messages), ...contextsOf(body), ...attached.texts];
  const text = clean(textOf(asked)).trim();
  if (text === "" && contexts.length + attached.images.length === 0) throw emptyQuestion(last);
  return {
    requestId,
    // Many readers share an address, and most have no fingerprint of their own.
    reader: `${address} ${clean(body.fp)}`,
    site,
    question: {
      questionMessageId: asked.id,
      text,
      keyId,
      fp: clean(body.fp),
      caller,
      currentPath: body.currentPath === undefined ? undefined : pathWithin(site, body.currentPath),
      filter: body.filter ?? undefined,
    },
    threadId,
    posted: posted.length === 0 && threadId !== undefined ? undefined : posted,
    contexts,
    images: attached.images,
    pageSize: body.retrievalPageSize,
  };
}

function emptyQuestion(index: number): AppError {
  const fault = { path: `messages[${index}].content`, message: "the question is empty" };
  return new AppError("invalid_request", `${fault.path}: ${fault.message}`, { details: [fault] });
}

/** The thread that the conversation's newest answer belongs to: it comes back in that message's annotations. */
function threadIdIn(messages: V1Message[]): string | undefined {
  for (const { role, annotations } of messages.toReversed()) {
    if (role !== "assistant") continue;
    for (const annotation of (annotations ?? []).toReversed()) {
      const found = typeof annotation === "object" && annotation !== null && "threadId" in annotation;
      if (found && typeof annotation.threadId === "string") return annotation.threadId;
    }
  }
  return undefined;
}

function toPastMessage(message: V1Message): PastMessage[] {
  const text = clean(textOf(message));
  if ((message.role !== "user" && message.role !== "assistant") || text === "") return [];
  return [{ role: message.role, text }];
}

/** What an app says in a system message is a reader's text as well: it is material, and never instructions. */
function notesIn(messages: V1Message[]): ReaderContext[] {
  return messages
    .filter((message) => message.role === "system" && textOf(message).trim() !== "")
    .map((message) => ({ kind: "note", text: clean(textOf(message)) }));
}

function contextsOf({ context = [] }: V1Body): ReaderContext[] {
  return context.map(({ type, value, path }) => ({
    kind: type,
    text: clean(value),
    path: path && clean(path),
  }));
}

function textOf({ content, parts }: V1Message): string {
  if (content !== "") return content;
  return parts.flatMap((part) => (part.type === "text" ? part.text : [])).join("\n");
}

function filesOf({ parts }: V1Message) {
  return parts.flatMap((part) =>
    part.type === "file"
      ? { url: `data:${part.mimeType};base64,${part.data}`, contentType: part.mimeType }
      : [],
  );
}

/** The page a reader is on, as its path below the site's url. */
function pathWithin(site: Site, currentPath: string): string {
  const pathname = URL.parse(clean(currentPath), site.url ?? "http://site.invalid")?.pathname ?? "";
  const base = site.url === undefined ? "" : new URL(site.url).pathname.replace(/\/$/, "");
  const below = base !== "" && pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : pathname;
  return decodePath(normalizePath(below));
}

/** SQLite ends a text at NUL, and JSON may hold halves of characters that no encoding knows. */
const clean = (text: string) => text.replaceAll("\0", "").toWellFormed();
