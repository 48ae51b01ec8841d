import { DEX, startDex } from "./dex.ts";
import { addressOf, findDirectoryServer, type Person, startDirectory } from "./directory.ts";
import { openGate } from "./gate.ts";
import { KEYCLOAK, KEYCLOAK_AUTHORITY, openRealm, SECURE_KEYCLOAK } from "./keycloak.ts";
import type { Page, TestPerson } from "./person.ts";

/** A company whose people sign in with a provider that it runs itself. */
export interface Company extends AsyncDisposable {
  issuer: string;
  client: { id: string; secret: string };
  scopes: readonly string[];
  /** Of the provider's certificate, in PEM; undefined where it speaks no TLS. */
  authority: string | undefined;
  /** Fills in the provider's own page to sign in at. */
  signIn(person: TestPerson, page: Page, login: string): Promise<Page>;
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
  const { isSecure = false, ...client } = options;
  const mark = crypto.randomUUID().slice(0, 8);
  const own = (login: string) => `${login}-${mark}`;
  const ownClient = { ...CLIENT, id: own(CLIENT.id) };
  const realm = await openRealm({
    people: PEOPLE.map((person) => ({ ...person, login: own(person.login) })),
    clients: [{ ...ownClient, ...client }],
  });
  const gate = await openGate(Number(new URL(isSecure ? SECURE_KEYCLOAK : (KEYCLOAK ?? "")).port));
  const origin = isSecure ? `https://localhost:${gate.port}` : `http://127.0.0.1:${gate.port}`;
  return {
    issuer: `${origin}/realms/${realm.name}`,
    client: ownClient,
    scopes: ["openid", "profile", "email"],
    authority: isSecure ? KEYCLOAK_AUTHORITY : undefined,
    signIn: (person, page, login) => person.submit(page, { username: own(login), password: PASSWORD }),
    setGroups: (login, groups) => realm.setGroups(own(login), groups),
    endSessions: (login) => realm.endSessions(own(login)),
    rotateKeys: realm.rotateKeys,
    stop: gate.close,
    resume: gate.open,
    [Symbol.asyncDispose]: () => gate[Symbol.asyncDispose](),
  };
}

async function dexCompany({ redirects, isSecure = false }: CompanyOptions): Promise<Company> {
  const directory = await startDirectory(PEOPLE);
  const start = (port?: number) =>
    startDex({
      clients: [{ ...CLIENT, redirects }],
      directory,
      isSecure,
      ...(port !== undefined && { port }),
    });
  let people = PEOPLE;
  let dex = await start();
  const { issuer, authority, port } = dex;
  const resume = async () => {
    dex = await start(port);
  };
  return {
    issuer,
    client: CLIENT,
    scopes: ["openid", "profile", "email", "groups"],
    authority: isSecure ? authority : undefined,
    signIn: (person, page, login) => person.submit(page, { login: addressOf({ login }), password: PASSWORD }),
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
      await directory[Symbol.asyncDispose]();
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
