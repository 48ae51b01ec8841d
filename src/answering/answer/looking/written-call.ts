import { asRecord, asText, isRecord, jsonIn } from "@docent/kernel/text/json";
import type { AskedCall } from "../responder.ts";
import { actionAt, callsInForms } from "./call-forms.ts";
import { isTool } from "./tools.ts";

/** The marks that models put before a call: of Qwen and Hermes, Mistral, Llama, and others. */
const MARKS = [
  "<tool_call>",
  "<tool_calls>",
  "<function_call>",
  "<|tool_call|>",
  "<|tool_call>",
  "[TOOL_CALLS]",
  "<|python_tag|>",
];
const ANY_MARK = `(?:${MARKS.map((mark) => mark.replace(/[[\]|]/g, "\\$&")).join("|")})`;
/** A call that its tag names: Llama and Qwen. */
const FUNCTION = "<function=";
const MARKED_CALL = new RegExp(`${ANY_MARK}\\s*(?:\`{3,}\\w*\\s*)?(?:[[{]|${FUNCTION})|${FUNCTION}[\\w.-]+>`);
const MARK_AT_END = new RegExp(`${ANY_MARK}\\s*(?:\`{1,3}\\w*\\s*|<[a-z]{0,8})?$|${FUNCTION}[\\w.-]{0,40}$`);
const BEGINNINGS = [...MARKS, FUNCTION];
const LONGEST_MARK = Math.max(...BEGINNINGS.map(({ length }) => length));
/** The fields in which models write a call's name, and its input. */
const NAMES = ["name", "function", "tool", "tool_name", "function_name"];
const INPUTS = ["arguments", "parameters", "args", "input", "tool_input"];
const FIELDS = [...NAMES, ...INPUTS, "id", "type"];
/** JSON that may be a call, at the beginning of a line, in a code block or not. */
const JSON_START = /(?:^|\n)[ \t]*(?:`{3,}(?:[ \t]*\w+)?\s*)?(?:\[\s*)?\{\s*"/;
const JSON_AT_END =
  /(?:^|\n)[ \t]*(?:`{1,2}|`{3,}(?:[ \t]*\w+)?\s*(?:\[\s*)?(?:\{\s*)?|\[\s*(?:\{\s*)?|\{\s*)$/;
const NAME_WRITTEN = new RegExp(`"(?:${NAMES.join("|")})"\\s*:\\s*"([^"]*)"`);
const FIRST_FIELD = /\{\s*"([^"]*)"/;

/** Where something stands in a text, or where its end may be the beginning of it: the text's length where neither. */
interface Place {
  at: number;
  isWhole: boolean;
}

/** Where a mark stands before a call, or a step that is one: docs may be about the mark itself. */
export function markAt(text: string): Place {
  const found = MARKED_CALL.exec(text);
  const action = actionAt(text);
  const at = Math.min(found?.index ?? text.length, action?.isWhole ? action.at : text.length);
  if (at < text.length) return { at, isWhole: true };
  if (action !== undefined) return action;
  const open = MARK_AT_END.exec(text);
  if (open !== null) return { at: open.index, isWhole: false };
  for (let at = Math.max(0, text.length - LONGEST_MARK); at < text.length; at++)
    if (BEGINNINGS.some((mark) => mark.startsWith(text.slice(at)))) return { at, isWhole: false };
  return { at: text.length, isWhole: false };
}

/** Where JSON without a mark stands that calls a tool, or may yet turn out to. */
export function jsonAt(text: string): Place {
  const start = JSON_START.exec(text) ?? JSON_AT_END.exec(text);
  if (start === null) return { at: text.length, isWhole: false };
  const json = text.slice(start.index);
  const name = NAME_WRITTEN.exec(json)?.[1];
  if (name !== undefined) return { at: isTool(name) ? start.index : text.length, isWhole: isTool(name) };
  const field = FIRST_FIELD.exec(json)?.[1];
  const isData = field !== undefined && !FIELDS.includes(field);
  return { at: isData ? text.length : start.index, isWhole: false };
}

/**
 * Reads the calls that a model wrote as text instead of making them. Empty where the text is none; a call whose mark is
 * there but which cannot be read has no name.
 */
export function readWrittenCalls(text: string): AskedCall[] {
  const hasMark = markAt(text).isWhole;
  if (!hasMark && !jsonAt(text).isWhole) return [];
  const inForms = callsInForms(text);
  const calls = inForms.length > 0 ? inForms : jsonValuesIn(text).flatMap(callsIn);
  return calls.length > 0 ? calls : [{ name: "", input: undefined }];
}

function callsIn(value: unknown): AskedCall[] {
  if (Array.isArray(value)) return value.flatMap(callsIn);
  const record = asRecord(value);
  const { function: inner } = record;
  if (isRecord(inner)) return callsIn(inner);
  const name = NAMES.map((field) => asText(record[field])).find((each) => each !== undefined);
  if (name === undefined) return [];
  const input = INPUTS.map((field) => record[field]).find((each) => each !== undefined);
  return [{ name, input: typeof input === "string" ? jsonIn(input) : input }];
}

const VALUES_MAX = 8;

/** The whole JSON objects and arrays in a text, one behind the other. */
function jsonValuesIn(text: string): unknown[] {
  const values: unknown[] = [];
  for (let at = nextOpening(text, 0); at >= 0 && values.length < VALUES_MAX; ) {
    const end = endOfValue(text, at);
    const value = end === undefined ? undefined : jsonIn(text.slice(at, end));
    if (value !== undefined) values.push(value);
    if (end === undefined) break;
    at = nextOpening(text, value === undefined ? at + 1 : end);
  }
  return values;
}

function nextOpening(text: string, from: number): number {
  const at = text.slice(from).search(/[{[]/);
  return at < 0 ? -1 : from + at;
}

/** The position behind the bracket that closes the one at the start; undefined where none does. */
function endOfValue(text: string, start: number): number | undefined {
  let depth = 0;
  let isQuoted = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (isQuoted) {
      if (character === "\\") at += 1;
      else if (character === '"') isQuoted = false;
    } else if (character === '"') isQuoted = true;
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}
