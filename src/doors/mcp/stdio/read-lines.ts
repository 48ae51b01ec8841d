import type { Readable } from "node:stream";

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
