import { AppError } from "@docent/kernel/errors";
import { SECOND_MS } from "@docent/kernel/lib/clock";
import {
  createGuardedFetch,
  type GuardedRequest,
  type GuardedResponse,
} from "@docent/kernel/lib/guarded-fetch/guarded-fetch";
import type { Seal } from "@docent/kernel/lib/seal/seal";
import { SignInFault, wordsOf } from "../sign-in-fault.ts";
import type { ProviderSettings } from "../sign-in-file.ts";

/** No document of a provider, and no reply of it, is larger. */
const BYTES_MAX = 500_000;
const TOTAL_MS = 10 * SECOND_MS;
const IDLE_MS = 5 * SECOND_MS;
/** How many requests to one provider are under way at the same time. */
const AT_ONCE = 32;

/** What is asked of a provider. Nothing but its own hosts is dialled. */
export interface ProviderFetch {
  /** Whether an address is on a host of the provider. */
  isOwn(address: string): boolean;
  /** A document. Raises a SignInFault. */
  json(address: string): Promise<unknown>;
  /** The same bounds for whoever wants a `Response`. */
  respond(address: string, request: Omit<GuardedRequest, "signal">): Promise<Response>;
}

/** Fetches from the issuer's host, and from those that the operator named besides. */
export function createProviderFetch(
  settings: Pick<ProviderSettings, "name" | "issuer" | "hosts" | "certificate_authority">,
  certificateAuthorities: readonly string[],
  seal: Seal,
): ProviderFetch {
  const own = new URL(settings.issuer);
  const isSecure = own.protocol === "https:";
  const hosts = [hostWithPort(own), ...settings.hosts.map((each) => each.toLowerCase())];
  const names = hosts.map((each) => each.replace(/:\d+$/, ""));
  const { certificate_authority: authority } = settings;
  const ask = createGuardedFetch({
    seal,
    hosts,
    // The operator named them: an identity provider is most often in the same network.
    privateHosts: names.map((name) => name.replace(/^\[|\]$/g, "")),
    certificateAuthorities: [...certificateAuthorities, ...(authority === undefined ? [] : [authority])],
    bytesMax: BYTES_MAX,
    totalMs: TOTAL_MS,
    idleMs: IDLE_MS,
  });
  let running = 0;

  function isOwn(address: string): boolean {
    const url = URL.parse(address);
    if (url === null || (isSecure && url.protocol !== "https:") || url.username !== "") return false;
    return hosts.includes(hostWithPort(url)) || hosts.includes(url.hostname);
  }

  async function respond(address: string, request: Omit<GuardedRequest, "signal">): Promise<Response> {
    if (running >= AT_ONCE)
      throw new SignInFault("unavailable", `${settings.name} is asked too much at once`);
    if (!isOwn(address))
      throw new SignInFault("unavailable", `${settings.name} names an address that is not its own`);
    running++;
    try {
      const { signal } = new AbortController();
      return responseOf(await ask(address, { ...request, redirect: "manual", signal }));
    } catch (error) {
      throw new SignInFault("unavailable", `${settings.name} does not answer: ${wordsOf(error)}`);
    } finally {
      running--;
    }
  }

  return {
    isOwn,
    respond,
    async json(address) {
      const response = await respond(address, { headers: { accept: "application/json" } });
      if (response.status !== 200)
        throw new SignInFault("unavailable", `${settings.name} answers ${response.status} at ${address}`);
      try {
        return await response.json();
      } catch {
        throw new SignInFault("unavailable", `${settings.name} does not answer with JSON at ${address}`);
      }
    },
  };
}

/** What came, unpacked. */
function responseOf({ status, headers, body }: GuardedResponse): Response {
  const kept = new Headers(headers);
  for (const name of ["content-encoding", "content-length", "set-cookie"]) kept.delete(name);
  const isBodiless = status === 204 || status === 304;
  return new Response(isBodiless ? null : Buffer.from(body), { status, headers: kept });
}

const hostWithPort = (url: URL) =>
  `${url.hostname}:${url.port || (url.protocol === "https:" ? "443" : "80")}`;

/** What is told of a provider whose keys cannot be had, where a program asks. */
export const awayNow = (cause: unknown) =>
  new AppError("unavailable", "The provider that signs people in does not answer. Please try again.", {
    retryAfterSeconds: 10,
    cause: wordsOf(cause),
  });
