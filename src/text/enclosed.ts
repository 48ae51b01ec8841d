/** What stands between two marks, and the marks. */
export interface Enclosed {
  whole: string;
  /** The mark that opens it, with its groups. */
  opened: RegExpExecArray;
  inside: string;
}

/**
 * Replaces what stands from each opening mark to the next that closes it, whose pattern the opening tells. One that is never
 * closed stays as it is. A regular expression for both would look to the end of the text from each that is not closed; here,
 * what is not there is looked for once.
 */
export function replaceEnclosed(
  text: string,
  opening: RegExp,
  closingOf: (opened: RegExpExecArray) => string,
  write: (enclosed: Enclosed) => string,
): string {
  const starts = new RegExp(opening, [...new Set(`${opening.flags}g`)].join(""));
  const closings = new Map<string, RegExp>();
  const missing = new Set<string>();
  const parts: string[] = [];
  let at = 0;
  for (let opened = starts.exec(text); opened !== null; opened = starts.exec(text)) {
    const pattern = closingOf(opened);
    if (missing.has(pattern)) continue;
    const closing = closings.get(pattern) ?? new RegExp(pattern, starts.flags);
    closings.set(pattern, closing);
    const begin = opened.index + opened[0].length;
    closing.lastIndex = begin;
    const closed = closing.exec(text);
    if (closed === null) {
      missing.add(pattern);
      continue;
    }
    const end = closed.index + closed[0].length;
    const whole = text.slice(opened.index, end);
    parts.push(
      text.slice(at, opened.index),
      write({ whole, opened, inside: text.slice(begin, closed.index) }),
    );
    at = end;
    starts.lastIndex = Math.max(end, opened.index + 1);
  }
  return at === 0 && parts.length === 0 ? text : parts.join("") + text.slice(at);
}

/** A text without its comments of HTML; one that is not closed is none. */
export const withoutComments = (text: string): string =>
  text.includes("<!--")
    ? replaceEnclosed(
        text,
        /<!--/,
        () => "-->",
        () => "",
      )
    : text;
