import { z } from "zod";
import type { Person } from "./directory.ts";

/** The Keycloak that `make sign-in` has started, for all tests; undefined where there is none. */
export const KEYCLOAK = process.env["DOCENT_SIGN_IN_KEYCLOAK"];

const env = (name: string) => process.env[name] ?? "";
/** The same over TLS, with a certificate of an authority of its own (PEM). */
export const SECURE_KEYCLOAK = env("DOCENT_SIGN_IN_KEYCLOAK_SECURE");
export const KEYCLOAK_AUTHORITY = env("DOCENT_SIGN_IN_KEYCLOAK_AUTHORITY");
const PASSWORD = env("DOCENT_SIGN_IN_KEYCLOAK_PASSWORD");

export interface RealmClient {
  id: string;
  /** None: a public client. */
  secret?: string;
  redirects: readonly string[];
  afterLogout?: readonly string[];
  /** Where Keycloak says that somebody was signed out. */
  backChannelLogout?: string;
  /** People are asked whether it may know who they are. */
  asksConsent?: boolean;
  /** Of its access tokens, besides. */
  audience?: string;
  /** How its ID tokens are signed; RS256 unless given. */
  algorithm?: string;
  /** Where its groups are besides access tokens; in the ID token unless given. */
  groupsIn?: "userinfo";
}

const named = z.array(z.object({ id: z.string(), name: z.string().optional() }));
const tokenReply = z.object({ access_token: z.string() });

const mapper = (name: string, protocolMapper: string, config: Record<string, string>) => ({
  name,
  protocol: "openid-connect",
  protocolMapper,
  config: { "id.token.claim": "true", "access.token.claim": "true", ...config },
});

/** A client as a file for Keycloak's import has it. */
function clientOf(client: RealmClient) {
  const {
    id,
    secret,
    redirects,
    afterLogout = [],
    backChannelLogout,
    audience,
    algorithm,
    groupsIn,
    asksConsent = false,
  } = client;
  return {
    clientId: id,
    ...(secret === undefined ? { publicClient: true } : { secret }),
    redirectUris: redirects,
    consentRequired: asksConsent,
    attributes: {
      "pkce.code.challenge.method": "S256",
      "post.logout.redirect.uris": afterLogout.join("##"),
      ...(algorithm !== undefined && { "id.token.signed.response.alg": algorithm }),
      ...(backChannelLogout !== undefined && {
        "backchannel.logout.url": backChannelLogout,
        "backchannel.logout.session.required": "true",
      }),
    },
    protocolMappers: [
      mapper("groups", "oidc-group-membership-mapper", {
        "claim.name": "groups",
        "full.path": "false",
        "userinfo.token.claim": "true",
        ...(groupsIn === "userinfo" && { "id.token.claim": "false" }),
      }),
      ...(audience === undefined
        ? []
        : [mapper("audience", "oidc-audience-mapper", { "included.custom.audience": audience })]),
    ],
  };
}

/** A person as such a file has them. */
const userOf = ({ login, name, password, groups }: Person) => ({
  username: login,
  enabled: true,
  email: `${login}@example.com`,
  emailVerified: true,
  firstName: name.split(" ")[0],
  lastName: name.split(" ").slice(1).join(" "),
  credentials: [{ type: "password", value: password }],
  groups: groups.map((group) => `/${group}`),
});

/** Its administrator's token: it lives for a minute. */
const TOKEN_MS = 30_000;
const session = { token: "", until: 0 };

async function administrator(): Promise<string> {
  if (session.until > Date.now()) return session.token;
  const reply = await fetch(`${KEYCLOAK}/realms/master/protocol/openid-connect/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "password",
      client_id: "admin-cli",
      username: "admin",
      password: PASSWORD,
    }),
  });
  const { access_token: token } = tokenReply.parse(await reply.json());
  Object.assign(session, { token, until: Date.now() + TOKEN_MS });
  return token;
}

/** Asks Keycloak as its administrator. Raises what it answers where it refuses. */
async function administer(path: string, method = "GET", body?: unknown): Promise<unknown> {
  const reply = await fetch(`${KEYCLOAK}/admin/realms${path}`, {
    method,
    headers: { authorization: `Bearer ${await administrator()}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`Keycloak answers ${method} ${path} with ${reply.status}: ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

const list = async (path: string) => named.parse(await administer(path));

/** Making a realm takes seconds: all tests of one process have their clients and their people in the same. */
const shared: { realm?: Promise<string> } = {};

async function makeRealm(): Promise<string> {
  const realm = `test-${crypto.randomUUID()}`;
  await administer("", "POST", {
    realm,
    enabled: true,
    sslRequired: "none",
    // As weak as what is tested allows: the machine has other things to do.
    passwordPolicy: "hashAlgorithm(pbkdf2-sha256) and hashIterations(1)",
  });
  return realm;
}

/** Brings the people and the clients into the realm of the tests. Logins and the clients' ids are each used once. */
export async function openRealm({
  people,
  clients,
}: {
  people: readonly Person[];
  clients: readonly RealmClient[];
}) {
  shared.realm ??= makeRealm();
  const name = await shared.realm;
  const at = `/${name}`;
  const known = new Set((await list(`${at}/groups`)).map((group) => group.name));
  for (const group of new Set(people.flatMap((person) => person.groups)))
    if (!known.has(group)) await administer(`${at}/groups`, "POST", { name: group });
  for (const client of clients) await administer(`${at}/clients`, "POST", clientOf(client));
  for (const person of people) await administer(`${at}/users`, "POST", userOf(person));

  async function idOf(login: string): Promise<string> {
    const [found] = await list(`${at}/users?exact=true&username=${encodeURIComponent(login)}`);
    if (found === undefined) throw new Error(`nobody is called ${login}`);
    return found.id;
  }

  return {
    name,
    /** From now on these are the groups of a person. */
    async setGroups(login: string, groups: readonly string[]): Promise<void> {
      const own = `${at}/users/${await idOf(login)}/groups`;
      for (const { id } of await list(own)) await administer(`${own}/${id}`, "DELETE");
      const all = await list(`${at}/groups`);
      for (const { id } of all.filter((group) => groups.includes(group.name ?? "")))
        await administer(`${own}/${id}`, "PUT");
    },
    /** Signs from now on with another key. The earlier ones are gone. */
    async rotateKeys(): Promise<void> {
      const type = "org.keycloak.keys.KeyProvider";
      const earlier = await list(`${at}/components?type=${type}`);
      await administer(`${at}/components`, "POST", {
        name: `rsa-generated-${crypto.randomUUID()}`,
        providerId: "rsa-generated",
        providerType: type,
        config: { priority: ["1000"], enabled: ["true"], active: ["true"], algorithm: ["RS256"] },
      });
      const gone = earlier.filter((key) => key.name?.startsWith("rsa-generated"));
      for (const { id } of gone) await administer(`${at}/components/${id}`, "DELETE");
    },
    /** Ends all sessions of a person at Keycloak, which tells those who want to know. */
    async endSessions(login: string): Promise<void> {
      await administer(`${at}/users/${await idOf(login)}/logout`, "POST");
    },
  };
}
