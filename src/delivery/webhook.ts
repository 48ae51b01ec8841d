import type { Delivery } from "../handover/handover.ts";
import { payloadOf } from "../handover/handover.ts";
import { allAuthorities } from "../lib/certificate-authorities.ts";
import { offWhileSealed, type Seal } from "../lib/seal/seal.ts";

interface WebhookOptions {
  seal: Seal;
  /** The hosts that the operator has named, each with its port where it is not the usual one. */
  hosts: readonly string[];
  /** Certificate authorities that are trusted besides the runtime's own, in PEM. */
  certificateAuthorities: readonly string[];
  timeoutMs: number;
}

/** Posts letters as JSON, to hosts that the operator has named and to no other. */
export function createWebhooks({ seal, hosts, certificateAuthorities, timeoutMs }: WebhookOptions): Delivery {
  const ca = allAuthorities(certificateAuthorities);
  const named = new Set(hosts.map((host) => host.toLowerCase()));
  const fault = (destination: string) => {
    const { host } = new URL(destination);
    if (seal.refusal("other", destination) !== undefined)
      return offWhileSealed("is a webhook, and these are");
    return named.has(host)
      ? undefined
      : `is on ${host}, which the server's setting hand_over_hosts does not name`;
  };
  return {
    takes: (destination) => /^https?:\/\//i.test(destination) && URL.canParse(destination),
    fault,
    async deliver(letter, destination) {
      const refusal = fault(destination);
      if (refusal !== undefined) throw new Error(`the webhook ${refusal}`);
      const response = await fetch(destination, {
        method: "POST",
        headers: { "content-type": "application/json", "user-agent": "Docent" },
        body: JSON.stringify(payloadOf(letter)),
        signal: AbortSignal.timeout(timeoutMs),
        // Whoever answers there must not send the conversation on to somewhere else.
        redirect: "manual",
        // Bun would use the proxy in HTTP_PROXY, which then connects wherever it likes.
        proxy: false,
        ...(ca && { tls: { ca } }),
      } satisfies BunFetchRequestInit);
      await response.body?.cancel();
      if (!response.ok) throw new Error(`the webhook replied with status ${response.status}`);
    },
  };
}
