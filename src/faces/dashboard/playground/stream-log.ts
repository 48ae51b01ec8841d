import { asRecord, asText, jsonIn } from "@docent/kernel/text/json";

/** Parts of one kind that came one behind the other. */
export interface StreamGroup {
  /** Of the part that came first, since the question was sent. */
  atMs: number;
  /** Of the last one. */
  untilMs: number;
  type: string;
  /** As they were sent. */
  parts: string[];
  /** What they say together: the text of deltas. */
  text: string;
}

/** More of one answer is not shown one by one. */
const PARTS_MAX = 5000;

/** The groups with one more part. Deltas of one text are told together. */
export function withStreamPart(groups: readonly StreamGroup[], data: string, atMs: number): StreamGroup[] {
  const part = asRecord(jsonIn(data));
  const type = data === "[DONE]" ? data : (asText(part["type"]) ?? "?");
  const text = asText(part["delta"]) ?? asText(part["errorText"]) ?? "";
  const last = groups.at(-1);
  if (last === undefined || last.type !== type || !type.endsWith("-delta"))
    return [...groups, { atMs, untilMs: atMs, type, parts: [data], text }];
  const parts = last.parts.length < PARTS_MAX ? [...last.parts, data] : last.parts;
  return [...groups.slice(0, -1), { ...last, untilMs: atMs, parts, text: last.text + text }];
}

/** What was measured of an answer, from its parts. */
interface StreamTimes {
  firstPartMs: number | undefined;
  searchMs: number | undefined;
  firstTextMs: number | undefined;
  totalMs: number | undefined;
}

export function timesOf(groups: readonly StreamGroup[]): StreamTimes {
  const first = (type: string) => groups.find((group) => group.type === type)?.atMs;
  return {
    firstPartMs: groups[0]?.atMs,
    searchMs: first("tool-output-available"),
    firstTextMs: first("text-delta"),
    totalMs: groups.at(-1)?.untilMs,
  };
}
