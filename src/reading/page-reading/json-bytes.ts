import { jsonIn } from "@docent/kernel/text/json";

/* What one process says to the other, which is JSON. */

export const encoded = (value: unknown): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(value ?? null));
export const decoded = (bytes: Uint8Array): unknown => jsonIn(new TextDecoder().decode(bytes));
