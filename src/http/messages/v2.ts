import { createUiMessageEncoder, UI_MESSAGE_HEADERS, UI_MESSAGE_HEARTBEAT } from "../../stream/ui-message.ts";
import type { MessageOperation } from "./messages.ts";
import { readV2 } from "./v2-request.ts";
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
