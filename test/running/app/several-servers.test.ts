import { expect, test } from "bun:test";
import { SLACK_SECRET, slackBody, slackHeaders } from "../../doors/chat/posts.ts";
import { zipBytes } from "../../helpers/archive-bytes.ts";
import { question, startDocent, type TestDocent } from "../../helpers/docent.ts";
import { startFakeOllama } from "../../helpers/fake-ollama.ts";
import { hasPostgres, newDatabase } from "../../helpers/postgres.ts";
import { appErrorOf } from "../../helpers/rejection.ts";

async function siteOf({ app }: TestDocent) {
  const site = (await app.parts.people.sites.list()).find(({ domain }) => domain === "acme");
  if (site === undefined) throw new Error("there is no site");
  return site;
}

async function upload(docent: TestDocent, text: string): Promise<number> {
  const { id: siteId, organizationId } = await siteOf(docent);
  async function* content() {
    yield zipBytes([{ name: "guide.md", text, stored: true }]);
  }
  const taken = await docent.app.parts.sources.uploadedSources.take(
    { siteId, organizationId, version: "", language: "" },
    { name: "docs.zip", content: content(), announcedBytes: undefined },
  );
  return taken.id;
}

async function read(docent: TestDocent, sourceId: number) {
  const site = await siteOf(docent);
  const { ofSites } = docent.app.parts.sources;
  const source = await ofSites.get(site.id, sourceId);
  return ofSites.run(site, source, { signal: new AbortController().signal });
}

test.if(hasPostgres)(
  "an archive that one server took is read by another, and goes with its source",
  async () => {
    const settings = { database_url: await newDatabase(), site_uploads_bytes: "10000" };
    const one = await startDocent({ settings, docs: null });
    const other = await startDocent({ settings, docs: null });
    const id = await upload(one, "# Guide\n\nTurn the zebra crank.");
    expect(await read(other, id)).toMatchObject({ added: 1, changed: 0 });
    expect(await upload(other, "# Guide\n\nTurn the zebra crank twice.")).toBe(id);
    expect(await read(one, id)).toMatchObject({ added: 0, changed: 1 });
    // What another server keeps counts for the site's room here.
    expect(await appErrorOf(() => upload(one, "#".repeat(10_000)))).toMatchObject({ code: "too_large" });

    const site = await siteOf(one);
    const { ofSites } = one.app.parts.sources;
    const source = await ofSites.get(site.id, id);
    await ofSites.remove(site, source, new AbortController().signal);
    expect(await other.app.parts.storage.content.uploads?.revision(id)).toBeUndefined();
    await Promise.all([one.close(), other.close()]);
  },
);

test.if(hasPostgres)("a run that one server was asked for is told by another", async () => {
  const settings = { database_url: await newDatabase() };
  const one = await startDocent({ settings, docs: null });
  const other = await startDocent({ settings, docs: null });
  const id = await upload(one, "# Guide\n\nTurn the zebra crank.");
  const { text } = await one.app.parts.people.adminKeys.create({
    name: "admin",
    organizationId: undefined,
    mayWrite: true,
  });
  const headers = { authorization: `Bearer ${text}`, "content-type": "application/json" };
  const asked = await fetch(`${one.url}/v1/admin/sites/acme/sources/${id}/runs`, {
    method: "POST",
    headers,
    body: "{}",
  });
  expect(asked.status).toBe(202);
  const place = `${other.url}${asked.headers.get("location")}`;
  const look = async () => (await fetch(place, { headers })).json();
  for (let run = await look(); run.outcome !== "published"; run = await look()) {
    expect(["waiting", "running"]).toContain(run.state);
    await Bun.sleep(20);
  }
  await Promise.all([one.close(), other.close()]);
});

test.if(hasPostgres)("what a chat has sent one server is not taken by another", async () => {
  const options = {
    settings: { database_url: await newDatabase(), chat_variables: "acme/slack=SLACK_SECRET" },
    environment: { SLACK_SECRET },
  };
  const one = await startDocent(options);
  const other = await startDocent({ ...options, docs: null });
  await one.app.parts.people.sites.set("acme", { settings: { chat: "channel" } });
  const send = async ({ url }: TestDocent, body: string) => {
    const headers = slackHeaders(body, Date.now());
    return (await fetch(`${url}/v1/chats/acme/slack`, { method: "POST", headers, body })).status;
  };
  const body = slackBody("How do I install Acme on Linux?", { trigger_id: "once" });
  const headers = slackHeaders(body, Date.now());
  const again = async ({ url }: TestDocent) =>
    (await fetch(`${url}/v1/chats/acme/slack`, { method: "POST", headers, body })).status;
  // The other one is told of the site's setting in a moment.
  while ((await send(other, slackBody("", { trigger_id: String(Math.random()) }))) === 401)
    await Bun.sleep(20);
  expect([await again(one), await again(other), await again(one)]).toEqual([200, 401, 401]);
  await Promise.all([one.close(), other.close()]);
});

test.if(hasPostgres)(
  "an address reads no more answers at the same time over all servers than over one",
  async () => {
    const ollama = startFakeOllama({ reply: { text: "Run it [1].", firstTokenMs: 60_000 } });
    const settings = { database_url: await newDatabase(), address_streams: "2" };
    const one = await startDocent({ settings, ollama: ollama.url });
    const other = await startDocent({ settings, ollama: ollama.url, docs: null });
    const leaving = new AbortController();
    const asked = question("How do I install Acme on Linux?");
    const ask = (docent: TestDocent) => docent.post(asked, { key: one.key, signal: leaving.signal });
    const replies = await Promise.all([ask(one), ask(other)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    for (const docent of [one, other]) expect((await ask(docent)).status).toBe(429);
    leaving.abort();
    await Promise.allSettled(replies.map((reply) => reply.text()));
    ollama.replyWith({ text: "Run it [1]." });
    let status = 429;
    while (status === 429) {
      const reply = await other.post(asked, { key: one.key });
      await reply.text();
      status = reply.status;
    }
    expect(status).toBe(200);
    await Promise.all([one.close(), other.close()]);
    await ollama.stop();
  },
);
