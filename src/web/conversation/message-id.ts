const BYTES = 12;

/** A name for a question that no other has. Pages without TLS have no `randomUUID`. */
export function newMessageId(): string {
  const digits = crypto.getRandomValues(new Uint8Array(BYTES));
  return Array.from(digits, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
