import { isIP } from "node:net";
import { rootCertificates } from "node:tls";
import type { Destination } from "./destination.ts";
import { FetchFault } from "./fetch-fault.ts";

const ADDRESSES_TRIED = 4;
const UNTRUSTED = /^(ERR_TLS|ERR_SSL|UNABLE_TO_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|EPROTO)/;

/** Sends one request to one of a destination's own addresses. Follows nothing, unpacks nothing. */
export type Connect = (
  destination: Destination,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<Response>;

/** Trusts what the runtime trusts, and these authorities (PEM) beside it. */
export function createConnect(certificateAuthorities: readonly string[]): Connect {
  const ca =
    certificateAuthorities.length === 0 ? undefined : [...rootCertificates, ...certificateAuthorities];
  return async ({ url, addresses }, headers, signal) => {
    let fault: FetchFault | undefined;
    for (const address of addresses.slice(0, ADDRESSES_TRIED)) {
      try {
        return await fetch(at(url, address), {
          headers: { ...headers, host: url.host },
          signal,
          // The address is dialled, the name is what its certificate must be for.
          tls: { ...(ca && { ca }), ...(isIP(hostOf(url)) === 0 && { serverName: hostOf(url) }) },
          redirect: "manual",
          decompress: false,
          // Bun would send it through the proxy that HTTP_PROXY names, which then connects to wherever it likes.
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

/** What broke a connection, in words. */
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
