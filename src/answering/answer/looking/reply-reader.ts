import type { AskedCall } from "../responder.ts";
import type { TextDelta } from "../thinking.ts";
import { jsonAt, markAt, readWrittenCalls } from "./written-call.ts";

/**
 * A model may announce that it will search, and then do so. Text is held until it is longer than that or cites a
 * passage: then it is the answer.
 */
const ANNOUNCEMENT_CHARACTERS_MAX = 120;
const CITATION = /\[\d{1,3}\]/;

/** Tells the answer from calls that a model writes as text, as it streams. */
interface ReplyReader {
  /** The text to pass on. */
  write(text: string): TextDelta[];
  /** What was held back: text and thoughts to pass on, or the calls that it is. */
  end(hasCalled: boolean): { deltas: TextDelta[]; calls: AskedCall[] };
  /** Whether text of the answer was passed on, and whether it cited a passage. */
  told(): boolean;
  cites(): boolean;
}

interface Reading {
  /** Text that may still be an announcement, or a call. */
  held: string;
  /** What is being written. */
  state: "unknown" | "answer" | "call";
  told: boolean;
  cites: boolean;
}

export function createReplyReader(): ReplyReader {
  const reading: Reading = { held: "", state: "unknown", told: false, cites: false };
  return {
    write: (text) => asText(read(reading, text)),
    end(hasCalled) {
      const { state, held, told } = reading;
      reading.held = "";
      const calls = state === "answer" || hasCalled ? [] : readWrittenCalls(held);
      if (calls.length > 0 || hasCalled) return { deltas: asThought(told ? "" : announcement(held)), calls };
      reading.told ||= held.trim() !== "";
      return { deltas: asText(held), calls };
    },
    told: () => reading.told,
    cites: () => reading.cites,
  };
}

/** Takes text in, and gives what is surely of the answer. */
function read(reading: Reading, text: string): string {
  reading.held += text;
  if (reading.state === "unknown") decide(reading);
  if (reading.state !== "answer") return "";
  const { at, isWhole } = markAt(reading.held);
  const sure = reading.held.slice(0, at);
  reading.held = reading.held.slice(at);
  reading.told ||= sure.trim() !== "";
  reading.cites ||= CITATION.test(sure);
  if (isWhole) reading.state = "call";
  return sure;
}

function decide(reading: Reading): void {
  const { held } = reading;
  const mark = markAt(held);
  const json = jsonAt(held);
  if (mark.isWhole || json.isWhole) {
    reading.state = "call";
    return;
  }
  const sure = held.slice(0, Math.min(mark.at, json.at));
  if (sure.trim().length > ANNOUNCEMENT_CHARACTERS_MAX || CITATION.test(sure)) reading.state = "answer";
}

/** What a model wrote before a call. */
function announcement(held: string): string {
  return held.slice(0, Math.min(markAt(held).at, jsonAt(held).at)).trim();
}

const asText = (text: string): TextDelta[] => (text === "" ? [] : [{ type: "text-delta", text }]);
const asThought = (text: string): TextDelta[] => (text === "" ? [] : [{ type: "reasoning-delta", text }]);
