import { join } from "node:path";
import { type DocentOptions, startDocent, type TestDocent } from "./docent.ts";
import { PROVIDER_SECRET, type RealProvider, startRealProvider } from "./real-provider.ts";
import { type SmallBrowser, smallBrowser, type Visited } from "./small-browser.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

/** A server whose members sign in with a real provider. */
export interface SignInDoor extends TestDocent {
  provider: RealProvider;
  browser(): SmallBrowser;
  /** Signs in with the provider as that person, in a new browser or in this one. */
  signIn(person: string, browser?: SmallBrowser): Promise<{ browser: SmallBrowser; at: Visited }>;
  /** Who the browser is signed in as; its status where nobody is. */
  who(browser: SmallBrowser): Promise<unknown>;
  /** The entries of the audit log, the newest first. */
  audit(): Promise<{ kind: string; actor: string | null; subject: string | null; details: object }[]>;
}

const yaml = (issuer: string, more: string) => `
providers:
  - name: company
    label: Company account
    issuer: ${issuer}
    client_id: docent
    client_secret_env: COMPANY_SECRET
    scopes: [openid, profile, groups]
    members:
      server_owners: [admins]
      owners: { default: [writers] }
      viewers: { default: [staff], nowhere: [staff] }
${more}`;

export async function startSignInDoor(
  { settings = {}, ...options }: DocentOptions = {},
  more = "",
): Promise<SignInDoor> {
  const provider = await startRealProvider();
  const folder = temporaryDirectory();
  const file = join(folder.path, "sign-in.yml");
  await Bun.write(file, yaml(provider.issuer, more));
  const docent = await startDocent({
    docs: null,
    environment: { COMPANY_SECRET: PROVIDER_SECRET },
    settings: { sign_in_file: file, ...settings },
    ...options,
  });
  await provider.knows(docent.app.publicUrl);
  const url = docent.app.publicUrl;
  return {
    ...docent,
    provider,
    browser: smallBrowser,
    async signIn(person, browser = smallBrowser()) {
      provider.whoSignsIn = person;
      return { browser, at: await browser.go(`${url}/v1/sign-in/company`, { from: "same-origin" }) };
    },
    async who(browser) {
      const { status, text } = await browser.ask("GET", `${url}/v1/session`);
      return status === 200 ? JSON.parse(text).member.name : status;
    },
    async audit() {
      const period = { from: 0, to: Number.MAX_SAFE_INTEGER };
      const never = new AbortController().signal;
      const { entries } = await docent.app.parts.people.audit.list(period, {}, { limit: 100 }, never);
      return entries.map(({ kind, actor, subject, details }) => ({
        kind,
        actor: actor.name,
        subject: subject.name,
        details,
      }));
    },
    async close() {
      await docent.close();
      await provider.stop();
      folder[Symbol.dispose]();
    },
  };
}
