import { join } from "node:path";
import type { Program } from "./processes.ts";

const DOCS = join(import.meta.dir, "../../docs");
const QUESTION = "How do I add a site and read my docs into it?";

/** No limit ends a measurement. The counters of the hour and the day are at work, far from their end. */
export const UNHINDERED = {
  organization_messages_per_hour: "1000000000",
  address_messages_per_day: "1000000000",
  address_messages_per_minute: "0",
  address_streams: "0",
};

/** A site with Docent's own documentation in a new data directory. Returns its key. */
export async function prepareSite(program: Program, data: string): Promise<string> {
  await program.run("sites", "add", "bench", "--data", data);
  await program.run("ingest", "bench", DOCS, "--data", data);
  return program.run("keys", "create", "--site", "bench", "--data", data);
}

/** A request to a server's site, as a browser's client would send it. */
export function post(url: string, key: string, body: unknown) {
  return {
    url: `${url}/v1/assistant/bench/message`,
    method: "POST" as const,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  };
}

/** The question that every measurement asks. */
export const ask = (url: string, key: string) =>
  post(url, key, { fp: "bench", messages: [{ id: "1", role: "user", content: QUESTION, parts: [] }] });
