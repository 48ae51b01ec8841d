import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair } from "jose";
import Provider from "oidc-provider";

/** Somebody who has an account there. */
interface Person {
  name: string;
  groups: string[];
}

/** A real provider of OpenID Connect, on loopback: `oidc-provider`, which is certified. */
export interface RealProvider {
  issuer: string;
  /** Who has an account, by subject. A test changes what they belong to. */
  people: Record<string, Person>;
  /** Who signs in at the page of the provider; undefined: whoever comes says no. */
  whoSignsIn: string | undefined;
  /** The audience of an access token that an agent asks for, by the resource that it names; the resource itself unless set. */
  audienceOf(resource: string): string;
  /** Says where Docent is, which has to be known before anybody comes. */
  knows(publicUrl: string): Promise<void>;
  /** Signs with another key from now on. */
  rotate(): Promise<void>;
  stop(): Promise<void>;
}

const SECRET = "a secret of forty characters, as they say";

/** How long an agent's access token is good. */
const AGENT_TOKEN_SECONDS = 300;

export { SECRET as PROVIDER_SECRET };

export async function startRealProvider(): Promise<RealProvider> {
  const state: { handle: (request: IncomingMessage, response: ServerResponse) => void } = {
    handle: (_, response) => response.writeHead(503).end(),
  };
  const server = createServer((request, response) => state.handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  let publicUrl = "http://127.0.0.1:1";
  const real: RealProvider = {
    issuer: `http://127.0.0.1:${port}`,
    people: {
      ada: { name: "Ada Lovelace", groups: ["admins"] },
      grace: { name: "Grace Hopper", groups: ["writers", "staff"] },
      eve: { name: "Eve", groups: ["visitors"] },
    },
    whoSignsIn: "ada",
    audienceOf: (resource) => resource,
    async knows(url) {
      publicUrl = url;
      await real.rotate();
    },
    async rotate() {
      state.handle = handlerOf(real, publicUrl, await newKey());
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return real;
}

let keys = 0;

async function newKey() {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: `key-${++keys}`, alg: "RS256", use: "sig" };
}

function handlerOf(real: RealProvider, publicUrl: string, key: object) {
  const provider = new Provider(real.issuer, configurationOf(real, publicUrl, key));
  const handle = provider.callback();
  return (request: IncomingMessage, response: ServerResponse) => {
    if (request.url?.startsWith("/interaction/")) void interact(real, provider, request, response);
    else handle(request, response);
  };
}

const configurationOf = (real: RealProvider, publicUrl: string, key: object) => ({
  clients: [
    {
      client_id: "docent",
      client_secret: SECRET,
      redirect_uris: [`${publicUrl}/v1/sign-in/company/callback`],
      post_logout_redirect_uris: [`${publicUrl}/sign-in`],
      backchannel_logout_uri: `${publicUrl}/v1/sign-in/company/logged-out`,
      backchannel_logout_session_required: true,
    },
  ],
  jwks: { keys: [key] },
  cookies: { keys: ["a key of the provider's own cookies"] },
  scopes: ["openid", "profile", "groups"],
  claims: { openid: ["sub"], profile: ["name"], groups: ["groups"] },
  // Groups stand in the ID token, as with most providers.
  conformIdTokenClaims: false,
  pkce: { required: () => true },
  features: {
    devInteractions: { enabled: false },
    backchannelLogout: { enabled: true },
    // Agents that nobody here knew before register themselves.
    registration: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => undefined,
      useGrantedResource: () => true,
      getResourceServerInfo: (_: unknown, resource: string) => ({
        audience: real.audienceOf(resource),
        scope: "profile groups",
        accessTokenFormat: "jwt",
        accessTokenTTL: AGENT_TOKEN_SECONDS,
        jwt: { sign: { alg: "RS256" } },
      }),
    },
    rpInitiatedLogout: {
      enabled: true,
      logoutSource: (context: { body: string }, form: string) => {
        const yes = '<button name="logout" value="yes">Yes, sign me out</button></form>';
        context.body = form.replace("</form>", yes);
      },
    },
  },
  extraTokenClaims: (_: unknown, { accountId }: { accountId: string }) => ({
    groups: real.people[accountId]?.groups,
  }),
  // Docent is on loopback, where the provider does not call of its own.
  fetch: (url: string | URL, options: RequestInit) =>
    fetch(url, { ...options, signal: AbortSignal.timeout(5000) }),
  interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
  findAccount: (_: unknown, subject: string) => ({
    accountId: subject,
    claims: async () => ({ sub: subject, ...real.people[subject] }),
  }),
});

/** Signs in whoever the test says, and consents to all. */
async function interact(
  real: RealProvider,
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  const { whoSignsIn } = real;
  if (whoSignsIn === undefined)
    return provider.interactionFinished(request, response, { error: "access_denied" });
  if (prompt.name === "login")
    return provider.interactionFinished(request, response, { login: { accountId: whoSignsIn } });
  const of = { accountId: session?.accountId ?? whoSignsIn, clientId: params["client_id"] ?? "" };
  const grant = new provider.Grant(of);
  grant.addOIDCScope(prompt.details.missingOIDCScope?.join(" ") ?? "openid");
  grant.addOIDCClaims(prompt.details.missingOIDCClaims ?? []);
  for (const [resource, scopes] of Object.entries(prompt.details.missingResourceScopes ?? {}))
    grant.addResourceScope(resource, scopes.join(" "));
  await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
}
