interface ReplyHandlers {
  /** Called with each piece of the body. */
  onText: (text: string, at: number) => void;
  onEnd: (reply: { status: number; firstByteAt: number }) => void;
}

/** Reads one HTTP reply from the bytes of a connection. */
export interface ReplyReader {
  push(bytes: Uint8Array, at: number): void;
}

/** Reads replies with a length or in chunks, which is all that Bun sends. The bodies here are ASCII. */
export function createReplyReader({ onText, onEnd }: ReplyHandlers): ReplyReader {
  let rest = "";
  let firstByteAt = 0;
  let status = 0;
  /** Undefined for a chunked body. */
  let bodyLeft: number | undefined;
  let chunkLeft = 0;

  function readHead(): boolean {
    const end = rest.indexOf("\r\n\r\n");
    if (end < 0) return false;
    const head = rest.slice(0, end);
    status = Number(head.slice(9, 12));
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    bodyLeft = length === undefined ? undefined : Number(length);
    rest = rest.slice(end + 4);
    return true;
  }

  function say(length: number, at: number): number {
    const text = rest.slice(0, length);
    rest = rest.slice(text.length);
    if (text !== "") onText(text, at);
    return text.length;
  }

  /** Whether the last, empty chunk has come. */
  function readChunks(at: number): boolean {
    for (;;) {
      if (chunkLeft > 0) chunkLeft -= say(chunkLeft, at);
      if (chunkLeft > 0) return false;
      const sizeAt = rest.startsWith("\r\n") ? 2 : 0;
      const end = rest.indexOf("\r\n", sizeAt);
      if (end < 0) return false;
      const size = Number.parseInt(rest.slice(sizeAt, end), 16);
      if (size === 0 && rest.length < end + 4) return false;
      rest = rest.slice(end + 2);
      if (size === 0) return true;
      chunkLeft = size;
    }
  }

  return {
    push(bytes, at) {
      if (firstByteAt === 0) firstByteAt = at;
      rest += Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
      if (status === 0 && !readHead()) return;
      if (bodyLeft !== undefined) bodyLeft -= say(bodyLeft, at);
      if (bodyLeft === undefined ? readChunks(at) : bodyLeft === 0) onEnd({ status, firstByteAt });
    },
  };
}
