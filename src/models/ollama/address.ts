import { isIPv6 } from "node:net";
import { AppError } from "@docent/kernel/errors";

const DEFAULT_PORT = "11434";

/**
 * The base URL, without a trailing slash, for any text that OLLAMA_HOST may hold, read as Ollama reads it.
 * Addresses that only a server can listen on become those at which it is reached. Throws `invalid_request`,
 * naming the setting.
 */
export function parseOllamaHost(text: string, setting = "OLLAMA_HOST"): string {
  // Ollama strips the quotes that shells and unit files leave behind.
  const bare = text.trim().replace(/^["']+|(?<!["'])["']+$/g, "");
  const [, scheme = "", rest = ""] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/i.exec(bare) ?? [];
  const protocol = scheme === "" ? "http" : scheme.toLowerCase();
  if (protocol !== "http" && protocol !== "https") throw invalid(text, setting);
  const slash = rest.indexOf("/");
  const authority = slash < 0 ? rest : rest.slice(0, slash);
  const path = slash < 0 ? "" : rest.slice(slash).replace(/\/+$/, "");
  const defaultPort = scheme === "" ? DEFAULT_PORT : protocol === "https" ? "443" : "80";
  const { host, port } = splitAuthority(authority) ?? {};
  if (host === undefined || port === undefined) throw invalid(text, setting);
  const url = `${protocol}://${reachable(host)}:${validPort(port) ? port : defaultPort}${path}`;
  return normalized(url, text, setting);
}

function splitAuthority(authority: string): { host: string; port: string } | undefined {
  if (isIPv6(authority)) return { host: authority, port: "" };
  const parts = /^(?:\[([^\]]*)\]|([^:@[\]]*))(?::([^:@]*))?$/.exec(authority);
  if (parts === null) return undefined;
  const [, bracketed, name = "", port = ""] = parts;
  return { host: bracketed ?? name, port };
}

function reachable(host: string): string {
  if (host === "" || host === "0.0.0.0") return "127.0.0.1";
  if (!isIPv6(host)) return host;
  return /^[0:]+$/.test(host) ? "[::1]" : `[${host}]`;
}

function validPort(port: string): boolean {
  return /^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) <= 65_535;
}

function normalized(url: string, text: string, setting: string): string {
  if (!URL.canParse(url)) throw invalid(text, setting);
  const parsed = new URL(url);
  if (parsed.username !== "" || parsed.search !== "" || parsed.hash !== "") throw invalid(text, setting);
  return `${parsed.origin}${parsed.pathname}`.replace(/\/+$/, "");
}

function invalid(text: string, setting: string): AppError {
  // The text before an @ is a password.
  return new AppError("invalid_request", `${setting} is not an address: ${text.replace(/[^/]*@/, "…@")}`, {
    hint: "write it like 127.0.0.1:11434 or http://ollama.internal:11434",
  });
}

/**
 * The base URLs of all servers that share the questions: those of `ollama_urls`, or else the one of
 * OLLAMA_HOST. Throws `invalid_request` for an invalid entry.
 */
export function parseOllamaServers(urls: readonly string[], host: string): [string, ...string[]] {
  const [first, ...others] = new Set(urls.map((url) => parseOllamaHost(url, "ollama_urls")));
  return first === undefined ? [parseOllamaHost(host)] : [first, ...others];
}

/** Whether a base URL is of the machine that asks. */
export function isOfThisMachine(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
