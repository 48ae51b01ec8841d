import { z } from "zod";
import type { FakeRequest } from "./fake-ollama.ts";
import { type FakeModel, named } from "./fake-ollama-models.ts";
import { failure, jsonReply } from "./fake-ollama-replies.ts";

const embedBody = z.looseObject({
  model: z.string(),
  /** None is a request to load the model. */
  input: z.array(z.string()).default([]),
  truncate: z.boolean().optional(),
  keep_alive: z.union([z.number(), z.string()]).optional(),
  options: z.record(z.string(), z.unknown()).optional(),
});

/** One request to embed texts. */
export type FakeEmbed = FakeRequest & { body: z.infer<typeof embedBody> };

/** Decides the reply to one: `index` counts them from 0. Returning undefined is the ordinary reply. */
export type EmbedScript = (asked: FakeEmbed, index: number) => Response | Promise<Response> | undefined;

export const FAKE_DIMENSIONS = 16;

/** Plain arithmetic, of length two: the words of a text, each in its own place. */
export function fakeVector(text: string, dimensions = FAKE_DIMENSIONS): number[] {
  const values = Array.from({ length: dimensions }, () => 0.01);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const place = Number(Bun.hash.crc32(word)) % dimensions;
    values[place] = (values[place] ?? 0) + 1;
  }
  const length = Math.hypot(...values);
  return values.map((value) => (2 * value) / length);
}

export function embedReply(model: string, embeddings: unknown): Response {
  return jsonReply({ model, embeddings, total_duration: 1000, load_duration: 100, prompt_eval_count: 3 });
}

/** Answers as Ollama does: 404 for a model that is not there, 501 for one that does not embed. */
export async function replyToEmbed(
  record: FakeRequest,
  models: FakeModel[],
  embeds: FakeEmbed[],
  script: EmbedScript,
): Promise<Response> {
  const parsed = embedBody.safeParse(record.body);
  if (!parsed.success) return failure(400, "invalid input type");
  const asked: FakeEmbed = Object.assign(record, { body: parsed.data });
  const { model, input } = asked.body;
  const known = named(models, model);
  const scripted = await script(asked, embeds.push(asked) - 1);
  if (scripted !== undefined) return scripted;
  if (known === undefined) return failure(404, `model "${model}" not found, try pulling it first`);
  if (known.family !== undefined && !known.family.includes("bert"))
    return failure(501, "this model does not support embeddings");
  if (input.length === 0) return jsonReply({ model, embeddings: [] });
  return embedReply(
    model,
    input.map((text) => fakeVector(text)),
  );
}
