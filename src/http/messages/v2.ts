import { createUiMessageEncoder, UI_MESSAGE_HEADERS, UI_MESSAGE_HEARTBEAT } from "../../stream/ui-message.ts";
import { readPageFilter } from "../request/fields.ts";
import type { MessageOperation } from "./messages.ts";
import { type PostedMessage, type PostedQuestion, readContexts } from "./question.ts";
import { textIn } from "./text.ts";
import type { V2Message } from "./v2-schema.ts";
import { type V2Body, v2MessageSchema } from "./v2-schema.ts";

/** `POST /v2/assistant/{domain}/message`: the same for clients of the AI SDK v5 and later. */
export const v2Message: MessageOperation<V2Body> = {
  path: "/v2/assistant/:domain/message",
  schema: v2MessageSchema,
  read: readV2,
  heartbeat: UI_MESSAGE_HEARTBEAT,
  createEncoder: createUiMessageEncoder,
  headers: UI_MESSAGE_HEADERS,
};

/** What a v2 body asks. */
export function readV2(body: V2Body): PostedQuestion {
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

function readMessage({ id, role, parts, metadata }: V2Message): PostedMessage {
  return {
    id,
    role,
    text: textIn(parts),
    files: parts.flatMap((part) =>
      part.type === "file"
        ? { url: part.url, name: part.filename ?? undefined, contentType: part.mediaType }
        : [],
    ),
    threadId: role === "assistant" ? threadIdOf(metadata) : undefined,
  };
}

/** The thread's id came with the answer, and comes back in that message's metadata. */
function threadIdOf(metadata: unknown): string | undefined {
  const found = typeof metadata === "object" && metadata !== null && "threadId" in metadata;
  return found && typeof metadata.threadId === "string" ? metadata.threadId : undefined;
}
