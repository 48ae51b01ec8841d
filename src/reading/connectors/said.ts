/** A time that a server says, in ISO 8601 and UTC; "" for what is none. */
export function isoTime(said: number | string): string {
  const time = new Date(said);
  return Number.isNaN(time.getTime()) ? "" : time.toISOString();
}

/** An address of the web that a server says; undefined for anything else. */
export function webAddress(said: string): URL | undefined {
  const url = URL.parse(said);
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined;
}

/**
 * The value of the JSON that a server answers with; undefined where it is none. An escape may name half a letter: as a text
 * that could stand in no address, so it becomes a mark.
 */
export function jsonSaid(body: Uint8Array): unknown {
  const text = new TextDecoder().decode(body);
  try {
    return HALF_LETTER.test(text) ? JSON.parse(text, wellFormed) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

const HALF_LETTER =
  /\\u[dD][89abAB][\da-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][\da-fA-F]{2})\\u[dD][c-fC-F]/;

const wellFormed = (_: string, value: unknown) => (typeof value === "string" ? value.toWellFormed() : value);
