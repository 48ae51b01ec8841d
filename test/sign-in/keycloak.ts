/** The Keycloak that `make sign-in` has started, for all tests; undefined where there is none. */
export const KEYCLOAK = process.env["DOCENT_SIGN_IN_KEYCLOAK"];

const env = (name: string) => process.env[name] ?? "";
/** The same over TLS, with a certificate of an authority of its own (PEM). */
export const SECURE_KEYCLOAK = env("DOCENT_SIGN_IN_KEYCLOAK_SECURE");
export const KEYCLOAK_AUTHORITY = env("DOCENT_SIGN_IN_KEYCLOAK_AUTHORITY");
const PASSWORD = env("DOCENT_SIGN_IN_KEYCLOAK_PASSWORD");

/** A person of a realm. */
export interface RealmPerson {
  login: string;
  name: string;
  password: string;
  groups: readonly string[];
}

export interface RealmClient {
  id: string;
  /** None: a public client. */
  secret?: string;
  redirects: readonly string[];
  afterLogout?: readonly string[];
  /** Where Keycloak says that somebody was signed out. */
  backChannelLogout?: string;
  /** Of its access tokens, besides. */
  audience?: string;
}

interface RealmOptions {
  people: readonly RealmPerson[];
  clients: readonly RealmClient[];
  /** All groups that there are, besides those of the people. */
  groups?: readonly string[];
}

const mapper = (name: string, protocolMapper: string, config: Record<string, string>) => ({
  name,
  protocol: "openid-connect",
  protocolMapper,
  config: { "id.token.claim": "true", "access.token.claim": "true", ...config },
});

function clientOf({ id, secret, redirects, afterLogout = [], backChannelLogout, audience }: RealmClient) {
  return {
    clientId: id,
    ...(secret === undefined ? { publicClient: true } : { secret }),
    redirectUris: redirects,
    attributes: {
      "pkce.code.challenge.method": "S256",
      "post.logout.redirect.uris": afterLogout.join("##"),
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
      }),
      ...(audience === undefined
        ? []
        : [mapper("audience", "oidc-audience-mapper", { "included.custom.audience": audience })]),
    ],
  };
}

/** A realm as a file for Keycloak's import has it. */
function realmOf(name: string, { people, clients, groups = [] }: RealmOptions) {
  const all = new Set([...groups, ...people.flatMap((person) => person.groups)]);
  return {
    realm: name,
    enabled: true,
    sslRequired: "none",
    groups: [...all].map((group) => ({ name: group })),
    users: people.map(({ login, name: words, password, groups: own }) => ({
      username: login,
      enabled: true,
      email: `${login}@example.com`,
      emailVerified: true,
      firstName: words.split(" ")[0],
      lastName: words.split(" ").slice(1).join(" "),
      credentials: [{ type: "password", value: password }],
      groups: own.map((group) => `/${group}`),
    })),
    clients: clients.map(clientOf),
  };
}

/** Asks Keycloak as its administrator. Raises what it answers where it refuses. */
async function administer(path: string, method = "GET", body?: unknown): Promise<unknown> {
  const signIn = await fetch(`${KEYCLOAK}/realms/master/protocol/openid-connect/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "password",
      client_id: "admin-cli",
      username: "admin",
      password: PASSWORD,
    }),
  });
  const { access_token: token } = await signIn.json();
  const reply = await fetch(`${KEYCLOAK}/admin/realms${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`Keycloak answers ${method} ${path} with ${reply.status}: ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

interface Named {
  id: string;
  name: string;
}

/** Makes a realm of its own for a test. It goes with the test. */
export async function createRealm(options: RealmOptions) {
  const name = `test-${crypto.randomUUID()}`;
  await administer("", "POST", realmOf(name, options));
  const at = `/${name}`;
  const list = async (path: string) => (await administer(`${at}${path}`)) as Named[];

  async function idOf(login: string): Promise<string> {
    const [found] = await list(`/users?exact=true&username=${encodeURIComponent(login)}`);
    if (found === undefined) throw new Error(`nobody is called ${login}`);
    return found.id;
  }

  return {
    name,
    issuer: `${KEYCLOAK}/realms/${name}`,
    secureIssuer: `${SECURE_KEYCLOAK}/realms/${name}`,
    /** From now on these are the groups of a person. */
    async setGroups(login: string, groups: readonly string[]): Promise<void> {
      const user = `/users/${await idOf(login)}/groups`;
      for (const { id } of await list(user)) await administer(`${at}${user}/${id}`, "DELETE");
      const known = await list("/groups");
      for (const { id } of known.filter((group) => groups.includes(group.name)))
        await administer(`${at}${user}/${id}`, "PUT");
    },
    /** Signs from now on with another key. The earlier ones can go as well. */
    async rotateKeys({ keepEarlier }: { keepEarlier: boolean }): Promise<void> {
      const { id: parentId } = (await administer(at)) as Named;
      const type = "org.keycloak.keys.KeyProvider";
      const earlier = await list(`/components?type=${type}`);
      await administer(`${at}/components`, "POST", {
        name: `rsa-${crypto.randomUUID()}`,
        providerId: "rsa-generated",
        providerType: type,
        parentId,
        config: { priority: ["1000"], enabled: ["true"], active: ["true"], algorithm: ["RS256"] },
      });
      const rsa = earlier.filter((key) => key.name.startsWith("rsa"));
      if (!keepEarlier) for (const { id } of rsa) await administer(`${at}/components/${id}`, "DELETE");
    },
    /** Ends all sessions of a person at Keycloak, which tells those who want to know. */
    async endSessions(login: string): Promise<void> {
      await administer(`${at}/users/${await idOf(login)}/logout`, "POST");
    },
    async disable(login: string): Promise<void> {
      await administer(`${at}/users/${await idOf(login)}`, "PUT", { enabled: false });
    },
    /** How many sessions a client has at Keycloak. */
    async sessions(clientId: string): Promise<number> {
      const [client] = await list(`/clients?clientId=${clientId}`);
      return (await list(`/clients/${client?.id}/user-sessions`)).length;
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await administer(at, "DELETE");
    },
  };
}

export type Realm = Awaited<ReturnType<typeof createRealm>>;
