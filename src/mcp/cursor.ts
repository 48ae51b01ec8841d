/** A place in a list of pages, as a client is given it to ask for what comes behind. Never empty, as a path may be. */
export const cursorOf = (path: string) => Buffer.from(`/${path}`).toString("base64url");

/** The path that a cursor stands for; undefined where it was not made here. */
export function pathOfCursor(cursor: string): string | undefined {
  const path = Buffer.from(cursor, "base64url").toString().slice(1);
  return cursorOf(path) === cursor ? path : undefined;
}
