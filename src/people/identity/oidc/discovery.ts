import { type Clock, HOUR_MS, SECOND_MS, sinceMs } from "@docent/kernel/lib/clock";
import type { Log } from "@docent/kernel/lib/log";
import { z } from "zod";
import { SignInFault, wordsOf } from "../sign-in-fault.ts";
import type { ProviderSettings } from "../sign-in-file.ts";
import type { ProviderFetch } from "./provider-fetch.ts";

const FRESH_MS = HOUR_MS;
/** After a failure nothing is asked for so long: each stranger's click would be another wait. */
const PAUSE_MS = 5 * SECOND_MS;

const address = z.string().max(2000);
const metadataSchema = z.object({
  issuer: address,
  authorization_endpoint: address,
  token_endpoint: address,
  jwks_uri: address,
  userinfo_endpoint: address.optional(),
  end_session_endpoint: address.optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).max(100).optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
  backchannel_logout_supported: z.boolean().optional(),
});
/** What a provider says of itself, as far as it is used. */
export type Metadata = z.output<typeof metadataSchema>;

/** Addresses that the provider has to have on its own hosts: they are dialled, or browsers are sent there. */
const ENDPOINTS = ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const;
/** What is done without, where it is elsewhere. */
const OPTIONAL_ENDPOINTS = ["userinfo_endpoint", "end_session_endpoint"] as const;

interface DiscoveryDeps {
  settings: Pick<ProviderSettings, "name" | "issuer">;
  fetch: Pick<ProviderFetch, "json" | "isOwn">;
  clock: Clock;
  log: Log;
}

/** What changes. */
interface State {
  known: { metadata: Metadata; at: number } | undefined;
  failed: { fault: unknown; at: number } | undefined;
  asking: Promise<Metadata> | undefined;
}

/**
 * Reads a provider's discovery document when it is first needed, and again after an hour. Where the provider does not answer
 * then, what was read before goes on. Raises a SignInFault where nothing was.
 */
export function createDiscovery(deps: DiscoveryDeps): () => Promise<Metadata> {
  const state: State = { known: undefined, failed: undefined, asking: undefined };
  const { clock, log, settings } = deps;

  async function ask(): Promise<Metadata> {
    try {
      const metadata = await read(deps);
      Object.assign(state, { known: { metadata, at: clock() }, failed: undefined } satisfies Partial<State>);
      return metadata;
    } catch (fault) {
      state.failed = { fault, at: clock() };
      if (state.known === undefined) throw fault;
      log.warn("a provider's discovery document could not be read again", {
        provider: settings.name,
        reason: wordsOf(fault),
      });
      return state.known.metadata;
    } finally {
      state.asking = undefined;
    }
  }

  return async () => {
    const { known, failed } = state;
    if (known !== undefined && sinceMs(clock, known.at) < FRESH_MS) return known.metadata;
    if (failed !== undefined && sinceMs(clock, failed.at) < PAUSE_MS) {
      if (known !== undefined) return known.metadata;
      throw failed.fault;
    }
    state.asking ??= ask();
    return state.asking;
  };
}

async function read({ settings, fetch }: DiscoveryDeps): Promise<Metadata> {
  const { name, issuer } = settings;
  const at = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const { success, data, error } = metadataSchema.safeParse(await fetch.json(at));
  if (!success)
    throw new SignInFault(
      "unavailable",
      `${name}: ${at} is no discovery document: ${error.issues[0]?.message}`,
    );
  if (data.issuer !== issuer)
    throw new SignInFault(
      "unavailable",
      `${name}: its discovery document says that its issuer is ${data.issuer}: write that as issuer, if it is right`,
    );
  for (const endpoint of ENDPOINTS)
    if (!fetch.isOwn(data[endpoint]))
      throw new SignInFault(
        "unavailable",
        `${name}: its ${endpoint} is ${data[endpoint]}, on another host: name that host under hosts, if it is right`,
      );
  const elsewhere = OPTIONAL_ENDPOINTS.filter((each) => data[each] !== undefined && !fetch.isOwn(data[each]));
  return { ...data, ...Object.fromEntries(elsewhere.map((each) => [each, undefined])) };
}
