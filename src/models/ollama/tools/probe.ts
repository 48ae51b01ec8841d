import { readWrittenCalls, SEARCH_TOOL } from "@docent/answering/answer/looking/looking";
import type { AskedCall } from "@docent/answering/answer/responder";
import { MINUTE_MS } from "@docent/kernel/lib/clock";
import { type Log, reasonFields } from "@docent/kernel/lib/log";
import { asRecord } from "@docent/kernel/text/json";
import { chatOptions, type ModelSettings } from "../chat-options.ts";
import type { ChatBody, OllamaClient } from "../client/client.ts";
import type { ModelInfo } from "../models/models.ts";
import type { KnownToolUse } from "./tools.ts";
import { refusesTools, toTools } from "./wire.ts";

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
