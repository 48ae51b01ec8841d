import { AppError } from "../../src/kernel/errors.ts";
import { MINUTE_MS, SECOND_MS, systemClock } from "../../src/kernel/lib/clock.ts";
import { createIds, systemRandomBytes } from "../../src/kernel/lib/ids.ts";
import { createLog } from "../../src/kernel/lib/log.ts";
import { UNSEALED } from "../../src/kernel/lib/seal/seal.ts";
import {
  openVouchers,
  type Provider,
  readSignInFile,
  SignInFault,
} from "../../src/people/identity/identity.ts";
import { memoryOnce } from "../helpers/memory-once.ts";
import type { Company } from "./companies.ts";
import { createPerson, type TestPerson } from "./person.ts";

export const SKEW_SECONDS = 60;

/** What the operator writes of a company's provider. */
const fileOf = ({ issuer, client, scopes, authority }: Company, more: string, knowsAuthority: boolean) => `
providers:
  - name: company
    label: Company account
    issuer: ${issuer}
    client_id: ${client.id}
    ${client.secret === undefined ? "" : "client_secret_env: SECRET"}
    scopes: [${scopes.join(", ")}]
    clock_skew_seconds: ${SKEW_SECONDS}
    ${authority !== undefined && knowsAuthority ? "ca_file: authority.pem" : ""}
    readers: true
    ${more}
`;

interface OpenOptions {
  more?: string;
  /** How far this server's clock is ahead. */
  aheadSeconds?: number;
  knowsAuthority?: boolean;
}

/** The provider as a server that has the file opens it. */
export async function openOf(company: Company, options: OpenOptions = {}): Promise<Provider> {
  const { more = "", aheadSeconds = 0, knowsAuthority = true } = options;
  const clock = () => systemClock() + aheadSeconds * SECOND_MS;
  const files: Record<string, string> = {
    "sign-in.yml": fileOf(company, more, knowsAuthority),
    "authority.pem": company.authority ?? "",
  };
  const { providers } = await openVouchers({
    seal: UNSEALED,
    file: readSignInFile("sign-in.yml", {
      environment: { SECRET: company.client.secret },
      readFile: (path) => files[path] ?? "",
    }),
    secret: "secret",
    certificateAuthorities: [],
    once: memoryOnce(),
    clock,
    ids: createIds(clock, systemRandomBytes),
    log: createLog({ level: "debug", format: "json", clock, write: () => {} }),
  });
  const [provider] = providers;
  if (provider === undefined) throw new Error("the file names no provider");
  return provider;
}

/** The place that people come back to, and what came there by itself. */
export function startPlace() {
  const notices: string[] = [];
  const waiting = Promise.withResolvers<string>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      if (request.method !== "POST") return new Response("here you are");
      const token = new URLSearchParams(await request.text()).get("logout_token") ?? "";
      notices.push(token);
      waiting.resolve(token);
      return new Response(null, { status: 200 });
    },
  });
  const url = `http://127.0.0.1:${server.port}`;
  return {
    redirect: `${url}/callback`,
    afterLogout: `${url}/`,
    backChannel: `${url}/logout`,
    notices,
    firstNotice: waiting.promise,
    [Symbol.dispose]: () => void server.stop(true),
  };
}

/** Goes through the provider's pages; what the browser brings back, and what it kept. */
export async function throughPages(
  company: Company,
  provider: Provider,
  { redirect, login = "ada", person }: { redirect: string; login?: string; person?: TestPerson },
) {
  const own = person ?? createPerson(company.authority === undefined ? {} : { authority: company.authority });
  const { url, kept } = await provider.begin({ purpose: "reader", returnTo: "/", redirectUri: redirect });
  const page = await own.visit(url);
  // Who is signed in at the provider already is not asked again.
  const back = page.url.startsWith(redirect) ? page : await company.signIn(own, page, login);
  if (!back.url.startsWith(redirect)) throw new Error(`${back.url}: ${back.status} ${back.text}`);
  return { callback: new URL(back.url), kept: { ...kept, until: systemClock() + 10 * MINUTE_MS } };
}

export async function signIn(
  company: Company,
  provider: Provider,
  options: Parameters<typeof throughPages>[2],
) {
  const { callback, kept } = await throughPages(company, provider, options);
  return provider.finish(callback, kept);
}

/** The kind of the fault in which some work ends, and its words. */
export async function faultOf(work: Promise<unknown>): Promise<{ kind: string; message: string }> {
  const error = await work.then(
    () => undefined,
    (failed) => failed,
  );
  if (error instanceof SignInFault) return { kind: error.kind, message: error.message };
  if (error instanceof AppError) return { kind: error.code, message: error.message };
  throw error ?? new Error("it went well");
}
