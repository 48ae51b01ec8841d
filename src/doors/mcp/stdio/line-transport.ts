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

const LINE_BYTES_MAX = 10_485_760;
const NEWLINE = 10;

/** Reads non-empty lines of UTF-8. Calls `onEnd` once, also when a line exceeds the bound. */
export function readLines(input: Readable, onLine: (line: string) => void, onEnd: () => void): void {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let hasEnded = false;

  function endLine(rest: Buffer): void {
    const line = Buffer.concat([...pending, rest])
      .toString()
      .trim();
    pending = [];
    pendingBytes = 0;
    if (line !== "") onLine(line);
  }

  function end(): void {
    if (hasEnded) return;
    hasEnded = true;
    if (pendingBytes <= LINE_BYTES_MAX) endLine(Buffer.alloc(0));
    onEnd();
  }

  input.on("data", (chunk: Buffer | string) => {
    if (hasEnded) return;
    let rest = Buffer.from(chunk);
    for (let at = rest.indexOf(NEWLINE); at >= 0; at = rest.indexOf(NEWLINE)) {
      endLine(rest.subarray(0, at));
      rest = rest.subarray(at + 1);
    }
    pending.push(rest);
    pendingBytes += rest.length;
    if (pendingBytes > LINE_BYTES_MAX) end();
  });
  for (const event of ["end", "close", "error"]) input.once(event, end);
}
