/** How many values a JSON text may hold, and how deep within each other. */
interface JsonBounds {
  valuesMax: number;
  depthMax: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
/** The bit that turns `[` into `{`, and `]` into `}`. */
const TO_BRACE = 0x20;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/**
 * Counts what a JSON text holds while it comes, so that one of a million values is refused before anything is made of
 * them. Says what is wrong with it as soon as it is. Text that is not JSON is left to the parser.
 */
export function createJsonMeter({ valuesMax, depthMax }: JsonBounds): (piece: string) => string | undefined {
  let isInText = false;
  let isEscaped = false;
  let depth = 0;
  let values = 1;

  /** The place behind a quoted text, or behind the piece where it goes on. An escaped quote does not end it. */
  function passText(piece: string, from: number): number {
    for (let at = from; ; ) {
      const quote = piece.indexOf('"', at);
      const end = quote === -1 ? piece.length : quote;
      let backslashes = 0;
      while (end - backslashes > from && piece[end - backslashes - 1] === "\\") backslashes++;
      // The piece before may have ended within an escape.
      const isCarried = isEscaped && backslashes === end - from;
      const isOdd = (backslashes + (isCarried ? 1 : 0)) % 2 === 1;
      if (quote === -1 || !isOdd) {
        isEscaped = quote === -1 && isOdd;
        isInText = quote === -1;
        return end + 1;
      }
      at = quote + 1;
    }
  }

  return (piece) => {
    for (let at = isInText ? passText(piece, 0) : 0; at < piece.length; at++) {
      const code = piece.charCodeAt(at);
      const brace = code | TO_BRACE;
      if (code === QUOTE) at = passText(piece, at + 1) - 1;
      else if (code === COMMA) values++;
      else if (brace === OPEN) {
        values++;
        depth++;
      } else if (brace === CLOSE) depth--;
      if (values > valuesMax) return `holds more than ${valuesMax} values`;
      if (depth > depthMax) return `holds lists and objects more than ${depthMax} deep within each other`;
    }
    return undefined;
  };
}
