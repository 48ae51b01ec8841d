import { readWrittenCalls, SEARCH_TOOL } from "@docent/answering/answer/looking/looking";
import type { AskedCall, Tool, ToolUse } from "@docent/answering/answer/responder";
import { MINUTE_MS } from "@docent/kernel/lib/clock";
import { type Log, reasonFields } from "@docent/kernel/lib/log";
import { keepLatest } from "@docent/kernel/lib/remember";
import { asRecord } from "@docent/kernel/text/json";
import { chatOptions, type ModelSettings } from "../chat-options.ts";
import type { ChatBody, ChatTool, OllamaClient } from "../client/client.ts";
import { faultOf } from "../faults.ts";
import type { ModelInfo } from "../models/models.ts";

/** What models showed of calling tools since the server started. */
export interface KnownToolUse {
  of(model: ModelInfo): ToolUse;
  /** Whether it could still show that it calls tools: it says that it can, and was not asked to yet. */
  isUntried(model: ModelInfo): boolean;
  learn(model: ModelInfo, what: Learnt): void;
}

/** `silent`: it was to call a tool and did not. `refused`: its server takes no tools for it. */
type Learnt = "shown" | "silent" | "refused";

const MODELS_KEPT = 256;

export function createToolUse(): KnownToolUse {
  const learnt = new Map<string, Learnt>();
  const keyOf = ({ name, digest }: ModelInfo) => `${name} ${digest}`;
  return {
    of(model) {
      const known = learnt.get(keyOf(model));
      if (!model.tools || known === "refused") return "none";
      return known === "shown" ? "shown" : "possible";
    },
    isUntried: (model) => model.tools && !learnt.has(keyOf(model)),
    learn: (model, what) => keepLatest(learnt, keyOf(model), what, MODELS_KEPT),
  };
}

const SYSTEM =
  "You answer questions about the documentation of a program. You have not read it: call search before you answer.";
const QUESTION = "How do I install the program on Linux?";
/** Enough for a call. A model that thinks first has more. */
const CALL_TOKENS = 96;
const THOUGHT_TOKENS = 1024;
/** A model that is still silent by then is not asked again soon. */
const LIMIT_MS = 2 * MINUTE_MS;

interface ProbeOptions {
  settings: ModelSettings;
  toolUse: KnownToolUse;
  log: Log;
}

/** Finds out whether a model calls tools, where that is not known. Never throws. */
export type ProbeTools = (
  client: Pick<OllamaClient, "chat">,
  model: ModelInfo,
  signal?: AbortSignal,
) => Promise<void>;

/**
 * Asks a model a question that it can only answer by searching, once for each version of it: many models say that they
 * can call tools, and do not.
 */
export function createProbe(options: ProbeOptions): ProbeTools {
  let isProbing = false;
  return async (client, model, signal) => {
    if (isProbing || !options.toolUse.isUntried(model)) return;
    isProbing = true;
    await probe(client, model, options, signal);
    isProbing = false;
  };
}

async function probe(
  client: Pick<OllamaClient, "chat">,
  model: ModelInfo,
  { settings, toolUse, log }: ProbeOptions,
  signal?: AbortSignal,
): Promise<void> {
  const limit = AbortSignal.timeout(LIMIT_MS);
  try {
    const calls = await callsOf(
      client,
      bodyFor(model, settings),
      signal ? AbortSignal.any([signal, limit]) : limit,
    );
    const shown = calls.some(isSearch);
    toolUse.learn(model, shown ? "shown" : "silent");
    log.info(shown ? "the model calls tools" : "the model did not call a tool when it should have", {
      model: model.name,
    });
  } catch (error) {
    if (refusesTools(error)) toolUse.learn(model, "refused");
    else log.info("whether the model calls tools could not be found out", reasonFields(error));
  }
}

function bodyFor(model: ModelInfo, settings: ModelSettings): ChatBody {
  const fixed = chatOptions(model, settings);
  const num_predict = Math.min(fixed.options.num_predict, fixed.think ? THOUGHT_TOKENS : CALL_TOKENS);
  return {
    ...fixed,
    options: { ...fixed.options, num_predict, temperature: 0 },
    messages: [
      { role: "system", content: SYSTEM },
      { role: "user", content: QUESTION },
    ],
    ...toTools([SEARCH_TOOL]),
  };
}

/** What the model calls, however it writes it. */
async function callsOf(
  client: Pick<OllamaClient, "chat">,
  body: ChatBody,
  signal: AbortSignal,
): Promise<AskedCall[]> {
  const made: AskedCall[] = [];
  let written = "";
  for await (const { content, calls } of client.chat(body, signal, { attempts: 1 })) {
    made.push(...calls);
    written += content;
  }
  return made.length > 0 ? made : readWrittenCalls(written);
}

function isSearch({ name, input }: AskedCall): boolean {
  const { query } = asRecord(input);
  return name === SEARCH_TOOL.name && typeof query === "string" && query.trim() !== "";
}

/** Tools as Ollama takes them. */
export function toTools(tools: readonly Tool[]): { tools: ChatTool[] } {
  return { tools: tools.map((tool) => ({ type: "function", function: tool })) };
}

/** Whether a chat failed because the server takes no tools, for this model or at all. */
export function refusesTools(error: unknown): boolean {
  const fault = faultOf(error);
  return fault?.kind === "status" && fault.status === 400 && /\btools?\b/i.test(fault.message);
}
