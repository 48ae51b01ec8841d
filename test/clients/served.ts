import { createWorkplace } from "../helpers/program.ts";

/** The settings by which one address, or one organization, may ask without an end. */
const WITHOUT_LIMITS = Object.fromEntries(
  [
    "ORGANIZATION_MESSAGES_PER_HOUR",
    "ADDRESS_MESSAGES_PER_DAY",
    "ADDRESS_MESSAGES_PER_MINUTE",
    "ORGANIZATION_SEARCHES_PER_HOUR",
    "ORGANIZATION_PAGES_PER_HOUR",
    "ORGANIZATION_FEEDBACK_PER_HOUR",
    "ORGANIZATION_EVENTS_PER_HOUR",
    "ADDRESS_LOOKUPS_PER_MINUTE",
    "NAME_SIGN_INS_PER_HOUR",
    "ADDRESS_SIGN_INS_PER_HOUR",
  ].map((name) => [`DOCENT_${name}`, "0"]),
);

/** A server as an operator starts it, with its own docs as the site `docent`, and what opens it. */
export interface Served extends AsyncDisposable {
  url: string;
  keys: {
    assistant: string;
    /** Of the first organization: it may write, and cannot make or revoke a key of its kind. */
    organization: string;
    server: string;
  };
  /** What an owner of the server is signed in with. */
  session: string;
}

/** Starts the binary on a free port. */
export async function startServed(): Promise<Served> {
  const place = createWorkplace({ DOCENT_METRICS: "on", ...WITHOUT_LIMITS });
  const { url, err } = await place.serve("--demo");
  const made = async (...words: string[]) => {
    const { out, err, code } = await place.run("admin-keys", "create", ...words);
    const key = /docent_adm_\w+/.exec(out + err)?.[0];
    if (key === undefined) throw new Error(`no key was made: ${code} ${err}`);
    return key;
  };
  const organization = await made("clients", "--write");
  const server = await made("the server's", "--server", "--write");
  const send = async (method: string, path: string, body?: unknown) =>
    fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${organization}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const { key: assistant } = await (await send("POST", "/v1/admin/keys", { sites: ["docent"] })).json();
  for (let passages = 0, tries = 0; passages === 0; tries++) {
    if (tries === 300) throw new Error(`the demo's pages were not read: ${err()}`);
    await Bun.sleep(100);
    passages = (await (await send("GET", "/v1/admin/sites/docent")).json()).passages;
  }
  const link = /sign-in#link=(\S+)/.exec(err())?.[1];
  const signedIn = await send("PUT", "/v1/session/link", {
    link,
    name: "Ada",
    password: "a river runs uphill",
  });
  const session = /docent_session=([^;]+)/.exec(signedIn.headers.get("set-cookie") ?? "")?.[1] ?? "";
  return {
    url,
    session,
    keys: { assistant, organization, server },
    [Symbol.asyncDispose]: () => place.dispose(),
  };
}
