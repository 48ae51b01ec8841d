import { closesFence, type FenceOpening, fenceOpening } from "@docent/kernel/text/markdown-lines";

/** Takes the Markdown fence off an answer that is wrapped in one, as it streams. */
interface Unwrapper {
  write(text: string): string;
  end(): string;
}

interface Reading {
  held: string;
  stage: "beginning" | "wrapped" | "plain";
  /** All that came, while it is not known whether the fence is around the answer or around an example in it. */
  raw: string | undefined;
  /** What of that is within the fence. */
  inside: string;
  outer: FenceOpening | undefined;
  inner: FenceOpening | undefined;
  /** The beginning of the line was passed on. */
  isPassing: boolean;
  isEnding: boolean;
}

const OPENING = /^\s*(?:`{3,}|~{3,})[ \t]*(?:markdown|md)[ \t]*\n/i;
const MAY_OPEN =
  /^\s*(?:`*|~*|(?:`{3,}|~{3,})[ \t]*(?:m(?:d|a(?:r(?:k(?:d(?:o(?:w(?:n)?)?)?)?)?)?)?)?[ \t]*)$/i;
/** No example of Markdown cites a passage. */
const CITATION = /\[\^?\d{1,3}\]|【\d|[[(](?:citation|cite|passage|source|doc)s?[\s:_]*\d/i;
/** An example as long as this, and nothing before it, is an answer. */
const EXAMPLE_CHARACTERS_MAX = 4000;
const MAY_BE_FENCE = /^[ \t]*(?:[`~]{0,2}|(?:`{3,}|~{3,}).*)$/;

/**
 * Some models write their whole answer as a Markdown document in a fence: its reader would see the source. The fence goes,
 * and code within stays in its own. Where words follow, it was an example.
 */
export function createUnwrapper(): Unwrapper {
  const reading: Reading = {
    held: "",
    stage: "beginning",
    raw: undefined,
    inside: "",
    outer: undefined,
    inner: undefined,
    isPassing: false,
    isEnding: false,
  };
  return {
    write(text) {
      reading.held += text;
      return drain(reading);
    },
    end() {
      reading.isEnding = true;
      const said = drain(reading);
      const rest = reading.raw === undefined ? "" : reading.inside;
      reading.raw = undefined;
      return said + rest;
    },
  };
}

function drain(reading: Reading): string {
  let said = "";
  while (reading.held !== "") {
    const step = STEPS[reading.stage](reading);
    if (step === undefined) break;
    said += step;
  }
  return said;
}

const STEPS: Record<Reading["stage"], (reading: Reading) => string | undefined> = {
  beginning(reading) {
    const { held, isEnding } = reading;
    const opening = OPENING.exec(held)?.[0];
    if (opening === undefined && !isEnding && MAY_OPEN.test(held)) return undefined;
    reading.stage = opening === undefined ? "plain" : "wrapped";
    if (opening === undefined) return "";
    reading.outer = fenceOpening(opening.trim());
    reading.raw = opening;
    reading.held = held.slice(opening.length);
    return "";
  },
  wrapped(reading) {
    const { held, inner, isPassing, isEnding } = reading;
    const lineEnd = held.indexOf("\n") + 1;
    const isWhole = lineEnd > 0 || isEnding;
    const length = lineEnd || held.length;
    const line = held.slice(0, length);
    if (isPassing) return take(reading, length);
    if (!isWhole && (inner !== undefined || MAY_BE_FENCE.test(line))) return undefined;
    if (inner !== undefined) {
      if (closesFence(line.trimStart(), { ...inner, indent: 0 })) reading.inner = undefined;
      return take(reading, length);
    }
    const fence = fenceOpening(line);
    const verdict = fence === undefined ? "words" : whatFence(reading, fence, held.slice(length));
    if (verdict === "undecided") return undefined;
    if (verdict === "outer") return leave(reading, length);
    if (verdict === "inner") reading.inner = fence;
    return take(reading, length);
  },
  plain(reading) {
    const { held } = reading;
    reading.held = "";
    return held;
  },
};

/** Whether a fence opens code, or closes the one around the answer: nothing, or a blank line, is behind that. */
function whatFence({ outer, isEnding }: Reading, fence: FenceOpening, behind: string) {
  const { character, length, info } = fence;
  if (info !== "" || character !== outer?.character || length < outer.length) return "inner";
  if (behind === "") return isEnding ? "outer" : "undecided";
  return behind.startsWith("\n") ? "outer" : "inner";
}

/** Takes a line, or a part of it. It is said once it is known to be of the answer. */
function take(reading: Reading, length: number): string {
  const line = reading.held.slice(0, length);
  reading.held = reading.held.slice(length);
  reading.isPassing = !line.endsWith("\n");
  if (reading.raw === undefined) return line;
  reading.raw += line;
  reading.inside += line;
  const last = reading.inside.slice(reading.inside.lastIndexOf("\n", reading.inside.length - 2) + 1);
  const isAnswer = reading.inner === undefined && CITATION.test(last);
  if (!isAnswer && reading.inside.length <= EXAMPLE_CHARACTERS_MAX) return "";
  reading.raw = undefined;
  return reading.inside;
}

/** Leaves the fence. Where that was not the end of the answer, and nothing has shown it to be one, it was an example. */
function leave(reading: Reading, length: number): string | undefined {
  const { held, raw, isEnding, inside } = reading;
  const behind = held.slice(length);
  if (raw !== undefined && behind.trim() === "" && !isEnding) return undefined;
  reading.stage = "plain";
  reading.raw = undefined;
  reading.held = behind;
  if (raw === undefined) return "";
  if (behind.trim() === "") return inside;
  reading.held = raw + held;
  return "";
}
