import { asRecord, asText, isRecord, jsonIn } from "@docent/kernel/text/json";

/** What a text begins with that is no answer; `words` where it is one, "undecided" while that is not known. */
type Begun = "tag" | "json" | "steps" | "announcement" | "words" | "undecided";

/** The marks that stand before a call, and those that close it; a call without the latter goes on to the end. */
const TAGS = [
  { open: "<tool_call>", close: "</tool_call>" },
  { open: "<tool_calls>", close: "</tool_calls>" },
  { open: "<function_call>", close: "</function_call>" },
  { open: "<|tool_call|>", close: "<|/tool_call|>" },
  { open: "<|tool_call>", close: "<tool_call|>" },
  { open: "[tool_calls]", close: undefined },
  { open: "<|python_tag|>", close: undefined },
];
/** Marks that say by themselves what they are. */
const WHOLE_TAGS = [
  { open: "<tool_response>", close: "</tool_response>" },
  { open: "<function=", close: "</function>" },
];
const ALL_TAGS = [...TAGS, ...WHOLE_TAGS];
/** What follows a mark before a call; docs may be about the mark itself. */
const CALL_FOLLOWS = /^\s*(?:`{3,}\w*\s*)?(?:[[{]|<function=)/;
const CALL_MAY_FOLLOW = /^\s*(?:`{1,2}|`{3,}\w*\s*|<(?:f|fu|fun|func|funct|functi|functio|function)?)?$/;

const JSON_FIRST =
  /^(?:`{3,}(?:json|tool_call|tool_code)?\s*)?\[?\s*\{\s*"(?:name|function|tool|tool_name|function_name|type|arguments|parameters|id)"/;
const JSON_MAY_COME =
  /^(?:`{1,3}|`{3,}[a-z_]{1,9}\s*|(?:`{3,}(?:json|tool_call|tool_code)?\s*)?\[?\s*(?:\{\s*(?:"[a-z_]{0,14})?)?)$/;
const JSON_LANGUAGES = ["json", "tool_call", "tool_code"];
const NAMES = ["name", "function", "tool", "tool_name", "function_name"];
const INPUTS = ["arguments", "parameters", "args", "input", "tool_input"];

const STEPS = ["Thought:", "Action:", "Action Input:"];
const STARTS = [
  "I will ",
  "I'll ",
  "I’ll ",
  "I am going to ",
  "I'm going to ",
  "Let me ",
  "I need to ",
  "First, I will ",
  "First, I'll ",
];
const BETWEEN = ["", "first ", "now ", "quickly "];
const VERBS = ["search", "look up", "look for", "look into", "query", "consult", "check the doc"];
const ANNOUNCEMENTS = STARTS.flatMap((start) =>
  BETWEEN.flatMap((between) => VERBS.map((verb) => start + between + verb)),
);

/** How much of a text is looked at for the mark of a call: each line of a long answer is asked for one. */
const TAG_CHARACTERS_MAX = 200;

/** The mark of a call at the start of a text, with what closes it. */
export function tagAt(whole: string): { open: string; close: string | undefined } | "undecided" | undefined {
  const text = whole.slice(0, TAG_CHARACTERS_MAX);
  const lower = text.toLowerCase();
  const tag = ALL_TAGS.find(({ open }) => lower.startsWith(open));
  if (tag === undefined) return ALL_TAGS.some(({ open }) => open.startsWith(lower)) ? "undecided" : undefined;
  if (WHOLE_TAGS.some(({ open }) => open === tag.open)) return tag;
  const behind = text.slice(tag.open.length);
  if (CALL_FOLLOWS.test(behind)) return tag;
  return whole === text && CALL_MAY_FOLLOW.test(behind) ? "undecided" : undefined;
}

/** What a text begins with, behind its white space. */
export function beginningOf(text: string): Begun {
  if (text === "") return "undecided";
  const tag = tagAt(text);
  if (tag !== undefined) return tag === "undecided" ? tag : "tag";
  if (JSON_FIRST.test(text)) return "json";
  if (STEPS.some((step) => text.startsWith(step))) return "steps";
  if (ANNOUNCEMENTS.some((each) => text.startsWith(each))) return "announcement";
  const mayCome = [...STEPS, ...ANNOUNCEMENTS].some((each) => each.startsWith(text));
  return mayCome || mayBeJson(text) ? "undecided" : "words";
}

function mayBeJson(text: string): boolean {
  if (!JSON_MAY_COME.test(text)) return false;
  const language = /^`{3,}([a-z_]+)/.exec(text)?.[1] ?? "";
  return JSON_LANGUAGES.some((each) => each.startsWith(language));
}

const SENTENCE_ENDS = /[.!?:…]["')]*\s+(?=\S)|\n\s*(?=\S)/;

/** Where the sentence that announces a search is followed by more; undefined where it is all there is. */
export function behindAnnouncement(text: string): number | undefined {
  const end = SENTENCE_ENDS.exec(text);
  return end === null ? undefined : end.index + end[0].length;
}

const FINAL = /(?:^|\n)[ \t]*Final Answer:[ \t]*\n?/;

/** Where the answer begins behind the steps that led to it. */
export function answerBehindSteps(text: string): number | undefined {
  const found = FINAL.exec(text);
  return found === null ? undefined : found.index + found[0].length;
}

export const hasAction = (text: string): boolean => /(?:^|\n)[ \t]*Action(?: Input)?:/.test(text);

/** Whether a text is nothing but a call as JSON, in a code block or not. */
export function isJsonCall(text: string): boolean {
  const bare = text.trim().replace(/^`{3,}\w*\s*|\s*`{3,}$/g, "");
  const value = jsonIn(bare);
  if (value === undefined)
    return /^\[?\s*\{\s*"(?:name|function|tool)"\s*:\s*"(?:search|read_page)"/.test(bare);
  const values = Array.isArray(value) ? value : [value];
  return values.length > 0 && values.every(isCall);
}

function isCall(value: unknown): boolean {
  const record = asRecord(value);
  if (isRecord(record["function"])) return isCall(record["function"]);
  const hasName = NAMES.some((field) => asText(record[field]) !== undefined);
  return hasName && INPUTS.some((field) => record[field] !== undefined);
}
