import type { Seal } from "@docent/kernel/lib/seal/seal";
import { asRecord, asText, jsonIn } from "@docent/kernel/text/json";
import { OllamaFault } from "./faults.ts";

/** Adds models to an Ollama through its own API, which needs no way to its disk. Throws an OllamaFault for what it refuses. */
export interface OllamaPush {
  hasBlob(sha256: string): Promise<boolean>;
  /** Ollama checks that the content is what its digest says. */
  pushBlob(sha256: string, content: ReadableStream<Uint8Array>): Promise<void>;
  hasModel(name: string): Promise<boolean>;
  create(body: Readonly<Record<string, unknown>>): Promise<void>;
  copy(from: string, to: string): Promise<void>;
  /** Does nothing where there is no such model. */
  remove(name: string): Promise<void>;
}

interface PushOptions {
  baseUrl: string;
  seal: Seal;
  signal: AbortSignal;
}

type Sent = Pick<BunFetchRequestInit, "method" | "body">;

export function createOllamaPush({ baseUrl, seal, signal }: PushOptions): OllamaPush {
  async function send(path: string, sent: Sent, allowed: readonly number[] = []): Promise<Response> {
    const sealed = seal.refusal("ollama", baseUrl + path);
    if (sealed !== undefined) throw new OllamaFault("unreachable", sealed);
    // A large model takes long to be read and checked, and Ollama never redirects.
    const options = {
      ...sent,
      signal,
      timeout: false,
      proxy: false,
      redirect: "manual",
    } satisfies BunFetchRequestInit & {
      timeout: false;
    };
    const response = await fetch(baseUrl + path, options).catch((cause: unknown) => {
      signal.throwIfAborted();
      throw new OllamaFault("unreachable", `no connection to ${baseUrl}`, { cause });
    });
    if (response.ok || allowed.includes(response.status)) return response;
    throw await refused(path, response);
  }
  const post = (path: string, body: object) => send(path, { method: "POST", body: JSON.stringify(body) });

  return {
    async hasBlob(sha256) {
      return (await send(`/api/blobs/sha256:${sha256}`, { method: "HEAD" }, [404])).ok;
    },
    async pushBlob(sha256, content) {
      await drain(await send(`/api/blobs/sha256:${sha256}`, { method: "POST", body: content }));
    },
    async hasModel(name) {
      const body = JSON.stringify({ model: name });
      const response = await send("/api/show", { method: "POST", body }, [404]);
      await drain(response);
      return response.ok;
    },
    async create(body) {
      await drain(await post("/api/create", { ...body, stream: false }));
    },
    async copy(from, to) {
      await drain(await post("/api/copy", { source: from, destination: to }));
    },
    async remove(name) {
      const body = JSON.stringify({ model: name });
      await drain(await send("/api/delete", { method: "DELETE", body }, [404]));
    },
  };
}

async function drain(response: Response): Promise<void> {
  await response.body?.cancel();
}

async function refused(path: string, response: Response): Promise<OllamaFault> {
  const { status } = response;
  const text = (await response.text().catch(() => "")).slice(0, 2000);
  const said = asText(asRecord(jsonIn(text))["error"]);
  return new OllamaFault("status", `status ${status} at ${path}: ${said ?? text.trim()}`, {
    status,
    fromOllama: said !== undefined,
  });
}
