import { isIP } from "node:net";
import { allAuthorities } from "../certificate-authorities.ts";
import type { Destination } from "./destination.ts";
import { FetchFault } from "./fetch-fault.ts";

const ADDRESSES_TRIED = 4;
const UNTRUSTED = /^(ERR_TLS|ERR_SSL|UNABLE_TO_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|EPROTO)/;

/** A request as it is sent. */
interface Sent {
  method: "GET" | "HEAD" | "POST";
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
}

/**
 * Sends one request to one of a destination's checked addresses. Follows no redirect, decompresses nothing.
 */
type Connect = (destination: Destination, request: Sent, signal: AbortSignal) => Promise<Response>;

/** Trusts the runtime's certificate authorities and these (PEM). */
export function createConnect(certificateAuthorities: readonly string[]): Connect {
  const ca = allAuthorities(certificateAuthorities);
  return async ({ url, addresses }, { method, headers, body }, signal) => {
    let fault: FetchFault | undefined;
    for (const address of addresses.slice(0, ADDRESSES_TRIED)) {
      try {
        return await fetch(at(url, address), {
          method,
          headers: { ...headers, host: url.host },
          ...(body === undefined ? {} : { body }),
          signal,
          // Dials the address; the certificate must be for the name.
          tls: { ...(ca && { ca }), ...(isIP(hostOf(url)) === 0 && { serverName: hostOf(url) }) },
          redirect: "manual",
          decompress: false,
          // Bun would use the proxy in HTTP_PROXY, which then connects wherever it likes.
          proxy: false,
          timeout: false,
        } satisfies BunFetchRequestInit & { timeout: false });
      } catch (cause) {
        if (signal.aborted) throw signal.reason;
        fault = faultOf(cause, url);
        if (fault.kind !== "unreachable") break;
      }
    }
    throw fault ?? new FetchFault("unreachable", `${url.host} has no address`);
  };
}

/** Explains in words why a connection failed. */
export function faultOf(cause: unknown, url: URL): FetchFault {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (UNTRUSTED.test(code))
    return new FetchFault(
      "tls",
      `the certificate of ${url.host} is not trusted (${code}): if it comes from your own authority, name that in certificate_authorities`,
      cause,
    );
  if (code.startsWith("Malformed"))
    return new FetchFault("protocol", `${url.host} does not speak HTTP`, cause);
  const what = code === "ECONNRESET" ? "broke the connection" : "cannot be reached";
  return new FetchFault("unreachable", `${url.host} ${what}`, cause);
}

const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, "");

function at(url: URL, address: string): string {
  const dialled = new URL(url);
  dialled.hostname = isIP(address) === 6 ? `[${address}]` : address;
  return dialled.href;
}
