import { readPageFilter } from "../request/page-filter.ts";
import { type PostedMessage, type PostedQuestion, readContexts } from "./question.ts";
import { textIn } from "./text.ts";
import type { V1Body, V1Message } from "./v1-schema.ts";

/** What a v1 body asks. */
export function readV1(body: V1Body): PostedQuestion {
  return {
    fp: body.fp,
    messages: body.messages.map(readMessage),
    threadId: body.threadId ?? undefined,
    pageSize: body.retrievalPageSize ?? undefined,
    filter: body.filter ? readPageFilter(body.filter) : undefined,
    contexts: readContexts(body.context),
    currentPath: body.currentPath ?? undefined,
  };
}

function readMessage(message: V1Message): PostedMessage {
  const { id, role, experimental_attachments: attachments } = message;
  return {
    id,
    role,
    text: message.content || textIn(message.parts),
    files: [...(attachments ?? []), ...filesOf(message)],
    threadId: role === "assistant" ? threadIdOf(message) : undefined,
  };
}

function filesOf({ parts }: V1Message): PostedMessage["files"] {
  return parts.flatMap((part) =>
    part.type === "file"
      ? { url: `data:${part.mimeType};base64,${part.data}`, contentType: part.mimeType }
      : [],
  );
}

/** The thread's id came with the answer, and comes back in that message's annotations. */
function threadIdOf({ annotations }: V1Message): string | undefined {
  for (const annotation of annotations?.toReversed() ?? []) {
    const found = typeof annotation === "object" && annotation !== null && "threadId" in annotation;
    if (found && typeof annotation.threadId === "string") return annotation.threadId;
  }
  return undefined;
}
