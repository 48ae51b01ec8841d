import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "@docent/kernel/config/settings";
import { publicUrlOf } from "./addresses.ts";

const FILE = "server.address";

/**
 * Notes in the data directory where readers reach the server that uses it: commands beside it may have been given another
 * port, or none. `forget` is for a server that ends.
 */
export function noteServedAddress(directory: string, url: string): { forget(): void } {
  const file = join(directory, FILE);
  attempt(() => writeFileSync(file, `${url}\n`, { mode: 0o600 }));
  return { forget: () => attempt(() => rmSync(file, { force: true })) };
}

/** The address of links that a command prints: the one that is configured, the running server's, or the likely one. */
export function publicUrlHere(config: Config): string {
  return config.public_url === "" ? (notedAddress(config.data) ?? publicUrlOf(config)) : publicUrlOf(config);
}

function notedAddress(directory: string): string | undefined {
  const text = attempt(() => readFileSync(join(directory, FILE), "utf8").trim());
  return text !== undefined && /^https?:\/\//.test(text) && URL.canParse(text) ? text : undefined;
}

/** Writes or reads the noted address, a convenience: a directory that cannot be written is no reason to stop. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
