import { describe, expect, test } from "bun:test";
import { request } from "node:http";
import { join } from "node:path";
import { startDocent } from "../helpers/docent.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";
import { COMPANIES, type Company, type CompanyOptions } from "./companies.ts";
import { standingOf } from "./docent-of.ts";
import { OAUTH2_PROXY, proxyRedirect, startOauth2Proxy } from "./oauth2-proxy.ts";
import { createPerson } from "./person.ts";
import { settledPort } from "./settled-port.ts";

/** Which headers oauth2-proxy sets of whom it has signed in, and from where Docent believes them. */
const FILE = `
proxy:
  from: [127.0.0.1]
  user_header: x-forwarded-user
  name_header: x-forwarded-email
  groups_header: x-forwarded-groups
  members:
    server_owners: [docent-admins]
    owners: { default: [docs-team] }
    viewers: { default: [staff] }
`;

/** What a stranger would like to be believed. */
const FORGED = {
  "x-forwarded-user": "root",
  "x-forwarded-email": "root@example.com",
  "x-forwarded-groups": "docent-admins,docs-team",
};
const NAME = expect.stringMatching(/^ada.*@example\.com$/);
const ADA = { name: NAME, owns: false, roles: { default: "owner" } };

interface BehindProxy extends AsyncDisposable {
  company: Company;
  /** The proxy's address, which people know. */
  url: string;
  /** Docent's own. */
  direct: string;
}

/** Docent, the proxy before it, and a provider behind that. */
async function startBehindProxy(start: (options: CompanyOptions) => Promise<Company>): Promise<BehindProxy> {
  // What has begun ends, too, where the rest cannot.
  await using stack = new AsyncDisposableStack();
  const port = await settledPort();
  const url = `http://127.0.0.1:${port}`;
  const folder = stack.use(temporaryDirectory());
  const file = join(folder.path, "sign-in.yml");
  await Bun.write(file, FILE);
  const docent = await startDocent({ settings: { sign_in_file: file, public_url: url } });
  stack.defer(() => docent.close());
  const company = stack.use(await start({ redirects: [proxyRedirect(port)] }));
  const { issuer, client, scopes } = company;
  stack.use(await startOauth2Proxy({ upstream: docent.url, issuer, client, port, scopes }));
  const kept = stack.move();
  return { company, url, direct: docent.url, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** What a request is answered with that comes from one of this machine's addresses. */
function statusFrom(
  localAddress: string,
  { url, headers }: { url: string; headers: Record<string, string> },
) {
  return new Promise<number | undefined>((resolve, reject) => {
    const sent = request(url, { localAddress, headers }, (reply) => {
      reply.resume();
      resolve(reply.statusCode);
    });
    sent.on("error", reject);
    sent.end();
  });
}

async function signIn({ company, url }: BehindProxy, login: string) {
  const person = createPerson();
  const page = await person.visit(`${url}/`);
  if (page.url.startsWith(url)) throw new Error(`${page.url} came without signing in`);
  const inside = await company.signIn(person, page, login);
  return { person, inside };
}

for (const kind of COMPANIES)
  describe.skipIf(OAUTH2_PROXY === undefined || !kind.isHere)(`oauth2-proxy with ${kind.name}`, () => {
    test("whom it has signed in is a member, as their groups say, without a page to sign in at", async () => {
      await using behind = await startBehindProxy(kind.start);
      const { person, inside } = await signIn(behind, "ada");
      expect([inside.url, inside.status]).toEqual([`${behind.url}/`, 200]);
      expect(await standingOf(person, behind.url)).toEqual(ADA);
      const { person: eve } = await signIn(behind, "eve");
      expect(await standingOf(eve, behind.url)).toBe(403);
    });

    test("what a client claims beside it changes nothing, and no other site acts in its name", async () => {
      await using behind = await startBehindProxy(kind.start);
      const { person } = await signIn(behind, "ada");
      const reply = await person.ask(`${behind.url}/v1/session`, { headers: FORGED });
      expect(await reply.json()).toMatchObject({ member: { name: NAME, isServerOwner: false } });
      const elsewhere = { origin: "https://elsewhere.example", "sec-fetch-site": "cross-site" };
      const led = await person.ask(`${behind.url}/v1/session`, { method: "DELETE", headers: elsewhere });
      expect(led.status).toBe(403);
      const stranger = await createPerson().ask(`${behind.url}/v1/session`, { headers: FORGED });
      expect(stranger.status).not.toBe(200);
    });

    test("the same headers from anybody else are nothing", async () => {
      await using behind = await startBehindProxy(kind.start);
      const { host } = new URL(behind.url);
      const asked = { url: `${behind.direct}/v1/session`, headers: { ...FORGED, host } };
      expect(await statusFrom("127.0.0.2", asked)).toBe(401);
      // From the proxy's own address they would do, which is why nobody else may be let there.
      expect(await statusFrom("127.0.0.1", asked)).toBe(200);
    });
  });
