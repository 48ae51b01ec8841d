import { HttpError } from "./errors.ts";

/** As much as most servers and proxies take. */
const BYTES_MAX = 16_000;

/**
 * Refuses a request whose address and headers are larger than that. Bun would do so without a word: the binary lets it take
 * more (scripts/build.ts), so that whoever sent a little too much is told.
 */
export function checkHeaderSize({ url, headers }: Request): void {
  let bytes = url.length;
  for (const [name, value] of headers) bytes += name.length + value.length;
  if (bytes > BYTES_MAX)
    throw new HttpError(
      "headers_too_large",
      `The address and the headers of a request may have ${BYTES_MAX / 1000} KB together. Send long text in the body, and fewer cookies.`,
    );
}
