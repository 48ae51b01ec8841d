import { keepLatest } from "../../lib/keep-latest.ts";
import type { Responder, RewriteRequest } from "../responder.ts";

/**
 * What models wrote in place of questions. Answers are cached; a question that stays uncovered has none, and would be put
 * in other words each time that somebody asks it, in the same ones: a model does that without chance.
 */
export interface RewriteMemory {
  find(responder: Responder, request: RewriteRequest): string[] | undefined;
  keep(responder: Responder, request: RewriteRequest, questions: string[]): void;
}

const REWRITES_KEPT = 2000;

export function createRewriteMemory(): RewriteMemory {
  const kept = new Map<string, string[]>();
  return {
    find(responder, request) {
      const key = keyOf(responder, request);
      const questions = kept.get(key);
      if (questions !== undefined) keepLatest(kept, key, questions, REWRITES_KEPT);
      return questions;
    },
    keep: (responder, request, questions) =>
      keepLatest(kept, keyOf(responder, request), questions, REWRITES_KEPT),
  };
}

/** Everything that a model's words depend on. A hash, because questions can be long. */
function keyOf(responder: Responder, { system, text, model, asker }: RewriteRequest): string {
  const writer = [responder.name, responder.model(model), responder.modelVersion?.(model)];
  return new Bun.CryptoHasher("sha256")
    .update(JSON.stringify([asker.siteId, writer, system, text]))
    .digest("base64url");
}
