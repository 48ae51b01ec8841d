import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { type Described, readDocument } from "../helpers/api-document.ts";
import { zipBytes } from "../helpers/archive-bytes.ts";
import { FIXTURE_DOCS, question } from "../helpers/docent.ts";
import { cookieOf, type MemberDoor, PASSWORD, startMemberDoor } from "../helpers/member-door.ts";
import { isShared } from "../helpers/shared-database.ts";

// Made from the OpenAPI document: a new operation that changes something says which entry it leaves, or stands here.

/** Operations that change something, or ask with a body, and leave no entry. */
const UNRECORDED: Record<string, string> = {
  trySite: "answers a question, and keeps nothing",
  explainSearch: "asks with a body, and changes nothing",
  runGoldenQuestions: "asks, and changes nothing",
  measureEnrichment: "measures, and changes nothing that readers get",
  addEvaluationQuestion: "keeps a question for owners' measures alone",
  removeEvaluationQuestion: "drops a question of owners' measures alone",
  setGapState: "marks owners' own list of work",
  tryNoticeDestination: "sends a sample, and changes nothing",
  signOut: "ends what is one's own",
  endSession: "ends what is one's own",
  lookAtLink: "asks with a body, and changes nothing",
};

const entrySchema = z.object({
  kind: z.string(),
  actor: z.object({ kind: z.string(), id: z.string().nullable(), name: z.string().nullable() }),
  site: z.string().nullable(),
  subject: z.object({ id: z.string().nullable(), name: z.string().nullable() }),
  details: z.record(z.string(), z.unknown()),
});
const listSchema = z.object({ entries: z.array(entrySchema), nextCursor: z.string().nullable() });

let door: MemberDoor;
let operations: Described[];
beforeAll(async () => {
  door = await startMemberDoor({
    settings: {
      hand_over_hosts: "hooks.acme.example",
      source_roots: `default=${FIXTURE_DOCS}`,
      name_sign_ins_per_hour: "1000",
      address_sign_ins_per_hour: "1000",
    },
  });
  operations = readDocument(await (await fetch(`${door.url}/openapi.json`)).json()).operations;
});
afterAll(() => door.close());

/** The kinds of entries that an operation says it leaves. */
const kindsOf = ({ description = "" }: Described): string[] =>
  [...(/The audit log has it as (.*)\./.exec(description)?.[1] ?? "").matchAll(/`([^`]+)`/g)].map(
    ([, kind = ""]) => kind,
  );

async function log(query = "", as: Parameters<MemberDoor["send"]>[2] = { as: "root" }) {
  const { status, text } = await door.send("GET", `/v1/admin/audit${query}`, as);
  if (status !== 200) throw new Error(`${status} ${text}`);
  return listSchema.parse(JSON.parse(text));
}

describe("the audit log", () => {
  test("every operation of owners that changes something leaves an entry, or has a reason why not", () => {
    const changing = operations
      .filter(
        ({ method, security }) =>
          method !== "GET" && security.some((each) => "admin" in each || "session" in each),
      )
      .concat(
        operations.filter(({ operationId }) => ["signIn", "lookAtLink", "redeemLink"].includes(operationId)),
      );
    expect(changing.length).toBeGreaterThan(30);
    const silent = changing.filter((one) => kindsOf(one).length === 0).map(({ operationId }) => operationId);
    expect(silent.toSorted()).toEqual(Object.keys(UNRECORDED).toSorted());
  });

  test("every operation that says so leaves its entries, by whoever used it", async () => {
    const left = new Map<string, string[]>();
    const as = "root";
    let seen = (await log("?limit=1000")).entries.length;
    /** Does something, and notes which entries are new. */
    async function doing(id: string, work: () => Promise<{ status: number; text: string }>) {
      const { status, text } = await work();
      expect([id, status < 300 || status === 401, text]).toEqual([id, true, text]);
      // A failure is noted when it has been answered.
      if (status === 401) while ((await log("?limit=1000")).entries.length === seen) await Bun.sleep(10);
      const { entries } = await log("?limit=1000");
      const fresh = entries.slice(0, entries.length - seen);
      seen = entries.length;
      left.set(id, [...(left.get(id) ?? []), ...fresh.map(({ kind }) => kind)]);
      return text === "" ? {} : Object(jsonOr(text));
    }
    const send = (id: string, method: string, path: string, body?: unknown) =>
      doing(id, () => door.send(method, path, { as, body }));
    const upload = (id: string, method: string, path: string) =>
      doing(id, async () => {
        const headers = { cookie: door.cookies.root, origin: new URL(door.url).origin };
        const body = zipBytes([{ name: "index.md", text: "# Home\n\nWords." }]);
        const reply = await fetch(`${door.url}${path}`, { method, headers, body });
        return { status: reply.status, text: await reply.text() };
      });
    const site = "/v1/admin/sites/audited";
    await send("addOrganization", "POST", "/v1/admin/organizations", { name: "new" });
    await send("addSite", "POST", "/v1/admin/sites", { domain: "audited" });
    await send("changeSite", "PATCH", site, { settings: { contact: "a@example.com" } });
    const secret = await send("createReaderSecret", "POST", `${site}/reader-secrets`);
    await send("endReaderSecret", "DELETE", `${site}/reader-secrets/${secret.id}`);
    const key = await send("createAssistantKey", "POST", "/v1/admin/keys", { name: "k" });
    await send("revokeAssistantKey", "DELETE", `/v1/admin/keys/${key.id}`);
    const admin = await send("createAdminKey", "POST", "/v1/admin/admin-keys", { name: "a", server: true });
    await send("revokeAdminKey", "DELETE", `/v1/admin/admin-keys/${admin.id}`);
    const invited = await send("inviteMember", "POST", "/v1/admin/members", {
      name: "Grace",
      organization: "default",
    });
    const member = `/v1/admin/members/${invited.member.id}`;
    await send("changeMember", "PATCH", member, { organization: "default", role: "owner" });
    const { link } = await send("createMemberLink", "POST", `${member}/link`);
    await doing("redeemLink", () =>
      door.send("PUT", "/v1/session/link", {
        body: { link: String(link).replace(/^.*[#=/]/, ""), password: PASSWORD },
      }),
    );
    await doing("signIn", () =>
      door.send("POST", "/v1/session", { body: { name: "Grace", password: PASSWORD } }),
    );
    await doing("signIn", () =>
      door.send("POST", "/v1/session", { body: { name: "Grace", password: "wrong" } }),
    );
    const grace = await door.signIn("Grace");
    seen = (await log("?limit=1000")).entries.length;
    await doing("changePassword", () =>
      door.send("PUT", "/v1/session/password", {
        body: { current: PASSWORD, password: "a river runs uphill" },
        headers: { cookie: grace },
      }),
    );
    await send("removeMember", "DELETE", member);
    const source = await send("addSource", "POST", `${site}/sources`, { place: FIXTURE_DOCS });
    await send("addSource", "POST", `${site}/sources`, { place: FIXTURE_DOCS, groups: ["staff"] });
    await send("changeSource", "PATCH", `${site}/sources/${source.number}`, { groups: [] });
    const uploaded = await upload("uploadArchive", "POST", `${site}/uploads?name=docs.zip&groups=staff`);
    await upload("replaceArchive", "PUT", `${site}/uploads/${uploaded.number}`);
    await send("startRun", "POST", `${site}/sources/${source.number}/runs`, {});
    await idle(site);
    await send("removeSource", "DELETE", `${site}/sources/${source.number}`, { confirm: source.number });
    await idle(site);
    seen = (await log("?limit=1000")).entries.length;
    await send("rollBackGeneration", "POST", `${site}/generations/rollback`, {});
    await send("writeCuratedAnswer", "PUT", `${site}/answers/hello`, {
      markdown: "---\nquestion: Hi?\n---\nYes.",
    });
    await send("deleteCuratedAnswer", "DELETE", `${site}/answers/hello`);
    const golden = await send("addGoldenQuestion", "POST", "/v1/admin/sites/acme/golden/questions", {
      question: "How do I install Acme?",
      expected: ["guide/install"],
    });
    await send("importGoldenQuestions", "POST", "/v1/admin/sites/acme/golden/import", { from: "liked" });
    await send("removeGoldenQuestion", "DELETE", `/v1/admin/sites/acme/golden/questions/${golden.id}`);
    const notices = await send("addNoticeDestination", "POST", "/v1/admin/notices", {
      name: "ops",
      channel: "chat",
      address: "https://hooks.acme.example/x",
      kinds: [],
    });
    await send("changeNoticeDestination", "PATCH", `/v1/admin/notices/${notices.id}`, { name: "others" });
    await send("removeNoticeDestination", "DELETE", `/v1/admin/notices/${notices.id}`);
    await send("removeEnrichment", "DELETE", `${site}/enrichment`);
    await send("exportConversations", "GET", "/v1/analytics/acme/export?format=csv");
    for (const id of ["deleteThread", "deleteThreadOfTurn", "deleteReader"]) {
      const asked = await door.post(question("How do I install Acme?", { fp: "ann" }));
      await asked.text();
      const [thread, message] = ["x-thread-id", "x-message-id"].map((name) => asked.headers.get(name));
      const paths: Record<string, string> = {
        deleteThread: `/v1/admin/sites/acme/threads/${thread}`,
        deleteThreadOfTurn: `/v1/analytics/acme/conversations/${message}`,
        deleteReader: "/v1/admin/sites/acme/readers/ann",
      };
      await send(id, "DELETE", paths[id] ?? "");
    }
    // Of a PostgreSQL database, Docent makes no backup.
    const withoutBackup = isShared ? ["downloadBackup", "downloadBackupByForm"] : [];
    if (!isShared) {
      await send("downloadBackup", "GET", "/v1/admin/backup");
      await send("downloadBackupByForm", "POST", "/v1/admin/backup");
    }
    await send("removeSite", "DELETE", site, { confirm: "audited" });

    const declared = operations
      .filter((one) => kindsOf(one).length > 0)
      .filter(({ operationId }) => !withoutBackup.includes(operationId))
      // It needs a provider, as the tests of signing in have one.
      .filter(({ operationId }) => operationId !== "completeSignIn");
    for (const one of declared) {
      const kinds = new Set(left.get(one.operationId));
      // What a run of a server does meanwhile is the server's.
      const own = [...kinds].filter((kind) => kindsOf(one).includes(kind));
      expect([one.operationId, own.toSorted()]).toEqual([one.operationId, kindsOf(one).toSorted()]);
    }
    const { entries } = await log("?limit=1000");
    const told = JSON.stringify(entries);
    for (const secret of [key.key, admin.key, link, PASSWORD, "How do I install", "a@example.com"])
      expect(told).not.toContain(secret);
    const byServer = entries.filter(({ actor }) => actor.kind === "server").map(({ kind }) => kind);
    expect(byServer).toContain("source.read");
    expect(byServer).toContain("source.removed");
    expect(entries.find(({ kind }) => kind === "site.changed")).toMatchObject({
      actor: { kind: "member", id: door.ids.root, name: "root" },
      site: "audited",
      details: { changed: ["contact"] },
    });
  });

  test("what is refused leaves no entry, and a preview neither", async () => {
    const before = (await log("?limit=1000")).entries.length;
    await door.send("PATCH", "/v1/admin/sites/acme", { as: "viewer", body: { name: "x" } });
    await door.send("PATCH", "/v1/admin/sites/acme", { as: "root", body: { name: 1 } });
    await door.send("PATCH", "/v1/admin/sites/acme", { as: "root", body: {} });
    await door.send("DELETE", "/v1/admin/sites/acme", { as: "root", body: { confirm: "other" } });
    expect((await log("?limit=1000")).entries).toHaveLength(before);
  });

  test("an owner reads what their organization did and nothing else; a viewer nothing; keys the same", async () => {
    await door.send("PATCH", "/v1/admin/sites/rival", { as: "foreign", body: { name: "Rival one" } });
    await door.send("PATCH", "/v1/admin/sites/acme", { as: "owner", body: { name: "Acme one" } });
    const sitesOf = async (as: "owner" | "foreign" | "both") =>
      new Set((await log("?kind=site.changed&limit=1000", { as })).entries.map(({ site }) => site));
    expect(await sitesOf("foreign")).toEqual(new Set(["rival"]));
    expect((await sitesOf("owner")).has("rival")).toBe(false);
    // An owner there, and a viewer here.
    expect(await sitesOf("both")).toEqual(new Set(["rival"]));
    expect((await log("?kind=backup.taken", { as: "owner" })).entries).toEqual([]);
    expect((await door.send("GET", "/v1/admin/audit", { as: "viewer" })).status).toBe(403);
    expect((await door.ask("GET", "/audit", { as: "ownRead" })).status).toBe(403);
    expect((await door.ask("GET", "/audit", { as: "own" })).status).toBe(200);
    expect((await door.ask("GET", "/audit", { as: "serverRead" })).text).toContain("organization.added");
    expect((await door.ask("GET", "/audit", { as: "other" })).text).not.toContain('"acme"');
    expect((await door.ask("GET", "/audit", { as: "none" })).status).toBe(401);
  });

  test("it is narrowed by kind and by who it was, and comes in parts", async () => {
    await door.ask("PATCH", "/sites/acme", { as: "own", body: { name: "Acme by a key" } });
    const { entries } = await log("?kind=site.changed,site.added&limit=1000");
    expect(new Set(entries.map(({ kind }) => kind))).toEqual(new Set(["site.changed", "site.added"]));
    const byKey = entries.find(({ actor }) => actor.kind === "admin-key");
    expect((await log(`?actor=${byKey?.actor.id}`)).entries).toEqual(byKey ? [byKey] : []);
    const first = await log("?limit=2");
    const second = await log(`?limit=2&cursor=${first.nextCursor}`);
    expect([...first.entries, ...second.entries]).toEqual((await log("?limit=4")).entries);
    expect((await door.send("GET", "/v1/admin/audit?kind=nothing", { as: "root" })).status).toBe(400);
  });

  test("failed sign-ins are listed under a member's name or none, and no more than 20 of each in an hour", async () => {
    const failures = async () => (await log("?kind=member.sign-in-failed&limit=1000")).entries;
    const before = (await failures()).length;
    const typed = "hunter2 typed as a name";
    for (let attempt = 0; attempt < 25; attempt++)
      for (const name of ["viewer", `${typed} ${attempt}`])
        await door.send("POST", "/v1/session", { body: { name, password: "wrong" } });
    // Nobody waits until a failure is noted.
    while ((await failures()).length < before + 2 * 20) await Bun.sleep(10);
    const listed = (await failures()).slice(0, -before || undefined);
    const names = Map.groupBy(listed, ({ subject }) => subject.name);
    expect([...names].map(([name, of]) => [name, of.length]).toSorted()).toEqual([
      [null, 20],
      ["viewer", 20],
    ]);
    expect(listed.filter(({ details }) => details["lastListed"] === true)).toHaveLength(2);
    expect(listed.every(({ actor }) => actor.kind === "nobody")).toBe(true);
    expect(JSON.stringify(listed)).not.toContain("hunter2");
    expect(
      cookieOf(
        (await door.send("POST", "/v1/session", { body: { name: "viewer", password: PASSWORD } })).headers,
      ),
    ).not.toBe("");
  });
});

/** Waits until no run of a site is under way. */
async function idle(site: string): Promise<void> {
  while ((await door.send("GET", `${site}/runs`, { as: "root" })).text !== "[]") await Bun.sleep(10);
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
