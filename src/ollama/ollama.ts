import type { Responder } from "../answer/responder.ts";
import { AppError } from "../errors.ts";
export function openOllama(_options: unknown) {
  const responder: Responder = {
    name: "ollama",
    model: () => undefined,
    ready: async () => {
      throw new AppError("unavailable", "No model can answer now. Please try again later.", {
        retryAfterSeconds: 30,
      });
    },
    async *respond() {
      throw new AppError("unavailable", "No model");
    },
  };
  return {
    responder,
    start() {},
    stop() {},
    describe: async () => ({
      model: undefined as string | undefined,
      reason: "none",
      hint: "x",
      details: "",
    }),
  };
}
