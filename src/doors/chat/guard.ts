import { AppError } from "@docent/kernel/errors";
import type { Clock } from "@docent/kernel/lib/clock";
import { hashSecret } from "@docent/kernel/lib/secrets";
import type { OnceStore } from "@docent/people/identity/stores";
import type { Site } from "@docent/sites/site/sites";
import type { GuardDeps } from "../guard/guard.ts";
import type { Guard } from "../operation.ts";
import { readText } from "../request/body.ts";
import type { ChatDialect, Sight } from "./dialect.ts";
import type { ChatSecrets } from "./secrets.ts";
import { SIGNED_WITHIN_MS } from "./slack.ts";

/** No command of a chat is as long. */
export const POST_BYTES_MAX = 100_000;

interface ChatGuardDeps {
  guard: Pick<GuardDeps, "directory">;
  secrets: ChatSecrets;
  /** Remembers signed posts, with all servers that share the database: whoever listened in may send none again. */
  once: OnceStore;
  bounds: { milliseconds: number };
  clock: Clock;
}

/** A post of a chat, for which its secret vouches. */
export interface ChatGuarded {
  site: Site;
  sight: Sight;
  /** The body as it arrived. */
  text: string;
}

/**
 * Lets in what a chat of the site has sent. What a signature is over is the body, so that it is read here, within its
 * bounds. A stranger is told the same whether there is no such site, or its chat is off, or the secret is another.
 */
export function chatGuard(
  { guard, secrets, once, bounds, clock }: ChatGuardDeps,
  dialect: ChatDialect,
): Guard<ChatGuarded> {
  return {
    opens: "none",
    note: `A secret of ${dialect.title} opens it, which the operator names in \`chat_variables\`, where the site's setting \`chat\` is on.`,
    errors: ["unauthorized", "internal", "unavailable"],
    async admit({ request, params, signal }) {
      const text = await readText(request, { ...bounds, bytesMax: POST_BYTES_MAX, signal });
      const site = guard.directory.byDomain(params["domain"] ?? "");
      const sight = site?.settings.chat ?? "off";
      if (!site || sight === "off") throw refused();
      const post = { headers: request.headers, text, nowMs: clock() };
      if (!secrets.of(site.domain, dialect.name).some((secret) => dialect.isFrom(post, secret)))
        throw refused();
      const signature = dialect.signatureOf?.(post);
      if (signature !== undefined && !(await once.use(hashOf(signature), post.nowMs, lastUse(post.nowMs))))
        throw refused();
      return { site, sight, text };
    },
  };
}

const hashOf = (signature: string) => hashSecret(`chat ${signature}`);
/** A signature's time may be ahead of ours, and as far behind it. */
const lastUse = (nowMs: number) => nowMs + 2 * SIGNED_WITHIN_MS;

const refused = () =>
  new AppError("unauthorized", "This is for a chat of the site, and its secret or signature is not good.");
