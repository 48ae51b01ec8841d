import { type DocentOptions, startDocent, type TestDocent } from "./docent.ts";

/** What was answered, with its body read. */
export interface AdminReply {
  status: number;
  headers: Headers;
  body: unknown;
  text: string;
}

/** Who asks: a key of the server or of the organization `default`, or one of the organization `other`. */
export type KeyName = "server" | "serverRead" | "own" | "ownRead" | "other" | "assistant" | "none";

export interface AdminDoorUnderTest extends TestDocent {
  keys: Record<KeyName, string>;
  ask(
    method: string,
    path: string,
    init?: { as?: KeyName; body?: unknown; headers?: Record<string, string> },
  ): Promise<AdminReply>;
  /** The same, and the status that must come of it. Returns the body. */
  expectStatus(
    status: number,
    method: string,
    path: string,
    init?: { as?: KeyName; body?: unknown },
  ): Promise<Record<string, unknown>>;
}

/** A server with the site `acme` of the organization `default`, and `rival` of the organization `other`. */
export async function startAdminDoor(options: DocentOptions = {}): Promise<AdminDoorUnderTest> {
  const docent = await startDocent(options);
  const { people } = docent.app.parts;
  const { organizationId: own } = await people.sites.get("acme");
  const { id: other } = await people.sites.addOrganization("other");
  await people.sites.add({ domain: "rival", organization: other });
  const make = async (organizationId: string | undefined, mayWrite: boolean) =>
    (await people.adminKeys.create({ name: "test", organizationId, mayWrite })).text;
  const keys: AdminDoorUnderTest["keys"] = {
    server: await make(undefined, true),
    serverRead: await make(undefined, false),
    own: await make(own, true),
    ownRead: await make(own, false),
    other: await make(other, true),
    assistant: docent.key,
    none: "",
  };
  const ask: AdminDoorUnderTest["ask"] = async (method, path, { as = "own", body, headers = {} } = {}) => {
    const reply = await fetch(`${docent.url}/v1/admin${path}`, {
      method,
      headers: {
        ...(keys[as] === "" ? {} : { authorization: `Bearer ${keys[as]}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await reply.text();
    const isJson = reply.headers.get("content-type")?.startsWith("application/json") === true;
    return {
      status: reply.status,
      headers: reply.headers,
      text,
      body: isJson ? JSON.parse(text) : undefined,
    };
  };
  return {
    ...docent,
    keys,
    ask,
    async expectStatus(status, method, path, init) {
      const reply = await ask(method, path, init);
      if (reply.status !== status) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
      return typeof reply.body === "object" && reply.body !== null
        ? Object.fromEntries(Object.entries(reply.body))
        : {};
    },
  };
}
