import {
  createDataStreamEncoder,
  DATA_STREAM_HEADERS,
  DATA_STREAM_HEARTBEAT,
} from "../../stream/data-stream.ts";
import type { MessageOperation } from "./messages.ts";
import { readV1 } from "./v1-request.ts";
import { type V1Body, v1MessageSchema } from "./v1-schema.ts";

/** The day on which the contract called v1 deprecated is not known: this is the day of Docent's first v2. */
const DEPRECATED_AT_SECONDS = Date.UTC(2026, 10, 21) / 1000;

/** `POST /v1/assistant/{domain}/message`: the contract's one operation, for clients of the AI SDK v4. */
export const v1Message: MessageOperation<V1Body> = {
  path: "/v1/assistant/:domain/message",
  schema: v1MessageSchema,
  read: readV1,
  heartbeat: DATA_STREAM_HEARTBEAT,
  createEncoder: createDataStreamEncoder,
  headers: DATA_STREAM_HEADERS,
  notice: (pathname) => ({
    deprecation: `@${DEPRECATED_AT_SECONDS}`,
    link: `<${pathname.replace("/v1/assistant/", "/v2/assistant/")}>; rel="successor-version"`,
  }),
};
