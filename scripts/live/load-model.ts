import { readNdjson } from "../../src/models/ollama/client/chat.ts";
import type { ModelSource } from "./models.ts";
import { unpackFile } from "./packages.ts";

/** Makes a model on a server, as Ollama's own command line does: first its files, by hash, then the model. */
export async function loadModel(
  url: string,
  model: ModelSource,
  folder: string,
  untilMs: number,
): Promise<void> {
  const signal = AbortSignal.timeout(Math.max(1, untilMs - Date.now()));
  for (const { sha256, parts } of model.files) {
    const blob = `${url}/api/blobs/sha256:${sha256}`;
    if ((await fetch(blob, { method: "HEAD", signal })).ok) continue;
    const body = await unpackFile(parts, folder, untilMs);
    await expectOk(await fetch(blob, { method: "POST", body, signal }));
  }
  const { name, template, parameters } = model;
  const files = Object.fromEntries(model.files.map((file) => [file.name, `sha256:${file.sha256}`]));
  const body = JSON.stringify({ model: name, files, parameters, ...(template && { template }) });
  await expectSuccess(await expectOk(await fetch(`${url}/api/create`, { method: "POST", body, signal })));
}

async function expectOk(reply: Response): Promise<Response> {
  if (reply.ok) return reply;
  throw new Error(`${reply.url} answered ${reply.status}: ${await reply.text()}`);
}

/** Nearly every failure comes as a line of a reply with status 200. */
async function expectSuccess(reply: Response): Promise<void> {
  const lines: unknown[] = reply.body === null ? [] : await Array.fromAsync(readNdjson(reply.body));
  const last = JSON.stringify(lines.at(-1));
  if (last !== '{"status":"success"}') throw new Error(`the model was not made: ${last}`);
}
