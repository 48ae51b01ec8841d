import { DEX, startDex } from "./dex.ts";
import { addressOf, findDirectoryServer, type Person, startDirectory } from "./directory.ts";
import { openGate } from "./gate.ts";
import { KEYCLOAK, KEYCLOAK_AUTHORITY, openRealm, SECURE_KEYCLOAK } from "./keycloak.ts";
import type { Page, TestPerson } from "./person.ts";

/** A company whose people sign in with a provider that it runs itself. */
export interface Company extends AsyncDisposable {
  issuer: string;
  client: { id: string; secret?: string };
  scopes: readonly string[];
  /** Of the provider's certificate, in PEM; undefined where it speaks no TLS. */
  authority: string | undefined;
  /** What somebody types there. */
  credentials(login: string): { login: string; password: string };
  /** Fills in the provider's own page to sign in at. At an address that begins with `until` it stops. */
  signIn(person: TestPerson, page: Page, login: string, until?: string): Promise<Page>;
  setGroups(login: string, groups: readonly string[]): Promise<void>;
  /** Ends a person's sessions at the provider, which tells of it where it can. */
  endSessions(login: string): Promise<void>;
  /** Signs from now on with another key; the earlier ones are gone. */
  rotateKeys(): Promise<void>;
  /** Nothing answers at the provider's address. */
  stop(): Promise<void>;
  resume(): Promise<void>;
}

export interface CompanyOptions {
  /** Where people come back to. */
  redirects: readonly string[];
  afterLogout?: readonly string[];
  backChannelLogout?: string;
  /** Of access tokens, besides. */
  audience?: string;
  isSecure?: boolean;
  /** It shares no secret with Docent. */
  isPublic?: boolean;
  /** It asks whether Docent may know who they are. */
  asksConsent?: boolean;
  /** How it signs ID tokens. */
  algorithm?: string;
  /** Where it tells of groups besides access tokens; in the ID token unless given. */
  groupsIn?: "userinfo";
  people?: readonly Person[];
}

export const PASSWORD = "correct horse battery";
const CLIENT = { id: "docent", secret: "a secret of Docent's" };

/** Ada writes the docs, Grace reads them, and Eve has nothing to do with them. */
export const PEOPLE: readonly Person[] = [
  { login: "ada", name: "Ada Lovelace", password: PASSWORD, groups: ["docs-team", "staff"] },
  { login: "grace", name: "Grace Hopper", password: PASSWORD, groups: ["staff"] },
  { login: "eve", name: "Eve Moneypenny", password: PASSWORD, groups: ["catering"] },
];

async function keycloakCompany(options: CompanyOptions): Promise<Company> {
  const { isSecure = false, people = PEOPLE, isPublic = false, asksConsent = false, ...client } = options;
  const mark = crypto.randomUUID().slice(0, 8);
  const own = (login: string) => `${login}-${mark}`;
  const ownClient = { id: own(CLIENT.id), ...(!isPublic && { secret: CLIENT.secret }) };
  const realm = await openRealm({
    people: people.map((person) => ({ ...person, login: own(person.login) })),
    clients: [{ ...ownClient, asksConsent, ...client }],
  });
  const gate = await openGate(Number(new URL(isSecure ? SECURE_KEYCLOAK : (KEYCLOAK ?? "")).port));
  // Another site than Docent's, which tests have at 127.0.0.1.
  const origin = `${isSecure ? "https" : "http"}://localhost:${gate.port}`;
  return {
    issuer: `${origin}/realms/${realm.name}`,
    client: ownClient,
    scopes: ["openid", "profile", "email"],
    authority: isSecure ? KEYCLOAK_AUTHORITY : undefined,
    credentials: (login) => ({ login: own(login), password: PASSWORD }),
    signIn: (person, page, login, until) =>
      person.submit(page, { username: own(login), password: PASSWORD }, until),
    setGroups: (login, groups) => realm.setGroups(own(login), groups),
    endSessions: (login) => realm.endSessions(own(login)),
    rotateKeys: realm.rotateKeys,
    stop: gate.close,
    resume: gate.open,
    [Symbol.asyncDispose]: () => gate[Symbol.asyncDispose](),
  };
}

async function dexCompany(options: CompanyOptions): Promise<Company> {
  const { redirects, isSecure = false, isPublic = false } = options;
  let { people = PEOPLE } = options;
  await using stack = new AsyncDisposableStack();
  const directory = stack.use(await startDirectory(people));
  const client = { id: CLIENT.id, ...(!isPublic && { secret: CLIENT.secret }) };
  const start = (port?: number) =>
    startDex({
      clients: [{ ...client, redirects }],
      directory,
      isSecure,
      ...(port !== undefined && { port }),
    });
  let dex = await start();
  const { issuer, authority, port } = dex;
  const kept = stack.move();
  const resume = async () => {
    dex = await start(port);
  };
  return {
    issuer,
    client,
    scopes: ["openid", "profile", "email", "groups"],
    authority: isSecure ? authority : undefined,
    credentials: (login) => ({ login: addressOf({ login }), password: PASSWORD }),
    signIn: (person, page, login, until) =>
      person.submit(page, { login: addressOf({ login }), password: PASSWORD }, until),
    async setGroups(login, groups) {
      people = people.map((person) => (person.login === login ? { ...person, groups } : person));
      await directory.becomes(people);
    },
    endSessions: () => Promise.reject(new Error("Dex has no sessions")),
    // Its keys are in its memory.
    async rotateKeys() {
      await dex.stop();
      await resume();
    },
    stop: () => dex.stop(),
    resume,
    async [Symbol.asyncDispose]() {
      await dex.stop();
      await kept.disposeAsync();
    },
  };
}

interface CompanyKind {
  name: string;
  isHere: boolean;
  start(options: CompanyOptions): Promise<Company>;
}

/** The providers that are tested, each with whether it is here. */
export const COMPANIES: readonly CompanyKind[] = [
  { name: "Keycloak", isHere: KEYCLOAK !== undefined, start: keycloakCompany },
  { name: "Dex", isHere: DEX !== undefined && findDirectoryServer() !== undefined, start: dexCompany },
];
