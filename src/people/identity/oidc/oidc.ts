import { type Clock, SECOND_MS, systemClock } from "@docent/kernel/lib/clock";
import type { Ids } from "@docent/kernel/lib/ids";
import type { Log } from "@docent/kernel/lib/log";
import type { Seal } from "@docent/kernel/lib/seal/seal";
import type { Configuration, IDToken } from "openid-client";
import { ASYMMETRIC_ALGORITHMS } from "../algorithms.ts";
import type { KeptState } from "../kept-state.ts";
import type { Provided, Provider } from "../providers.ts";
import { SignInFault, wordsOf } from "../sign-in-fault.ts";
import type { ProviderSettings } from "../sign-in-file.ts";
import { claimAt, identityOf } from "./claims.ts";
import { createDiscovery, type Metadata } from "./discovery.ts";
import { createProviderKeys, type ProviderKeys } from "./keys.ts";
import { createProviderFetch, type ProviderFetch } from "./provider-fetch.ts";
import { readAccessToken, readLogoutToken } from "./tokens.ts";

type Client = typeof import("openid-client");

/** Of an address that a browser is sent to, an ID token takes no more. */
const ID_TOKEN_CHARACTERS_MAX = 3000;
const SID_CHARACTERS_MAX = 500;
/** A refresh token is for the agent to ask for, and nothing that reading needs. */
const OFFLINE = "offline_access";
/** What a provider answers where whoever signs in said no, or may not; anything else is between it and this server. */
const PERSONS = /^(?:access_denied|(?:login|interaction|consent|account_selection)_required)$/;

interface ProviderOptions {
  settings: ProviderSettings;
  certificateAuthorities: readonly string[];
  seal: Seal;
  clock: Clock;
  ids: Ids;
  log: Log;
}

/** What the steps of one provider work with. */
interface Opened {
  settings: ProviderSettings;
  fetch: ProviderFetch;
  metadata: () => Promise<Metadata>;
  keys: ProviderKeys;
  clock: Clock;
  ids: Ids;
}

/** A provider as the file names it. Nothing is asked of it before somebody comes. */
export function createProvider({
  settings,
  certificateAuthorities,
  seal,
  clock,
  ids,
  log,
}: ProviderOptions): Provider {
  const fetch = createProviderFetch(settings, certificateAuthorities, seal);
  const metadata = createDiscovery({ settings, fetch, clock, log });
  const keys = createProviderKeys({ load: async () => fetch.json((await metadata()).jwks_uri), clock });
  const opened: Opened = { settings, fetch, metadata, keys, clock, ids };
  return {
    name: settings.name,
    label: settings.label,
    issuer: settings.issuer,
    members: settings.members,
    readers: settings.readers,
    mcpAudience: settings.mcp_audience,
    mcpScopes: settings.mcp_scopes ?? settings.scopes.filter((scope) => scope !== OFFLINE),
    begin: (asked) => begin(opened, asked),
    finish: (callback, kept) => finish(opened, callback, kept),
    logoutUrl: (asked) => logoutUrl(opened, asked),
    tellsOfLogout: async () => (await metadata()).backchannel_logout_supported === true,
    readLogoutToken: (token) => readLogoutToken(settings, keys, token),
    verifyAccessToken: (token, resource) => readAccessToken(settings, keys, { token, resource }),
  };
}

async function begin(
  opened: Opened,
  { purpose, returnTo, redirectUri }: Parameters<Provider["begin"]>[0],
): ReturnType<Provider["begin"]> {
  const { settings, ids } = opened;
  const { client, config } = await configured(opened);
  const [state, nonce, codeVerifier] = [ids.key(""), ids.key(""), ids.key(ids.key(""))];
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    response_type: "code",
    scope: settings.scopes.join(" "),
    state,
    nonce,
    code_challenge: new Bun.CryptoHasher("sha256").update(codeVerifier).digest("base64url"),
    code_challenge_method: "S256",
  });
  return { url: url.href, kept: { provider: settings.name, purpose, state, nonce, codeVerifier, returnTo } };
}

async function finish(opened: Opened, callback: URL, kept: KeptState): Promise<Provided> {
  const { settings, keys } = opened;
  const { client, config } = await configured(opened);
  try {
    const tokens = await client.authorizationCodeGrant(config, callback, {
      pkceCodeVerifier: kept.codeVerifier,
      expectedState: kept.state,
      expectedNonce: kept.nonce,
      idTokenExpected: true,
    });
    const idToken = tokens.id_token ?? "";
    // What came over TLS would do for the specification: whoever stands between has no key of the provider's.
    const { payload } = await keys.verifyOwn(idToken, {
      issuer: settings.issuer,
      audience: settings.client_id,
      requiredClaims: ["exp", "iat", "sub", "nonce"],
      clockTolerance: settings.clock_skew_seconds,
    });
    const claims = {
      ...(await moreClaims(opened, config, tokens.access_token, tokens.claims())),
      ...payload,
    };
    const { sid } = payload;
    return {
      identity: identityOf(settings, claims),
      sid: typeof sid === "string" && sid.length <= SID_CHARACTERS_MAX ? sid : undefined,
      idToken: idToken.length <= ID_TOKEN_CHARACTERS_MAX ? idToken : undefined,
    };
  } catch (error) {
    throw faultOf(settings, client, error);
  }
}

/** What the provider tells of somebody only when it is asked, where the ID token names no groups. */
async function moreClaims(
  { settings, metadata }: Opened,
  config: Configuration,
  accessToken: string,
  claims: IDToken | undefined,
): Promise<Record<string, unknown>> {
  const { userinfo_endpoint } = await metadata();
  if (claims === undefined || userinfo_endpoint === undefined) return {};
  if (claimAt(claims, settings.groups_claim) !== undefined) return {};
  const { fetchUserInfo } = await import("openid-client");
  return fetchUserInfo(config, accessToken, claims.sub);
}

async function logoutUrl(
  { settings, metadata }: Opened,
  { idToken, returnTo }: Parameters<Provider["logoutUrl"]>[0],
): Promise<string | undefined> {
  const { end_session_endpoint } = await metadata();
  if (end_session_endpoint === undefined) return undefined;
  const url = new URL(end_session_endpoint);
  url.searchParams.set("client_id", settings.client_id);
  url.searchParams.set("post_logout_redirect_uri", returnTo);
  if (idToken !== undefined) url.searchParams.set("id_token_hint", idToken);
  return url.href;
}

/** The library with what it needs to know of the provider. It is loaded when the first one comes. */
async function configured({ settings, metadata, fetch, clock }: Opened) {
  const [client, known] = await Promise.all([import("openid-client"), metadata()]);
  const { client_secret: secret } = settings;
  const methods = known.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const authentication =
    secret === undefined
      ? client.None()
      : methods.includes("client_secret_basic") || !methods.includes("client_secret_post")
        ? client.ClientSecretBasic(secret)
        : client.ClientSecretPost(secret);
  const config = new client.Configuration(
    {
      ...defined(known),
      issuer: known.issuer,
      id_token_signing_alg_values_supported: [...ASYMMETRIC_ALGORITHMS],
    },
    settings.client_id,
    {
      [client.clockSkew]: Math.round((clock() - systemClock()) / SECOND_MS),
      [client.clockTolerance]: settings.clock_skew_seconds,
    },
    authentication,
  );
  // The addresses were checked: only an issuer on this machine itself may do without TLS.
  if (settings.issuer.startsWith("http:")) client.allowInsecureRequests(config);
  config[client.customFetch] = (address, { method, headers, body }) =>
    fetch.respond(address, {
      method: method === "POST" ? "POST" : "GET",
      headers,
      ...(body === undefined || body === null ? {} : { body: String(body) }),
    });
  return { client, config };
}

const defined = (metadata: Metadata) =>
  Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== undefined));

/** What a failed exchange comes down to. */
function faultOf({ name }: ProviderSettings, client: Client, error: unknown): SignInFault {
  const own = ownFaultIn(error);
  if (own !== undefined) return own;
  if (error instanceof client.AuthorizationResponseError && PERSONS.test(error.error))
    return new SignInFault("refused", `${name} answers ${error.error.slice(0, 100)}`);
  // A code that is not good is the sender's fault; a secret or a scope that is not is one of the file.
  const isOfFile = error instanceof client.ResponseBodyError && error.error !== "invalid_grant";
  if (isOfFile || error instanceof client.AuthorizationResponseError)
    return new SignInFault("unavailable", `${name} refuses this server: ${error.error.slice(0, 100)}`);
  return new SignInFault("not_believed", `${name}: ${wordsOf(error)}`);
}

/** The fault of a fetch that the library wraps. */
function ownFaultIn(error: unknown): SignInFault | undefined {
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth++)
    if (each instanceof SignInFault) return each;
  return undefined;
}
