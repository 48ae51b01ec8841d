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
