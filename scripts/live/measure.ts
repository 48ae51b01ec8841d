import { z } from "zod";
import type { ModelSource } from "./models.ts";

const TEXT = `${"Acme is installed with one command, and needs no other program. ".repeat(12)}What is needed?`;
const OPTIONS = { num_ctx: 1024, num_predict: 16, temperature: 0 };

const chatEnd = z.object({
  prompt_eval_count: z.number().default(0),
  eval_count: z.number().default(0),
  eval_duration: z.number().default(0),
});

/** Measures a model's time to its first word, or first vector: cold, warm, and with a cached prompt. */
export async function measure(url: string, model: ModelSource): Promise<string> {
  if (model.embeds) return measureEmbedding(url, model.name);
  const chat = (content: string, keepAlive = 1800) =>
    timed(`${url}/api/chat`, {
      model: model.name,
      keep_alive: keepAlive,
      options: OPTIONS,
      messages: content === "" ? [] : [{ role: "user", content }],
    });
  await chat("", 0);
  const cold = await chat(TEXT);
  const warm = await chat(`Now another one. ${TEXT}`);
  const again = await chat(`Now another one. ${TEXT}`);
  const end = chatEnd.parse(JSON.parse(again.body.trimEnd().split("\n").at(-1) ?? ""));
  const tokens = end.prompt_eval_count;
  const speed = Math.round(end.eval_count / (end.eval_duration / 1e9));
  return (
    `${model.name}: first token of a prompt of ${tokens} tokens after ${cold.firstMs} ms cold, ${warm.firstMs} ms warm, ` +
    `${again.firstMs} ms when it was just read; then ${speed} tokens a second`
  );
}

async function measureEmbedding(url: string, model: string): Promise<string> {
  const embed = (input: string[], more = {}) => timed(`${url}/api/embed`, { model, input, ...more });
  await embed([], { keep_alive: 0 });
  const cold = await embed([TEXT]);
  const warm = await embed([TEXT]);
  const question = await embed(["What is needed?"]);
  return (
    `${model}: a vector of ${TEXT.length} characters after ${cold.firstMs} ms cold, ${warm.firstMs} ms warm; ` +
    `of a question after ${question.firstMs} ms`
  );
}

async function timed(address: string, body: object): Promise<{ firstMs: number; body: string }> {
  const started = performance.now();
  const reply = await fetch(address, { method: "POST", body: JSON.stringify(body) });
  // The headers come with the first word.
  const firstMs = Math.round(performance.now() - started);
  return { firstMs, body: await reply.text() };
}
