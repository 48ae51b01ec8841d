import { join } from "node:path";
import type { Program } from "./processes.ts";

const DOCS = join(import.meta.dir, "../../docs");
const QUESTION = "How do I add a site and read my docs into it?";

/**
 * Settings under which nothing interferes: the limits count but are never reached, no answer comes from the
 * cache (the same question is asked again and again), and none is declined.
 */
export const UNHINDERED = {
  organization_messages_per_hour: "1000000000",
  address_messages_per_day: "1000000000",
  address_messages_per_minute: "0",
  reader_messages_per_minute: "0",
  address_streams: "0",
  answer_cache_answers: "0",
  relevance_min: "0",
  // A connection waits while a real model answers on the other one.
  connection_idle_seconds: "255",
};

/** Makes a site with Docent's own documentation in a data directory. Returns its key. */
export async function prepareSite(program: Program, data: string, domain = "bench"): Promise<string> {
  await program.run("sites", "add", domain, "--data", data);
  await program.run("ingest", domain, DOCS, "--data", data);
  return program.run("keys", "create", "--site", domain, "--data", data);
}

/** A request to a server's site, as a browser client sends it. */
export function post(url: string, key: string, body: unknown, domain = "bench") {
  return {
    url: `${url}/v1/assistant/${domain}/message`,
    method: "POST" as const,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  };
}

/** A first question from a reader with that fingerprint. */
export const question = (text: string, fp = "bench") => ({
  fp,
  messages: [{ id: "1", role: "user", content: text, parts: [] }],
});

/** The question that every measurement asks. */
export const ask = (url: string, key: string) => post(url, key, question(QUESTION));
