/** An escaped mark, a run of marks that may begin code, or what is neither. */
const TOKEN = /\\[!-/:-@[-`{-~]|`+|~+|\n|[^\\`~\n]+|\\/y;
const TOKEN_OF_CODE = /`+|~+|\n|[^`~\n]+/y;
/** What may go on in the next piece. */
const UNDECIDED = /[\\`~]+$/;
/** The marks of quotes and lists, behind which a line still begins. */
const LINE_START = /^(?:[>\s]|[-+*]\s|\d{1,9}[.)]\s)*$/;
const IS_FENCE = /^(?:`{3,}|~{3,})$/;

/** Takes the escapes out of an answer's Markdown as it streams: a terminal shows marks as they are. Those in code stay. */
interface MarkdownUnescaper {
  /** May hold back an end that is still undecided. */
  write(text: string): string;
  /** What was held back. */
  end(): string;
}

/** Reads Markdown in which marks that look as if they begin code are escaped unless they do, as in every answer. */
export function createMarkdownUnescaper(): MarkdownUnescaper {
  let held = "";
  let line = "";
  let code: { marks: string; isFence: boolean } | undefined;

  function show(token: string): string {
    const isFence = IS_FENCE.test(token) && LINE_START.test(line);
    line = token === "\n" ? "" : line + token;
    if (code !== undefined) {
      const ends = code.isFence ? isFence && token.startsWith(code.marks) : token === code.marks;
      if (ends) code = undefined;
      return token;
    }
    if (isFence || token.startsWith("`")) code = { marks: token, isFence };
    return token.length === 2 && token.startsWith("\\") ? token.slice(1) : token;
  }

  function read(text: string): string {
    let shown = "";
    for (let at = 0; at < text.length; ) {
      const pattern = code === undefined ? TOKEN : TOKEN_OF_CODE;
      pattern.lastIndex = at;
      const token = pattern.exec(text)?.[0] ?? text.slice(at);
      shown += show(token);
      at += token.length;
    }
    return shown;
  }

  return {
    write(text) {
      const whole = held + text;
      held = UNDECIDED.exec(whole)?.[0] ?? "";
      return read(whole.slice(0, whole.length - held.length));
    },
    end() {
      const rest = held;
      held = "";
      return read(rest);
    },
  };
}
