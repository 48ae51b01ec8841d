import { mkdir, readFile, writeFile } from "node:fs/promises";
import { isIP } from "node:net";
import { join } from "node:path";
import { getCACertificates } from "node:tls";
import { AppError } from "@docent/kernel/errors";
import { FetchFault } from "@docent/kernel/lib/guarded-fetch/fetch-fault";
import {
  createHostAddresses,
  type Resolve,
  systemResolve,
} from "@docent/kernel/lib/guarded-fetch/host-addresses";
import { type GitLocation, maskCredentials } from "../../git-location.ts";
import { unreadable } from "../http-fault.ts";
import type { GitEnvironment } from "./environment.ts";

/** What of the network git may reach, and whom it trusts there. */
export interface GitNetwork {
  /** Host names, addresses and networks that the operator allows although they are private. */
  privateHosts: readonly string[];
  /** PEM certificates that are trusted beside the usual ones. */
  certificateAuthorities: readonly string[];
  resolve?: Resolve;
}

/**
 * The addresses of a repository's host. Raises `forbidden` where one is private and was not named. Empty where this
 * machine does not know the name: a proxy may, and ssh has names of its own, which its user wrote down.
 */
export async function addressesOf(location: GitLocation, network: GitNetwork): Promise<string[]> {
  if (location.kind === "local") return [];
  const { privateHosts, resolve = systemResolve } = network;
  try {
    return await createHostAddresses({ privateHosts, resolve })(location.host);
  } catch (cause) {
    if (cause instanceof FetchFault && cause.kind === "unreachable") return [];
    throw unreadable(maskCredentials(location.url), cause);
  }
}

/** What makes git connect to the addresses that were checked, whatever the name stands for a moment later. */
export function pinned(location: GitLocation, addresses: string[]): [name: string, value: string][] {
  if (location.kind === "local" || location.protocol === "ssh" || addresses.length === 0) return [];
  const { hostname, port } = new URL(location.url);
  if (isIP(hostname.replace(/^\[|\]$/g, "")) !== 0) return [];
  const at = addresses.map((address) => (isIP(address) === 6 ? `[${address}]` : address));
  return [["http.curloptResolve", `${hostname}:${port || "443"}:${at.join(",")}`]];
}

/**
 * A file of all that is trusted, where there is more than the usual: the one that git is given takes the place of the
 * machine's own, or of the one that git's own variable names.
 */
export async function writeAuthorities(
  folder: string,
  { certificateAuthorities }: GitNetwork,
  environment: GitEnvironment,
): Promise<string | undefined> {
  if (certificateAuthorities.length === 0) return undefined;
  const named = environment["GIT_SSL_CAINFO"];
  const usual = named ? [await readNamed(named)] : usualAuthorities();
  const file = join(folder, "authorities.pem");
  await mkdir(folder, { recursive: true });
  await writeFile(file, [...usual, ...certificateAuthorities].map((pem) => `${pem.trim()}\n`).join(""));
  return file;
}

const usualAuthorities = () => [
  ...new Set([...getCACertificates("default"), ...getCACertificates("system")]),
];

function readNamed(file: string): Promise<string> {
  return readFile(file, "utf8").catch((cause) => {
    throw new AppError("invalid_request", `GIT_SSL_CAINFO: ${file} cannot be read.`, { cause });
  });
}
