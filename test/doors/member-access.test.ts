import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Described, filledPath, readDocument } from "../helpers/api-document.ts";
import { question } from "../helpers/docent.ts";
import { cookieOf, type MemberDoor, type MemberName, startMemberDoor } from "../helpers/member-door.ts";

// Made from the OpenAPI document: an operation that is added later is in it by itself, and is held to the rule.
// Whoever reads may GET, whoever owns may do the rest, and of what is another organization's there is nothing.

/** Open to owners of the server alone. */
const SERVER_ONLY = new Set([
  "getServer",
  "downloadBackup",
  "downloadBackupByForm",
  "addOrganization",
  "listAdminKeys",
  "createAdminKey",
  "revokeAdminKey",
]);
/** Not for viewers: what owners do is no affair of theirs. */
const OWNERS_ONLY = new Set(["listAuditEntries"]);
/** They ask with a body, and change nothing. */
const READS_BY_POST = new Set(["explainSearch", "trySite"]);
/** What no operation knows: what is let through changes nothing, and is told apart from what is refused. */
const NONSENSE = { nonsense: true };

let door: MemberDoor;
let operations: Described[];
/** Whose parameters are what, by the path's beginning. */
let known: [prefix: string, values: Record<string, string>][];

beforeAll(async () => {
  door = await startMemberDoor({ settings: { address_messages_per_minute: "0" } });
  const { people } = door.app.parts;
  const document = readDocument(await (await fetch(`${door.url}/openapi.json`)).json());
  operations = document.operations.filter(({ path }) => /^\/v1\/(?:admin|analytics)\//.test(path));
  const asked = await door.post(question("How do I install Acme?"));
  await asked.text();
  const [thread, message] = ["x-thread-id", "x-message-id"].map((name) => asked.headers.get(name) ?? "");
  const { member } = await people.members.invite("target", {
    organizationId: door.organizations.own,
    role: "viewer",
  });
  const [key] = await people.keys.list();
  const { organizationId } = await people.sites.get("acme");
  const admin = await people.adminKeys.create({ name: "target", organizationId, mayWrite: true });
  known = [
    ["/v1/admin/members", { id: member.id }],
    ["/v1/admin/keys", { id: key?.id ?? "" }],
    ["/v1/admin/admin-keys", { id: admin.key.id }],
    ["/v1/admin/sites/{domain}/threads", { id: thread ?? "" }],
    ["/v1/analytics/{domain}/conversations", { id: message ?? "" }],
    ["/v1/analytics/{domain}/assistant", { id: thread ?? "" }],
    ["", { domain: "acme", number: "1", run: "1" }],
  ];
});
afterAll(() => door.close());

const valuesOf = ({ path }: Described): Record<string, string> =>
  Object.assign({}, ...known.filter(([prefix]) => path.startsWith(prefix)).map(([, values]) => values));

interface As {
  as?: MemberName;
  headers?: Record<string, string | null>;
  /** Sent in place of what no operation knows. */
  body?: unknown;
  /** In place of what is there. */
  values?: Record<string, string>;
}

async function ask(one: Described, { as, headers = {}, body = NONSENSE, values }: As) {
  const takesBody = one.requestBody !== undefined;
  const reply = await door.send(one.method, filledPath(one, { ...valuesOf(one), ...values }), {
    as,
    headers,
    ...(takesBody ? { body } : {}),
  });
  return { ...reply, said: reply.text.replace(/"requestId":"\w+"/, "") };
}

const isRead = ({ method, operationId }: Described) => method === "GET" || READS_BY_POST.has(operationId);

/** The operations for which something is not as it has to be, with what came instead. */
async function exceptions(
  chosen: Described[],
  how: As,
  isRight: (status: number, one: Described) => boolean,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const one of chosen) {
    const { status, text } = await ask(one, how);
    if (!isRight(status, one)) wrong.push(`${one.method} ${one.path}: ${status} ${text.slice(0, 200)}`);
  }
  return wrong;
}

const isRefused = (status: number) => status === 403;
const isLetThrough = (status: number) => status !== 401 && status !== 403 && status < 500;

test("every operation of the dashboard is here, and every one of them takes a session", () => {
  expect(operations.length).toBeGreaterThan(50);
  const closed = operations.filter(({ security }) => !security.some((way) => "session" in way));
  expect(closed.map(({ operationId }) => operationId)).toEqual([]);
  const ids = new Set(operations.map(({ operationId }) => operationId));
  expect([...SERVER_ONLY, ...READS_BY_POST].filter((id) => !ids.has(id))).toEqual([]);
});

describe("nothing is open", () => {
  test("to nobody, who learns not even what there is", async () => {
    expect(await exceptions(operations, {}, (status) => status === 401)).toEqual([]);
    for (const one of operations.filter(({ path }) => path.includes("{domain}")))
      expect((await ask(one, {})).said).toBe((await ask(one, { values: { domain: "nowhere" } })).said);
  });

  test("to the reader's cookie, which has the same secret", async () => {
    const page = await fetch(`${door.url}/sites/acme/`, { headers: { cookie: door.cookies.root } });
    const cookie = cookieOf(page.headers);
    expect(cookie).toStartWith("docent_reader=docent_ses_");
    expect(await exceptions(operations, { headers: { cookie } }, (status) => status === 401)).toEqual([]);
  });

  test.each([
    ["of another origin", { origin: "https://evil.example" }],
    ["that is sandboxed, as the reader's are", { origin: "null", "sec-fetch-site": "cross-site" }],
    ["of a neighbour, which names no origin", { origin: null, "sec-fetch-site": "same-site" }],
  ])("to a page %s, whoever is signed in", async (_, headers) => {
    expect(await exceptions(operations, { as: "root", headers }, isRefused)).toEqual([]);
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])(
    "to a form as %s, which names no origin",
    async (type) => {
      const headers = { origin: null, "content-type": type };
      const writes = operations.filter(({ method }) => method !== "GET");
      expect(await exceptions(writes, { as: "root", headers }, isRefused)).toEqual([]);
      const taking = writes.filter(
        ({ requestBody }) => requestBody !== undefined && "application/json" in requestBody.content,
      );
      const own = { as: "root", headers: { "content-type": type } } as const;
      expect(await exceptions(taking, own, (status) => status === 415 || status === 404)).toEqual([]);
    },
  );
});

describe("a viewer", () => {
  test("reads, and changes nothing", async () => {
    const may = operations.filter(
      (one) => isRead(one) && !SERVER_ONLY.has(one.operationId) && !OWNERS_ONLY.has(one.operationId),
    );
    expect(await exceptions(may, { as: "viewer" }, isLetThrough)).toEqual([]);
    const mayNot = operations.filter((one) => !may.includes(one));
    expect(await exceptions(mayNot, { as: "viewer" }, isRefused)).toEqual([]);
  });

  test("changes nothing with an owner's rights from elsewhere either", async () => {
    const writes = operations.filter((one) => !isRead(one) && one.path.includes("{domain}"));
    const isClosed = (status: number) => status === 403 || status === 404;
    expect(await exceptions(writes, { as: "both" }, isClosed)).toEqual([]);
  });
});

describe("an owner of another organization", () => {
  test("gets what would come if there were no such thing", async () => {
    const named = operations.filter(
      ({ path, operationId }) => path.includes("{") && !SERVER_ONLY.has(operationId),
    );
    expect(named.length).toBeGreaterThan(40);
    for (const one of named) {
      const there = await ask(one, { as: "foreign" });
      const missing = await ask(one, {
        as: "foreign",
        values: { domain: "nowhere", id: "none", number: "99" },
      });
      expect([one.operationId, there.status, there.said]).toEqual([one.operationId, 404, missing.said]);
    }
  });

  test("is told nothing of it in a list", async () => {
    const lists = operations.filter(
      ({ method, path, operationId }) =>
        method === "GET" && !path.includes("{") && !SERVER_ONLY.has(operationId),
    );
    for (const one of lists) {
      const { status, text } = await ask(one, { as: "foreign" });
      expect([one.operationId, status]).toEqual([one.operationId, 200]);
      for (const secret of [door.organizations.own, '"acme"', door.key, door.ids.owner])
        expect(text, one.operationId).not.toContain(secret);
    }
  });

  test("makes nothing in it", async () => {
    const making = operations.filter(
      ({ method, path, operationId }) =>
        method === "POST" && !path.includes("{") && !SERVER_ONLY.has(operationId),
    );
    expect(making.length).toBeGreaterThan(2);
    for (const one of making)
      for (const organization of [door.organizations.own, "default"]) {
        const example = Object(one.requestBody?.content["application/json"]?.example);
        const { status } = await ask(one, { as: "foreign", body: { ...example, organization } });
        expect([one.operationId, status]).toEqual([one.operationId, 404]);
      }
  });
});

describe("what is the server's", () => {
  const ofServer = () => operations.filter(({ operationId }) => SERVER_ONLY.has(operationId));

  test.each(["owner", "viewer", "foreign", "both"] as const)(
    "is closed to members of organizations: %s",
    async (as) => {
      expect(await exceptions(ofServer(), { as }, isRefused)).toEqual([]);
    },
  );
});

// They come last: what is let through may be gone.
describe("owners", () => {
  const last = ({ method }: Described) => (method === "DELETE" ? 1 : 0);
  const inOrder = () => [...operations].sort((one, other) => last(one) - last(other));

  test("of the organization do all that is its own", async () => {
    const own = inOrder().filter(({ operationId }) => !SERVER_ONLY.has(operationId));
    expect(await exceptions(own, { as: "owner" }, isLetThrough)).toEqual([]);
  });

  test("of the server do everything", async () => {
    expect(await exceptions(inOrder(), { as: "root" }, isLetThrough)).toEqual([]);
  });
});
