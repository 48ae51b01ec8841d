import type { ToolUse } from "@docent/answering/answer/responder";
import { keepLatest } from "@docent/kernel/lib/keep-latest";
import type { ModelInfo } from "../models/models.ts";

export { createProbe, type ProbeTools } from "./probe.ts";
export { refusesTools, toTools } from "./wire.ts";

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
