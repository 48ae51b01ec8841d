import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import type { SignInFile } from "../../src/people/identity/identity.ts";
import { readSignInFile } from "../../src/people/identity/identity.ts";

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>;

/** A token as a test wants it: what it says, and what its header and its signature are. */
export interface Signing {
  header?: Record<string, unknown>;
  /** The name of the key; of one that was never published, a stranger's. */
  kid?: string;
  key?: CryptoKey | Uint8Array;
  alg?: string;
}

/** A provider on loopback that says whatever a test wants it to say. */
export interface LyingProvider {
  issuer: string;
  /** What is asked of it, path by path. */
  asked: string[];
  /** Changes what it answers at a path; null takes the lie back. */
  answer(path: string, reply: (() => Response | Promise<Response>) | null): void;
  /** What its discovery document says besides. */
  metadata: Record<string, unknown>;
  /** Changes what the next ID token holds. */
  claims: JWTPayload;
  signing: Signing;
  /** The whole of the next ID token, where it is none that could be signed. */
  idToken: string | undefined;
  /** Publishes another key, in the place of those before. */
  rotate(kid: string): Promise<void>;
  sign(claims: object, signing?: Signing): Promise<string>;
  publicKey(): Promise<Record<string, unknown>>;
  now(): number;
  stop(): void;
}

export const CLIENT_ID = "docent";

/** The sign-in file of a server that knows this provider. */
export const fileFor = (issuer: string, more = ""): SignInFile =>
  readSignInFile("sign-in.yml", { environment: {}, readFile: () => yamlFor(issuer, more) });

export const yamlFor = (issuer: string, more = "") => `
providers:
  - name: company
    label: Company account
    issuer: ${issuer}
    client_id: ${CLIENT_ID}
    members:
      server_owners: [admins]
      owners: { default: [writers] }
      viewers: { default: [staff], other: [guests] }
${more.replace(/^/gm, "    ")}
`;

export async function startLyingProvider(clock: () => number = Date.now): Promise<LyingProvider> {
  const lies = new Map<string, () => Response | Promise<Response>>();
  const state = { kid: "first", pair: await makeKeys() };
  const now = () => Math.floor(clock() / 1000);
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      provider.asked.push(pathname);
      return (await lies.get(pathname)?.()) ?? (await truth(pathname, request));
    },
  });
  const issuer = `http://127.0.0.1:${server.port}`;

  async function truth(path: string, request: Request): Promise<Response> {
    if (path === "/.well-known/openid-configuration")
      return Response.json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        backchannel_logout_supported: true,
        ...provider.metadata,
      });
    if (path === "/jwks") return Response.json({ keys: [await provider.publicKey()] });
    if (path !== "/token") return new Response("", { status: 404 });
    const code = new URLSearchParams(await request.text()).get("code");
    if (code !== "good") return Response.json({ error: "invalid_grant" }, { status: 400 });
    const id_token = provider.idToken ?? (await provider.sign(provider.claims, provider.signing));
    return Response.json({ access_token: "at", token_type: "Bearer", expires_in: 60, id_token });
  }

  const provider: LyingProvider = {
    issuer,
    asked: [],
    metadata: {},
    claims: {},
    signing: {},
    idToken: undefined,
    now,
    answer: (path, reply) => void (reply === null ? lies.delete(path) : lies.set(path, reply)),
    async rotate(kid) {
      Object.assign(state, { kid, pair: await makeKeys() });
    },
    publicKey: async () => ({
      ...(await exportJWK(state.pair.publicKey)),
      kid: state.kid,
      alg: "RS256",
      use: "sig",
    }),
    async sign(claims, { header = {}, kid = state.kid, key = state.pair.privateKey, alg = "RS256" } = {}) {
      const whole = { iss: issuer, aud: CLIENT_ID, sub: "ada", iat: now(), exp: now() + 300, ...claims };
      return new SignJWT(withoutUndefined(whole)).setProtectedHeader({ alg, kid, ...header }).sign(key);
    },
    stop: () => void server.stop(true),
  };
  return provider;
}

const withoutUndefined = (claims: object) =>
  Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));

const made = new Map<number, Promise<KeyPair>>();
let count = 0;

/** RSA keys take long to make: each test's first ones are the same. */
function makeKeys(): Promise<KeyPair> {
  const index = count++ % 4;
  const keys = made.get(index) ?? generateKeyPair("RS256", { extractable: true });
  made.set(index, keys);
  return keys;
}
