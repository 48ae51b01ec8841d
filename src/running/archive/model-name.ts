import { AppError } from "@docent/kernel/errors";

const DEFAULT_HOST = "registry.ollama.ai";
const DEFAULT_NAMESPACE = "library";

/** Where Ollama keeps a model's manifest, below its folder: `llama3.2` is registry.ollama.ai/library/llama3.2/latest. */
export function manifestPlace(name: string): string {
  const [, path = "", tag = "latest"] = /^(.*?)(?::([^/:]+))?$/.exec(name) ?? [];
  const parts = path.split("/");
  const [host, namespace, model] =
    parts.length === 1
      ? [DEFAULT_HOST, DEFAULT_NAMESPACE, parts[0]]
      : parts.length === 2
        ? [DEFAULT_HOST, parts[0], parts[1]]
        : parts.length === 3
          ? parts
          : [];
  const place = [host, namespace, model, tag];
  if (place.every((part) => part !== undefined && /^\w[\w.-]{0,79}$/.test(part))) return place.join("/");
  throw new AppError("invalid_request", `${name} is no name of a model.`, {
    hint: "Write it as ollama list shows it, such as llama3.2:3b.",
  });
}
