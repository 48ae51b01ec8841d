import type { Readable, Writable } from "node:stream";
import { jsonIn } from "@docent/kernel/text/json";
import {
  isInitializeRequest,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/server";
import { batchFault, invalidRequest } from "../batch.ts";
import { createOpenRequests, type OpenRequests } from "./open-requests.ts";
import { readLines } from "./read-lines.ts";

/** The streams for a client's messages and for the answers. */
export interface LineStreams {
  input: Readable;
  output: Writable;
}

/** The state of a connection. */
interface Line {
  output: Writable;
  open: OpenRequests;
  transport: Transport;
  /** As the client asked for it. The one with batches is never answered with another. */
  revision: unknown;
  /** Resolves when everything written has left. */
  written: Promise<void>;
}

/**
 * Transports messages as lines of two streams. The SDK's own transport drops open requests when the input
 * ends, and does not know batches. `finished` resolves once the input has ended and every request is
 * answered.
 */
export function createLineTransport({ input, output }: LineStreams): {
  transport: Transport;
  finished: Promise<void>;
} {
  const finished = Promise.withResolvers<void>();
  const open = createOpenRequests();
  const transport: Transport = {
    async start() {
      readLines(
        input,
        (line) => take(connection, line),
        () => void finish(),
      );
    },
    async send(message) {
      if (!open.answerInBatch(message)) await write(connection, message);
      open.settle(message);
    },
    async close() {
      input.pause();
      transport.onclose?.();
    },
  };
  const connection: Line = { output, open, transport, revision: undefined, written: Promise.resolve() };

  async function finish(): Promise<void> {
    await open.whenNone();
    await connection.written;
    finished.resolve();
  }

  return { transport, finished: finished.promise };
}

function write(line: Line, value: unknown): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  line.output.write(`${JSON.stringify(value)}\n`, () => resolve());
  line.written = promise;
  return promise;
}

function take(line: Line, text: string): void {
  const value = jsonIn(text);
  if (Array.isArray(value)) takeBatch(line, value);
  else deliver(line, messageOf(value));
}

function takeBatch(line: Line, messages: unknown[]): void {
  const fault = batchFault(messages, line.revision);
  if (fault !== undefined) {
    void write(line, invalidRequest(fault));
    return;
  }
  const known = messages.map(messageOf);
  const faults = known.filter((each) => each === undefined).map(() => invalidRequest("This is no message."));
  const asked = known.filter((each) => each !== undefined);
  line.open.beginBatch(asked, faults, (answers) => void write(line, answers));
  for (const message of asked) deliver(line, message);
}

function deliver(line: Line, message: JSONRPCMessage | undefined): void {
  if (message === undefined) return;
  if (isInitializeRequest(message)) line.revision = message.params.protocolVersion;
  line.open.note(message);
  line.transport.onmessage?.(message);
}

function messageOf(value: unknown): JSONRPCMessage | undefined {
  try {
    return parseJSONRPCMessage(value);
  } catch {
    return undefined;
  }
}
