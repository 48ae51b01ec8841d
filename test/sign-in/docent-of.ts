import { join } from "node:path";
import { z } from "zod";
import { startDocent } from "../helpers/docent.ts";

import { temporaryDirectory } from "../helpers/temporary-directory.ts";
import type { Company, CompanyOptions } from "./companies.ts";
import { createPerson, type Page, type TestPerson } from "./person.ts";
import { settledPort } from "./settled-port.ts";

/** Which of the company's groups are what in the dashboard. */
const MEMBERS = `
    members:
      server_owners: [docent-admins]
      owners: { default: [docs-team] }
      viewers: { default: [staff] }
`;

const entryOf = (name: string, { issuer, client, scopes, authority }: Company, authorityFile: string) => `
  - name: ${name}
    label: Account of ${name}
    issuer: ${issuer}
    client_id: ${client.id}
    client_secret_env: ${name.toUpperCase()}_SECRET
    scopes: [${scopes.join(", ")}]
    ${authority === undefined ? "" : `ca_file: ${authorityFile}`}
${MEMBERS}`;

const sessionReply = z.object({
  member: z.object({ name: z.string(), isServerOwner: z.boolean() }),
  organizations: z.array(z.object({ name: z.string(), role: z.string() })),
});
const signedOutReply = z.object({ logoutUrl: z.string() });

type Start = (options: CompanyOptions) => Promise<Company>;

interface StartOptions {
  isSecure?: boolean;
  /** A second provider, which the file calls `other`. */
  other?: Start;
  clock?: () => number;
}

/** A server of the company's, whose members come by its provider: the file calls that `company`. */
export async function startDocentOf(start: Start, { isSecure = false, other, clock }: StartOptions = {}) {
  // What has begun ends, too, where the rest cannot.
  await using stack = new AsyncDisposableStack();
  const port = await settledPort();
  const url = `http://127.0.0.1:${port}`;
  const open = async (name: string, by: Start) =>
    stack.use(
      await by({
        redirects: [`${url}/v1/sign-in/${name}/callback`],
        afterLogout: [`${url}/sign-in`],
        backChannelLogout: `${url}/v1/sign-in/${name}/logged-out`,
        isSecure,
      }),
    );
  const company = await open("company", start);
  const second = other && (await open("other", other));
  const folder = stack.use(temporaryDirectory());
  const authority = join(folder.path, "authority.pem");
  await Bun.write(authority, company.authority ?? "");
  const file = join(folder.path, "sign-in.yml");
  const entries = [entryOf("company", company, authority), second ? entryOf("other", second, authority) : ""];
  await Bun.write(file, `providers:\n${entries.join("")}`);
  const startWith = async (owner: AsyncDisposableStack, settings: Record<string, string>) => {
    const started = await startDocent({
      settings: { sign_in_file: file, ...settings },
      environment: {
        COMPANY_SECRET: company.client.secret ?? "",
        OTHER_SECRET: second?.client.secret ?? "",
      },
      logLevel: "debug",
      ...(clock && { clock }),
    });
    owner.defer(() => started.close());
    return started;
  };
  const docent = await startWith(stack, { port: String(port) });
  const kept = stack.move();
  return {
    company,
    other: second ?? company,
    docent,
    url,
    browser: () => createBrowser(url, company),
    /** Another server with the same file, which has asked nothing of the provider yet. */
    another: () => startWith(kept, {}),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

export type DocentOf = Awaited<ReturnType<typeof startDocentOf>>;

/** What somebody is in the dashboard, or the status of the refusal. */
export type Standing = { name: string; owns: boolean; roles: Record<string, string> } | number;

/** The standing of whoever asks. */
export async function standingOf(person: TestPerson, url: string): Promise<Standing> {
  const reply = await person.ask(`${url}/v1/session`);
  if (!reply.ok) return reply.status;
  const { member, organizations } = sessionReply.parse(await reply.json());
  const roles = Object.fromEntries(organizations.map(({ name, role }) => [name, role]));
  return { name: member.name, owns: member.isServerOwner, roles };
}

/** A browser of somebody who works at the company. */
function createBrowser(url: string, company: Company) {
  const person = createPerson(company.authority === undefined ? {} : { authority: company.authority });
  return {
    person,
    /** Goes to the provider and back; the last page. Whoever is signed in there already is not asked. */
    async signIn(login: string): Promise<Page> {
      const page = await person.visit(`${url}/v1/sign-in/company`);
      return page.url.startsWith(url) ? page : company.signIn(person, page, login);
    },
    standing: () => standingOf(person, url),
    /** Signs out here; the address that the reply sends the browser to. */
    async signOut(): Promise<string | undefined> {
      const reply = await person.ask(`${url}/v1/session`, { method: "DELETE", headers: { origin: url } });
      return reply.status === 200 ? signedOutReply.parse(await reply.json()).logoutUrl : undefined;
    },
  };
}
