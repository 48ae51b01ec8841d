import { z } from "zod";
import { jsonReply } from "./fake-ollama-replies.ts";

const MODIFIED_AT = "2026-01-02T03:04:05.678901234Z";

/** A model that a fake Ollama has. */
export interface FakeModel {
  /** With its tag, as Ollama lists it. */
  name: string;
  /** `["completion"]` unless given. null: a server from before capabilities were told. */
  capabilities?: string[] | null;
  family?: string;
  /** What it was trained for; 32768 unless given, untold when null. */
  contextLength?: number | null;
  digest?: string;
  /** Its chat template; one without marks unless given. */
  template?: string;
  /** A model in the cloud, to which Ollama only passes on. */
  remoteHost?: string;
}

export function tagsReply(models: FakeModel[]) {
  return {
    models: models.map((model) => ({
      name: model.name,
      model: model.name,
      modified_at: MODIFIED_AT,
      size: 1000,
      digest: model.digest ?? `digest-of-${model.name}`,
      details: details(model),
      ...remote(model),
    })),
  };
}

/** The model of a name, which may leave its tag out. */
export function named(models: FakeModel[], name: string): FakeModel | undefined {
  const tagged = name.includes(":") ? name : `${name}:latest`;
  return models.find((model) => model.name === tagged);
}

/** What is in memory, each with the context that it was loaded with. */
export function psReply(models: FakeModel[], loaded: ReadonlyMap<string, number>) {
  const running = models.filter(({ name }) => loaded.has(name));
  return {
    models: running.map((model) => ({
      name: model.name,
      model: model.name,
      size: 2000,
      digest: model.digest ?? `digest-of-${model.name}`,
      details: details(model),
      expires_at: "2026-01-02T03:34:05.678901234Z",
      size_vram: 0,
      context_length: loaded.get(model.name),
    })),
  };
}

/** Undefined for a model that is not there. */
export function showReply(models: FakeModel[], body: unknown): Response | undefined {
  const asked = z.object({ model: z.string() }).safeParse(body);
  const model = asked.success ? named(models, asked.data.model) : undefined;
  if (model === undefined) return undefined;
  const { capabilities = ["completion"], contextLength = 32_768, family = "llama" } = model;
  const { template = "{{ .Prompt }}" } = model;
  return jsonReply({
    modelfile: "FROM ./model.gguf",
    template,
    details: details(model),
    model_info: {
      "general.architecture": family,
      "general.parameter_count": 1_000_000,
      ...(contextLength === null ? {} : { [`${family}.context_length`]: contextLength }),
    },
    ...(capabilities === null ? {} : { capabilities }),
    modified_at: MODIFIED_AT,
    ...remote(model),
  });
}

function details({ family = "llama" }: FakeModel) {
  return {
    parent_model: "",
    format: "gguf",
    family,
    families: [family],
    parameter_size: "1M",
    quantization_level: "F16",
  };
}

function remote({ name, remoteHost }: FakeModel) {
  return remoteHost === undefined ? {} : { remote_model: name, remote_host: remoteHost };
}
