import { type Asked, type Connection, connect, encodeRequest } from "./connection.ts";

/** The wait in milliseconds, and the whole reply. */
export interface Told {
  byteMs: number;
  textMs: number;
  reply: string;
}

/** A connection for asking questions one after the other. */
export interface Asking {
  /** Raises where no text came. */
  once(asked: Asked): Promise<Told>;
  close(): void;
}

/** Matches the first text on the wire: the first `0:` part of Docent's reply, the first words of Ollama's. */
export const DOCENT_TEXT = /^0:/m;
export const OLLAMA_TEXT = /"content":"[^"]/;

/** Opens a connection to a server. */
export async function openAsking(url: string, text: RegExp): Promise<Asking> {
  const connection = await connect(url);
  return {
    once: (asked) => once(connection, encodeRequest(asked), text),
    close: () => connection.close(),
  };
}

async function once(connection: Connection, request: string, text: RegExp): Promise<Told> {
  let reply = "";
  let textAt: number | undefined;
  const { status, startedAt, firstByteAt } = await connection.send(request, (piece, at) => {
    reply += piece;
    if (textAt === undefined && text.test(reply)) textAt = at;
  });
  if (status !== 200 || textAt === undefined)
    throw new Error(`a question was answered with ${status}: ${reply}`);
  return { byteMs: firstByteAt - startedAt, textMs: textAt - startedAt, reply };
}
