import { AppError } from "@docent/kernel/errors";
import type { OllamaPush } from "@docent/models/ollama/ollama";
import type { ModelPlace, NewModel } from "../bundle/bundle.ts";
import { asStream } from "../bundle/bundle.ts";

/** What a layer of a model is, by the end of its media type, and how Ollama is told of it. */
const IMAGE = "application/vnd.ollama.image.";

/**
 * Models that are added through Ollama's own API. It may write a model's file anew, so that its digest is another than
 * where it came from; parts that nothing names any more it removes itself, at its next start.
 */
export function modelsOfOllama(push: OllamaPush, id: () => string): ModelPlace {
  return {
    has: (sha256) => said(push.hasBlob(sha256)),
    put: (sha256, content) => said(push.pushBlob(sha256, asStream(content))),
    async add(model, undo) {
      const before = (await said(push.hasModel(model.name))) ? `docent-before-${id()}` : null;
      await undo.note({ kind: "model", name: model.name, before });
      if (before !== null) await said(push.copy(model.name, before));
      await said(push.create(await createBody(model)));
    },
    async takeBack({ name, before }) {
      if (before === null) return said(push.remove(name));
      // Broken off before the copy was made, the model is the one that was there.
      if (!(await said(push.hasModel(before)))) return;
      await said(push.copy(before, name));
      await said(push.remove(before));
    },
    async settle(steps) {
      for (const step of steps)
        if (step.kind === "model" && step.before !== null) await said(push.remove(step.before));
    },
  };
}

/** What a fault of Ollama's means for whoever installs. */
async function said<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof AppError || !(cause instanceof Error)) throw cause;
    throw new AppError("unavailable", `Ollama did not take the model: ${cause.message}`, {
      hint: "Check that Ollama runs, and ollama_host. Where its folder is on this machine, name it with --models-folder.",
      cause,
    });
  }
}

/** The request that makes a model of its parts, which Ollama has by then. */
async function createBody({ name, manifest, readLayer }: NewModel): Promise<Record<string, unknown>> {
  const files: Record<string, string> = {};
  const adapters: Record<string, string> = {};
  const body: Record<string, unknown> = { model: name };
  const licenses: string[] = [];
  for (const { mediaType, digest } of manifest.layers) {
    const kind = mediaType.startsWith(IMAGE) ? mediaType.slice(IMAGE.length) : mediaType;
    const text = () => readLayer(digest.replace("sha256:", ""));
    switch (kind) {
      case "model":
      case "projector":
        files[`${kind}-${Object.keys(files).length}.gguf`] = digest;
        break;
      case "adapter":
        adapters[`adapter-${Object.keys(adapters).length}.gguf`] = digest;
        break;
      case "template":
      case "system":
        body[kind] = await text();
        break;
      case "license":
        licenses.push(await text());
        break;
      case "params":
        body["parameters"] = JSON.parse(await text());
        break;
      case "messages":
        body["messages"] = JSON.parse(await text());
        break;
      default:
        throw new AppError(
          "invalid_request",
          `The model ${name} has a part of a kind that is not known: ${mediaType}.`,
          {
            hint: "Name Ollama's folder with --models-folder: there it is copied as it is.",
          },
        );
    }
  }
  return {
    ...body,
    files,
    ...(Object.keys(adapters).length > 0 && { adapters }),
    ...(licenses.length > 0 && { license: licenses }),
  };
}
