import type { Config } from "@docent/kernel/config/settings";
import { type KernelSeal, sealByKernel } from "@docent/kernel/lib/seal/landlock";
import { type Admitted, createSeal, type Seal, UNSEALED } from "@docent/kernel/lib/seal/seal";
import { parseOllamaServers } from "@docent/models/ollama/ollama";
import type { Surroundings } from "./surroundings.ts";

type SealSettings = Pick<Config, "sealed" | "ollama_host" | "ollama_urls" | "database_url">;

const POSTGRES_PORT = 5432;

/** What holds the process of these settings back from the network. Raises `invalid_request` for an address that is none. */
export const openSeal = ({ config }: Pick<Surroundings, "config">): Seal =>
  config.sealed === "on" ? createSeal(admittedBy(config)) : UNSEALED;

/**
 * Has the kernel hold this process back as its settings say, for good. Undefined where they do not seal it. To be called
 * before anything else is done.
 */
export function sealProcess(config: SealSettings, platform: string): KernelSeal | undefined {
  if (config.sealed === "off") return undefined;
  return sealByKernel([...new Set(admittedBy(config).map(({ port }) => port))], platform);
}

/** Where a server connects to, sealed or not: Ollama, and the database where it is elsewhere. */
export function admittedBy(config: SealSettings): Admitted[] {
  return [...ollamas(config), ...database(config)];
}

function ollamas({ ollama_urls, ollama_host }: SealSettings): Admitted[] {
  const setting = ollama_urls.length > 0 ? "ollama_urls" : "ollama_host";
  return parseOllamaServers(ollama_urls, ollama_host).map((address) => {
    const { hostname, port, protocol } = new URL(address);
    return {
      purpose: "ollama",
      setting,
      host: hostname,
      port: Number(port || (protocol === "https:" ? 443 : 80)),
    };
  });
}

/** None for a socket of this machine, which is a file. */
function database({ database_url }: SealSettings): Admitted[] {
  const url = URL.parse(database_url);
  if (url === null || url.searchParams.has("path")) return [];
  const { hostname, port } = url;
  return [
    {
      purpose: "database",
      setting: "database_url",
      host: hostname || "localhost",
      port: Number(port || POSTGRES_PORT),
    },
  ];
}
