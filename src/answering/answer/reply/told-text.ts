import { type Lines, openLines, readOn } from "./lines.ts";
import { createUnwrapper } from "./wrapped-answer.ts";
import {
  answerBehindSteps,
  beginningOf,
  behindAnnouncement,
  hasAction,
  isJsonCall,
  tagAt,
} from "./written-steps.ts";

/** Tells what a model answers from what it only says that it will do, as it streams. */
interface ToldText {
  write(text: string): string;
  end(): string;
}

interface Reading extends Lines {
  held: string;
  stage: "beginning" | "call" | "json" | "steps" | "announcement" | "telling";
  /** The mark that closes the call. */
  close: string | undefined;
  hasTold: boolean;
  isEnding: boolean;
}

/** More is no step before an answer, but the answer. */
const HELD_CHARACTERS_MAX = 2000;
/** Space before an answer, unless it is the indent of code. */
const LEAD = /^(?:[ \t]*\n)*(?: {1,3}(?! ))?/;
const ANNOUNCEMENT_CHARACTERS_MAX = 160;

/** The text of a model that can call nothing: its answer, without a fence around it and without the calls in it. */
export function createToldText(): ToldText {
  const unwrapper = createUnwrapper();
  const reading: Reading = {
    ...openLines(),
    held: "",
    stage: "beginning",
    close: undefined,
    hasTold: false,
    isEnding: false,
  };
  return {
    write(text) {
      reading.held += unwrapper.write(text);
      return drain(reading);
    },
    end() {
      reading.held += unwrapper.end();
      reading.isEnding = true;
      return drain(reading);
    },
  };
}

function drain(reading: Reading): string {
  let said = "";
  while (reading.held !== "") {
    const step = STAGES[reading.stage](reading);
    if (step === undefined) break;
    said += step;
  }
  return said;
}

/** Goes on in another stage, behind so many characters that are not told. */
function goOn(reading: Reading, stage: Reading["stage"], dropped = 0): string {
  reading.stage = stage;
  reading.held = reading.held.slice(dropped);
  return "";
}

/** Each gives what is surely of the answer; undefined where more has to come first. */
const STAGES: Record<Reading["stage"], (reading: Reading) => string | undefined> = {
  beginning(reading) {
    const text = reading.held.trimStart();
    const space = reading.held.length - text.length;
    const begun = beginningOf(text);
    if (begun === "undecided" && !reading.isEnding) return undefined;
    if (text === "") return goOn(reading, "beginning", space);
    if (begun === "tag") return beginCall(reading, space);
    const isWords = begun === "words" || begun === "undecided";
    const lead = reading.hasTold ? 0 : (LEAD.exec(reading.held)?.[0].length ?? 0);
    return goOn(reading, isWords ? "telling" : begun, lead);
  },
  call(reading) {
    const { held, close, isEnding } = reading;
    const end = close === undefined ? -1 : held.toLowerCase().indexOf(close);
    if (close !== undefined && end !== -1) return goOn(reading, "beginning", end + close.length);
    return isEnding ? goOn(reading, "call", held.length) : undefined;
  },
  json(reading) {
    const { held, isEnding } = reading;
    if (!isEnding && held.length <= HELD_CHARACTERS_MAX) return undefined;
    return isEnding && isJsonCall(held) ? goOn(reading, "json", held.length) : goOn(reading, "telling");
  },
  steps(reading) {
    const { held, isEnding } = reading;
    const answer = answerBehindSteps(held.slice(0, HELD_CHARACTERS_MAX));
    if (answer !== undefined) return goOn(reading, "beginning", answer);
    if (held.length > HELD_CHARACTERS_MAX) return goOn(reading, "telling");
    if (!isEnding) return undefined;
    return hasAction(held) ? goOn(reading, "steps", held.length) : goOn(reading, "telling");
  },
  announcement(reading) {
    const { held, isEnding } = reading;
    const at = behindAnnouncement(held.trimStart());
    const next = at === undefined ? "" : held.trimStart().slice(at);
    const tag = next === "" ? undefined : tagAt(next);
    if (tag !== undefined && tag !== "undecided") return beginCall(reading, held.length - next.length);
    if (isEnding && next === "") return goOn(reading, "announcement", held.length);
    const isLong = held.length > ANNOUNCEMENT_CHARACTERS_MAX;
    if ((next === "" && !isLong) || (tag === "undecided" && !isEnding)) return undefined;
    return goOn(reading, "telling");
  },
  telling(reading) {
    const { held, line, fence, isEnding } = reading;
    if (line === "" && fence === undefined) {
      const tag = tagAt(held);
      if (tag === "undecided" && !isEnding) return undefined;
      if (tag !== undefined && tag !== "undecided") return beginCall(reading, 0);
    }
    const said = held.slice(0, held.indexOf("\n") + 1 || held.length);
    readOn(reading, said);
    reading.hasTold ||= said.trim() !== "";
    return goOn(reading, "telling", said.length) + said;
  },
};

function beginCall(reading: Reading, at: number): string {
  const tag = tagAt(reading.held.slice(at));
  reading.close = tag === "undecided" ? undefined : tag?.close;
  return goOn(reading, "call", at);
}
