import type { Socket } from "bun";
import { now } from "./clock.ts";
import { createReplyReader, type ReplyReader } from "./reply-reader.ts";

/** A request, already encoded as HTTP. */
export interface Asked {
  url: string;
  method: "GET" | "POST";
  headers: Record<string, string>;
  body: string;
}

/** A reply, with the moment of its first byte. */
export interface Received {
  status: number;
  startedAt: number;
  firstByteAt: number;
}

export interface Connection {
  /** Sends one request and waits for the end of its reply. Reports text as it comes. */
  send(request: string, onText?: (text: string, at: number) => void): Promise<Received>;
  close(): void;
}

const REPLY_MAX_MS = 120_000;

/** Encodes a request. Done once, because generating load must cost the machine little. */
export function encodeRequest({ url, method, headers, body }: Asked): string {
  const { host, pathname } = new URL(url);
  const fields = { host, ...headers, "content-length": String(Buffer.byteLength(body)) };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${pathname} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}

/**
 * A connection that stays open. Uses a bare socket, because fetch limits concurrent requests, and its own
 * work would be measured too.
 */
export async function connect(url: string): Promise<Connection> {
  const { hostname, port } = new URL(url);
  let current: { reader: ReplyReader; fail: (error: Error) => void } | undefined;
  let unsent = new Uint8Array();
  const write = (bytes: Uint8Array) => {
    const written = socket.write(bytes);
    if (written < 0) fail("the connection was closed before the request");
    // The rest follows when the socket has room again.
    unsent = bytes.slice(Math.max(0, written));
  };
  const fail = (message: string) => current?.fail(new Error(message));
  const socket: Socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data: (_, bytes) => current?.reader.push(bytes, now()),
      drain: () => {
        if (unsent.length > 0) write(unsent);
      },
      close: () => fail("the server closed the connection"),
      error: (_, error) => fail(error.message),
    },
  });
  return {
    send(request, onText = () => {}) {
      const { promise, resolve, reject } = Promise.withResolvers<Received>();
      const timer = setTimeout(() => reject(new Error("no whole reply came in time")), REPLY_MAX_MS);
      const startedAt = now();
      const reader = createReplyReader({ onText, onEnd: (reply) => resolve({ startedAt, ...reply }) });
      current = { reader, fail: reject };
      write(Buffer.from(request));
      return promise.finally(() => clearTimeout(timer));
    },
    close: () => void socket.end(),
  };
}
