import type { PromptBuilder } from "../../../src/answering/answer/prompt/prompt.ts";
import type { ResponderRequest } from "../../../src/answering/answer/responder.ts";
import { systemClock } from "../../../src/kernel/lib/clock.ts";
import type { ModelSettings } from "../../../src/models/ollama/chat-options.ts";
import type { ConnectionOptions } from "../../../src/models/ollama/client/connection.ts";
import { createServerPlaces } from "../../../src/models/ollama/pool/places.ts";
import { createOllamaServer, type OllamaServer } from "../../../src/models/ollama/pool/server.ts";
import { createSiteModels } from "../../../src/models/ollama/pool/site-models.ts";
import { createQueue, type QueueOptions } from "../../../src/models/ollama/queue/queue.ts";
import { createOllamaResponder } from "../../../src/models/ollama/responder/responder.ts";
import { createTokenMeters } from "../../../src/models/ollama/tokens/tokens.ts";
import { createProbe, createToolUse } from "../../../src/models/ollama/tools/tools.ts";
import { clientOf, drain, never, recordingLog } from "./helpers.ts";

/** A question that nothing special is known of. */
export const plainRequest: ResponderRequest = {
  question: "How do I install it?",
  asker: { siteId: 1, reader: "reader" },
  instructions: "",
  notCovered: "The documentation doesn't cover this.",
  siteName: "Acme",
  language: "en",
  quoting: "",
  touching: "",
  history: [],
  passages: [],
  contexts: [],
  images: [],
};

export const plainPrompt: PromptBuilder = ({ question }) => ({
  system: "Be brief.",
  messages: [{ role: "user", content: question }],
  tokensEstimated: 20,
});

export interface PoolOptions {
  model?: string;
  siteModels?: string[];
  slots?: number;
  settings?: Partial<ModelSettings>;
  queue?: Partial<Omit<QueueOptions<OllamaServer>, "places">>;
  firstByteMs?: number;
  client?: Partial<ConnectionOptions>;
  buildPrompt?: PromptBuilder;
  clock?: () => number;
}

/** A responder over the servers at some addresses, with retries that cost no time. */
export function openPool(urls: string[], options: PoolOptions = {}) {
  const { model = "auto", slots = 1, clock = systemClock, firstByteMs = 3_600_000 } = options;
  const { log, lines } = recordingLog();
  const settings = {
    answerTokens: 512,
    thinking: false,
    keepAliveSeconds: 1800,
    ...options.settings,
  };
  const servers = urls.map((url) =>
    createOllamaServer({
      client: clientOf(url, options.client),
      model,
      contextTokens: 4096,
      slots,
      settings,
      isOneOfSeveral: urls.length > 1,
      prefer: async () => undefined,
      onChange: () => queue.admit(),
      probeMs: firstByteMs,
      random: () => 1,
      clock,
      log,
    }),
  );
  const pool = createServerPlaces(servers);
  const queueMs = options.queue?.queueMs ?? 3_600_000;
  const queue = createQueue({ places: pool, queueLength: 5, queueMs: queueMs, clock, ...options.queue });
  const toolUse = createToolUse();
  const responder = createOllamaResponder({
    siteModels: createSiteModels(servers, options.siteModels ?? []),
    places: pool,
    queue,
    settings,
    queueMs,
    firstByteMs,
    clock,
    log,
    buildPrompt: options.buildPrompt ?? plainPrompt,
    passages: { tokens: 1000, seconds: 20 },
    meterOf: createTokenMeters(),
    toolUse,
    probe: createProbe({ settings, toolUse, log }),
  });
  const respond = (signal = never, request: Partial<ResponderRequest> = {}) =>
    drain(responder.respond({ ...plainRequest, ...request }, signal));
  return { servers, pool, queue, responder, respond, lines };
}
