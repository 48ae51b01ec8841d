import { jsonIn } from "@docent/kernel/text/json";
import type { AskedCall } from "../responder.ts";
import { TOOLS } from "./tools.ts";

/** `<function=search>{…}</function>` (Llama), with parameters in tags of their own (Qwen). */
const FUNCTION = /<function=([\w.-]+)>([\s\S]*?)(?:<\/function>|$)/g;
const PARAMETER = /<parameter=([\w.-]+)>\s*([\s\S]*?)\s*(?:<\/parameter>|$)/g;
const NAMES = TOOLS.map(({ name }) => name);
const STEP = "Action Input:";
/** The steps of ReAct: an action on a line, and its input behind it. */
const ACTION = new RegExp(
  `(?:^|\\n)[ \\t]*Action:[ \\t]*(${NAMES.join("|")})[ \\t]*\\n[ \\t]*${STEP}[ \\t]*([^\\n]*)`,
  "g",
);
const ACTION_BEGUN = new RegExp(
  `(?:^|\\n)[ \\t]*Action:[ \\t]*(?:${NAMES.join("|")})[ \\t]*\\n[ \\t]*${STEP}`,
);
const LINE_AT_END = /(?:^|\n)[ \t]*(A[^\n]{0,30}(?:\n[^\n]{0,20})?)$/;

/** Where a step stands that calls a tool, or where the end of a text may be the beginning of one. */
export function actionAt(text: string): { at: number; isWhole: boolean } | undefined {
  const found = ACTION_BEGUN.exec(text);
  if (found !== null) return { at: found.index, isWhole: true };
  const open = LINE_AT_END.exec(text);
  const line = open?.[1] ?? "";
  const isBegun = NAMES.some((name) => `Action: ${name}\n${STEP}`.startsWith(line));
  return open !== null && isBegun ? { at: open.index, isWhole: false } : undefined;
}

/** The calls that a text has in tags or in steps. */
export function callsInForms(text: string): AskedCall[] {
  const functions = [...text.matchAll(FUNCTION)].map(([, name = "", body = ""]) => ({
    name,
    input: parametersIn(body) ?? jsonIn(body.trim()),
  }));
  const actions = [...text.matchAll(ACTION)].map(([, name = "", input = ""]) => ({
    name,
    input: jsonIn(input) ?? {
      [name === "search" ? "query" : "path"]: input.replace(/^["']|["']$/g, "").trim(),
    },
  }));
  return [...functions, ...actions];
}

function parametersIn(body: string): Record<string, string> | undefined {
  const written = [...body.matchAll(PARAMETER)].map(([, name = "", value = ""]) => [name, value] as const);
  return written.length === 0 ? undefined : Object.fromEntries(written);
}
