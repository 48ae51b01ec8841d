/** The pieces of one line, as they are put one behind the other. */
export interface Parts {
  /** Adds a piece, behind the space and the marks that waited for it. Returns its number. */
  put(text: string): number;
  /** Writes a piece again. */
  replace(at: number, text: string): void;
  /** Sets apart what comes next. */
  space(): void;
  /** Ends the line, if something stands on it. Says whether it did. */
  breakLine(): boolean;
  /** A mark that is written only when a piece follows it. Returns what closes it, and says whether it had to. */
  open(mark: string): (closing: string) => boolean;
  /** Decides on the marks of which only the character behind them tells whether they are any. */
  settle(next: string): void;
  /** Whether what comes next touches the last piece. */
  isClose(): boolean;
  /** Whether a mark has been opened that no piece has followed yet. */
  isMarkWaiting(): boolean;
  /** The character that stands before what comes next, "" at the beginning. */
  last(): string;
  /** All of it, trimmed. */
  text(): string;
}

/** A mark whose words have not come yet: `at` is where it then stands. */
interface PendingMark {
  mark: string;
  at: number | undefined;
}

/** Begins without a piece. */
export function createParts(): Parts {
  const parts: string[] = [];
  const pending: PendingMark[] = [];
  let space = false;
  let last = "";
  /** Marks that end in punctuation are none when a letter follows: those words go without. */
  let doubtful: Array<{ open: number; close: number }> = [];

  const write = (text: string): number => {
    if (text !== "") last = text.slice(-1);
    return parts.push(text) - 1;
  };
  const writeMark = (pendingMark: PendingMark, first: string) => {
    const { mark } = pendingMark;
    const clashes = mark.startsWith("*") && (last === "*" || (isWord(last) && !isWord(first)));
    // Behind an exclamation mark, a link would be an image.
    if (mark === "[" && last === "!") parts.push(`${parts.pop()?.slice(0, -1)}\\!`);
    pendingMark.at = write(clashes ? "" : mark);
  };
  const close = (own: PendingMark, closing: string): boolean => {
    const waiting = pending.indexOf(own);
    if (waiting >= 0) pending.splice(waiting, 1);
    if (own.at === undefined || parts[own.at] === "") return false;
    if (own.mark.startsWith("*") && !isWord(last)) doubtful.push({ open: own.at, close: parts.length });
    write(closing);
    return true;
  };

  return {
    put(text) {
      if (space && last !== "" && last !== "\n") write(" ");
      space = false;
      for (const mark of pending.splice(0)) writeMark(mark, text.charAt(0));
      return write(text);
    },
    replace(at, text) {
      parts[at] = text;
    },
    space() {
      space = true;
    },
    breakLine() {
      if (last === "" || last === "\n" || pending.length > 0) return false;
      write("\\\n");
      return true;
    },
    open(mark) {
      const own: PendingMark = { mark, at: undefined };
      pending.push(own);
      return (closing) => close(own, closing);
    },
    settle(next) {
      const ended = !space && pending.length === 0 && isWord(next) ? doubtful : [];
      for (const { open, close } of ended) {
        parts[open] = "";
        parts[close] = "";
      }
      doubtful = [];
    },
    isClose: () => !space && pending.length === 0,
    isMarkWaiting: () => pending.length > 0,
    last: () => (space ? " " : last),
    text: () =>
      parts
        .join("")
        .replace(/(?:\\\n)+$/, "")
        .trim(),
  };
}

function isWord(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character);
}
