import type { Readable, Writable } from "node:stream";
import {
  isInitializeRequest,
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/server";
import { jsonIn } from "../../text/json.ts";
import { batchFault } from "../batch.ts";
import { createOpenRequests } from "./open-requests.ts";
import { readLines } from "./read-lines.ts";

/** Where a client's messages come from, and where answers go. */
export interface LineStreams {
  input: Readable;
  output: Writable;
}

/**
 * Messages as lines of two streams. The SDK's own transport drops what was asked when the input ends, and knows no
 * batches. `finished` comes when the input has ended and everything that was asked has its answer.
 */
export function createLineTransport({ input, output }: LineStreams): {
  transport: Transport;
  finished: Promise<void>;
} {
  const finished = Promise.withResolvers<void>();
  const open = createOpenRequests();
  /** As the client asked for it. The one that has batches is never answered with another. */
  let revision: unknown;
  let written = Promise.resolve();

  function write(value: unknown): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    output.write(`${JSON.stringify(value)}\n`, () => resolve());
    written = promise;
    return promise;
  }

  async function finish(): Promise<void> {
    await open.whenNone();
    await written;
    finished.resolve();
  }

  function take(line: string): void {
    const value = jsonIn(line);
    if (Array.isArray(value)) takeBatch(value);
    else deliver(messageOf(value));
  }

  function takeBatch(messages: unknown[]): void {
    const fault = batchFault(messages, revision);
    if (fault !== undefined) {
      void write(invalid(fault));
      return;
    }
    const known = messages.map(messageOf);
    const faults = known.filter((each) => each === undefined).map(() => invalid("This is no message."));
    const asked = known.filter((each) => each !== undefined);
    open.beginBatch(asked, faults, (answers) => void write(answers));
    for (const message of asked) deliver(message);
  }

  function deliver(message: JSONRPCMessage | undefined): void {
    if (message === undefined) return;
    if (isInitializeRequest(message)) revision = message.params.protocolVersion;
    open.note(message);
    transport.onmessage?.(message);
  }

  const transport: Transport = {
    async start() {
      readLines(input, take, () => void finish());
    },
    async send(message) {
      if (!open.answerInBatch(message)) await write(message);
      open.settle(message);
    },
    async close() {
      input.pause();
      transport.onclose?.();
    },
  };
  return { transport, finished: finished.promise };
}

function messageOf(value: unknown): JSONRPCMessage | undefined {
  try {
    return parseJSONRPCMessage(value);
  } catch {
    return undefined;
  }
}

const invalid = (message: string) => ({
  jsonrpc: "2.0",
  error: { code: ProtocolErrorCode.InvalidRequest, message },
  id: null,
});
