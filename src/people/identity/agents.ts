import { AppError } from "@docent/kernel/errors";
import type { Identity } from "./identity.ts";
import type { Provider } from "./providers.ts";
import { wordsOf } from "./sign-in-fault.ts";

/** Programs that read for somebody, with an access token that a provider gave them. */
export interface Agents {
  /** Where their tokens come from. */
  issuers: readonly string[];
  /** What they ask a provider for, so that a token tells who it speaks for. */
  scopes: readonly string[];
  /**
   * Who a token speaks for that was sent to this address. Raises `unauthorized`, and `unavailable` where the provider's keys
   * cannot be had.
   */
  identify(token: string, resource: string): Promise<Identity>;
}

/** Agents of those providers that give tokens to some; undefined where none does. */
export function createAgents(providers: readonly Provider[]): Agents | undefined {
  const giving = providers.filter(({ mcpAudience }) => mcpAudience !== undefined);
  if (giving.length === 0) return undefined;
  const byIssuer = new Map(giving.map((each) => [each.issuer, each]));
  return {
    issuers: [...byIssuer.keys()],
    scopes: [...new Set(giving.flatMap(({ mcpScopes }) => mcpScopes))],
    async identify(token, resource) {
      const provider = byIssuer.get(await issuerIn(token));
      if (provider === undefined) throw noToken("it names an issuer that gives none to agents");
      return provider.verifyAccessToken(token, resource);
    },
  };
}

/** Who a token says that it is of. Nothing is believed for it: it tells whose keys are to verify it. */
async function issuerIn(token: string): Promise<string> {
  const { decodeJwt } = await import("jose");
  try {
    return decodeJwt(token).iss ?? "";
  } catch (error) {
    throw noToken(wordsOf(error));
  }
}

/** What is said of every token that is not believed, so that nobody learns why. */
export const noToken = (cause: string) =>
  new AppError("unauthorized", "This access token is not for this server, or has ended.", { cause });
