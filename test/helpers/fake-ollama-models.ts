import { z } from "zod";

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
  /** A model in the cloud, to which Ollama only passes on. */
  remoteHost?: string;
}

export function tagsReply(models: FakeModel[]) {
  return {
    models: models.map((model) => ({
      name: model.name,
      model: model.name,
      modified_at: "2026-01-02T03:04:05.678901234Z",
      size: 1000,
      digest: model.digest ?? `digest-of-${model.name}`,
      details: details(model),
      ...remote(model),
    })),
  };
}

/** Undefined for a model that is not there. */
export function showReply(models: FakeModel[], body: unknown): Response | undefined {
  const asked = z.object({ model: z.string() }).safeParse(body);
  const model = models.find(({ name }) => name === asked.data?.model);
  if (model === undefined) return undefined;
  const { capabilities = ["completion"], contextLength = 32_768, family = "llama" } = model;
  return Response.json({
    modelfile: "FROM ./model.gguf",
    template: "{{ .Prompt }}",
    details: details(model),
    model_info: {
      "general.architecture": family,
      "general.parameter_count": 1_000_000,
      ...(contextLength === null ? {} : { [`${family}.context_length`]: contextLength }),
    },
    ...(capabilities === null ? {} : { capabilities }),
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
