import { allAuthorities } from "@docent/kernel/lib/certificate-authorities";
import { offWhileSealed, type Seal } from "@docent/kernel/lib/seal/seal";

export interface PostOptions {
  seal: Seal;
  /** The hosts that the operator has named, each with its port where it is not the usual one. */
  hosts: readonly string[];
  /** Certificate authorities that are trusted besides the runtime's own, in PEM. */
  certificateAuthorities: readonly string[];
  timeoutMs: number;
}

/** Posts JSON to hosts that the operator has named, and to no other. */
export function createPost({ seal, hosts, certificateAuthorities, timeoutMs }: PostOptions) {
  const ca = allAuthorities(certificateAuthorities);
  const named = new Set(hosts.map((host) => host.toLowerCase()));
  const fault = (address: string) => {
    const { host } = new URL(address);
    if (seal.refusal("other", address) !== undefined) return offWhileSealed("is a webhook, and these are");
    return named.has(host)
      ? undefined
      : `is on ${host}, which the server's setting hand_over_hosts does not name`;
  };
  return {
    isAddress: (text: string) => /^https?:\/\//i.test(text) && URL.canParse(text),
    fault,
    /** Returns the status that came back. */
    async send(
      address: string,
      body: string,
      headers: Record<string, string> = {},
      signal?: AbortSignal,
      method: "POST" | "PATCH" = "POST",
    ) {
      const refusal = fault(address);
      if (refusal !== undefined) throw new Error(`the webhook ${refusal}`);
      const timeout = AbortSignal.timeout(timeoutMs);
      const response = await fetch(address, {
        method,
        headers: { "content-type": "application/json", "user-agent": "Docent", ...headers },
        body,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        // Whoever answers there must not send it on to somewhere else.
        redirect: "manual",
        // Bun would use the proxy in HTTP_PROXY, which then connects wherever it likes.
        proxy: false,
        ...(ca && { tls: { ca } }),
      } satisfies BunFetchRequestInit);
      await response.body?.cancel();
      return { isTaken: response.ok, status: response.status };
    },
  };
}

export type Post = ReturnType<typeof createPost>;
