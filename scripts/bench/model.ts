import { writeToken } from "./token.ts";

// A model that answers at once in Ollama's protocol: `bun scripts/bench/model.ts <tokens> <milliseconds
// between>`. Runs as a process of its own, prints its address, and ends when its input does.

const TOKENS = Number(process.argv[2] ?? 20);
const PACE_MS = Number(process.argv[3] ?? 0);
const MODEL = "bench:latest";
const DETAILS = {
  format: "gguf",
  family: "llama",
  families: ["llama"],
  parameter_size: "1M",
  quantization_level: "F16",
};

const encoder = new TextEncoder();
const line = (content: string, rest: object = { done: false }) =>
  encoder.encode(
    `${JSON.stringify({ model: MODEL, created_at: "2026-01-01T00:00:00Z", message: { role: "assistant", content }, ...rest })}\n`,
  );

const METRICS = { done: true, done_reason: "stop", prompt_eval_count: 1000, eval_count: TOKENS };

async function* lines(): AsyncGenerator<Uint8Array, void, undefined> {
  const startedAt = performance.now();
  for (let index = 0; index < TOKENS; index++) {
    // By the clock instead of adding up pauses, so that a late token does not delay the next ones.
    const waitMs = startedAt + index * PACE_MS - performance.now();
    if (waitMs > 0) await Bun.sleep(waitMs);
    yield line(writeToken(index));
  }
  // Cites, as an instructed model does: for an answer without a citation Docent would search for support.
  yield line("[1]");
  yield line("", METRICS);
}

function chat(): Response {
  const next = lines();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const result = await next.next();
      if (result.done === true) controller.close();
      else controller.enqueue(result.value);
    },
    async cancel() {
      await next.return();
    },
  });
  return new Response(body, { headers: { "content-type": "application/x-ndjson" } });
}

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  idleTimeout: 255,
  routes: {
    "/api/version": () => Response.json({ version: "0.99.0" }),
    "/api/tags": () =>
      Response.json({
        models: [
          {
            name: MODEL,
            model: MODEL,
            digest: "bench",
            modified_at: "2026-01-01T00:00:00Z",
            details: DETAILS,
          },
        ],
      }),
    "/api/show": () =>
      Response.json({
        details: DETAILS,
        model_info: {
          "general.architecture": "llama",
          "llama.context_length": 32_768,
          "tokenizer.ggml.model": "gpt2",
          "tokenizer.ggml.pre": "llama-bpe",
        },
        capabilities: ["completion"],
      }),
    "/api/chat": {
      async POST(request) {
        await request.arrayBuffer();
        return chat();
      },
    },
  },
  fetch: () => new Response("404 page not found", { status: 404 }),
});

process.stdout.write(`${server.url.origin}\n`);
for await (const _ of Bun.stdin.stream()) {
  // The parent process holds this open.
}
await server.stop(true);
