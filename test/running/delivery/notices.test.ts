import { describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { createSeal, UNSEALED } from "../../../src/kernel/lib/seal/seal.ts";
import { openNoticeWays } from "../../../src/running/delivery/delivery.ts";
import type { Notice, NoticeChannel, NoticeDestination } from "../../../src/sites/notices/notice.ts";
import { TEST_TIME } from "../../helpers/fake-clock.ts";
import { startMailServer } from "../../helpers/mail-server.ts";

const NEVER = new AbortController().signal;
const NOTICE: Notice = {
  id: "01K",
  kind: "source-failing",
  state: "bad",
  site: { domain: "acme", name: "Acme" },
  title: "Acme: a source fails\r\nBcc: everyone@acme.example",
  text: "@everyone <!channel> <https://evil.example|look> & more",
  url: "https://docent.acme.example/dashboard/default/acme/content/sources/1",
  at: TEST_TIME,
};

/** A real server that keeps what is posted to it. */
function hook(reply: () => Response | Promise<Response> = () => new Response("ok")) {
  const received: { body: string; headers: Headers }[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      received.push({ body: await request.text(), headers: request.headers });
      return reply();
    },
  });
  const host = `127.0.0.1:${server.port}`;
  return { received, host, address: `http://${host}/services/T0/geheim`, close: () => server.stop(true) };
}

const ways = (settings: Partial<Parameters<typeof openNoticeWays>[0]> = {}, seal = UNSEALED) =>
  openNoticeWays(
    {
      hand_over_hosts: [],
      mail_server: "",
      mail_from: "",
      delivery_seconds: 300,
      certificate_authorities: "",
      ...settings,
    },
    seal,
  );

function send(all: ReturnType<typeof ways>, channel: NoticeChannel, address: string, notice = NOTICE) {
  const way = all.find(({ channels }) => channels.includes(channel));
  const destination: NoticeDestination = {
    id: "d",
    organizationId: undefined,
    name: "ops",
    channel,
    address,
    secret: channel === "webhook" ? "docent_whs_x" : undefined,
    kinds: [],
    createdAt: 0,
  };
  if (!way) throw new Error(`no way for ${channel}`);
  return { fault: way.fault(destination), sent: () => way.send(notice, destination, NEVER) };
}

describe("a webhook", () => {
  test("gets JSON that is signed with its secret, over the time and the body", async () => {
    const { received, address, host, close } = hook();
    const { sent } = send(ways({ hand_over_hosts: [host] }), "webhook", address);
    expect(await sent()).toEqual({ isSent: true, says: "status 200" });
    await close();
    const [{ body, headers } = { body: "", headers: new Headers() }] = received;
    expect(JSON.parse(body)).toMatchObject({
      type: "notice",
      id: "01K",
      kind: "source-failing",
      state: "bad",
      site: { domain: "acme" },
      url: NOTICE.url,
      at: "2026-01-02T03:04:05.000Z",
    });
    const at = headers.get("x-docent-timestamp");
    expect(at).toBe(String(TEST_TIME / 1000));
    expect(headers.get("x-docent-notice")).toBe("01K");
    const expected = createHmac("sha256", "docent_whs_x").update(`${at}.${body}`).digest("hex");
    expect(headers.get("x-docent-signature")).toBe(`sha256=${expected}`);
  });
});

describe("a chat", () => {
  test("gets text in which nobody is called and no link is made of what others wrote", async () => {
    const { received, address, host, close } = hook();
    await send(ways({ hand_over_hosts: [host] }), "chat", address).sent();
    await close();
    const { text } = JSON.parse(received[0]?.body ?? "");
    expect(text).toStartWith("⚠️ Acme: a source fails Bcc:");
    expect(text).not.toMatch(/@everyone|<!channel>|<https/);
    expect(text).toContain("&lt;!channel&gt;");
    expect(text).toEndWith(`\n${NOTICE.url}`);
  });

  test("Discord gets content, and is told to call nobody", async () => {
    const { received, address, host, close } = hook();
    const all = ways({ hand_over_hosts: [host] });
    await send(all, "discord", address).sent();
    await close();
    const sent = JSON.parse(received[0]?.body ?? "");
    expect(Object.keys(sent).sort()).toEqual(["allowed_mentions", "content"]);
    expect(sent.allowed_mentions).toEqual({ parse: [] });
    expect(sent.content).not.toContain("@everyone");
    expect(sent.content.length).toBeLessThanOrEqual(2000);
  });
});

describe("the whole of what a notice tells", () => {
  const told: Notice = { ...NOTICE, state: "news", report: { number: 2, pages: { added: [] } } };

  test("goes to a program, and not into a chat", async () => {
    const { received, address, host, close } = hook();
    const all = ways({ hand_over_hosts: [host] });
    await send(all, "webhook", address, told).sent();
    await send(all, "webhook", address).sent();
    await send(all, "chat", address, { ...told, state: "undone" }).sent();
    await send(all, "discord", address, told).sent();
    await close();
    const [program, without, chat, discord] = received.map(({ body }) => JSON.parse(body));
    expect([program.state, program.report]).toEqual(["news", told.report]);
    expect(without).not.toHaveProperty("report");
    expect(Object.keys(chat)).toEqual(["text"]);
    expect(chat.text).toStartWith("↩️ Acme");
    expect(discord.content).toStartWith("ℹ️ Acme");
    expect(JSON.stringify([chat, discord])).not.toContain("added");
  });
});

describe("every webhook", () => {
  test.each(["webhook", "chat", "discord"] as const)(
    "of the kind %s is only on a host that the operator named",
    async (channel) => {
      const { received, address, close } = hook();
      const { fault, sent } = send(ways({ hand_over_hosts: ["hooks.acme.example"] }), channel, address);
      expect(fault).toContain("hand_over_hosts");
      expect(await sent()).toEqual({ isSent: false, says: expect.stringContaining("hand_over_hosts") });
      await close();
      expect(received).toEqual([]);
      expect(send(ways(), channel, "javascript:alert(1)").fault).toBe("must begin with https://");
    },
  );

  test("says what came back, and nothing of its address", async () => {
    const refusing = hook(() => new Response("geheim", { status: 403 }));
    const silent = hook(() => new Promise<Response>(() => {}));
    const other = hook();
    const leading = hook(() => Response.redirect(other.address, 307));
    const gone = hook();
    await gone.close();
    const all = [refusing, silent, leading, gone, other];
    const opened = (seconds: number) =>
      ways({ hand_over_hosts: all.map(({ host }) => host), delivery_seconds: seconds });
    const says = await Promise.all(
      [refusing, silent, leading, gone].map((each) =>
        send(opened(each === silent ? 1 : 300), "chat", each.address).sent(),
      ),
    );
    await Promise.all(all.map(({ close }) => close()));
    expect(says).toEqual([
      { isSent: false, says: "status 403" },
      { isSent: false, says: "no answer in time" },
      { isSent: false, says: "status 307" },
      { isSent: false, says: expect.stringMatching(/^the connection failed \(\w+\)$/) },
    ]);
    expect(other.received).toEqual([]);
  });
});

describe("a mail", () => {
  test("arrives with one subject line, whatever the title holds", async () => {
    const server = await startMailServer({ password: "p" });
    const all = ways({ mail_server: server.url });
    const { isSent, says } = await send(all, "mail", "ops@acme.example").sent();
    await server.close();
    expect([isSent, says]).toEqual([true, expect.stringMatching(/^250/)]);
    const [mail] = server.received;
    expect(mail?.to).toEqual(["ops@acme.example"]);
    const head = mail?.source.split("\r\n\r\n")[0] ?? "";
    expect(head).toMatch(/^Subject: Docent: Acme: a source fails Bcc: everyone@acme\.example/m);
    expect(head).not.toMatch(/^Bcc:/im);
    expect(mail?.source).toContain("docent.acme.example/dashboard/default/acme");
  });

  test("that the server refuses, or that cannot be sent, says so without the password", async () => {
    const full = await startMailServer({ password: "geheim", isFull: true });
    expect(await send(ways({ mail_server: full.url }), "mail", "a@acme.example").sent()).toEqual({
      isSent: false,
      says: "the mail server refused it with 552",
    });
    const wrong = full.url.replace("geheim", "falsch");
    const { says } = await send(ways({ mail_server: wrong }), "mail", "a@acme.example").sent();
    expect(says).toMatch(/^the mail server refused it with 535$/);
    await full.close();
    const gone = await send(ways({ mail_server: full.url }), "mail", "a@acme.example").sent();
    expect(gone).toEqual({
      isSent: false,
      says: expect.stringMatching(/^the mail server could not be used \(\w+\)$/),
    });
    expect(send(ways(), "mail", "a@acme.example").fault).toContain("mail_server");
    expect(send(ways(), "mail", "nobody").fault).toBe("must be an e-mail address");
  });
});

test("nothing is sent by a server that is sealed, and it is said", async () => {
  const { received, address, host, close } = hook();
  const server = await startMailServer({ password: "p" });
  const all = ways({ hand_over_hosts: [host], mail_server: server.url }, createSeal([]));
  for (const [channel, to] of [
    ["webhook", address],
    ["chat", address],
    ["mail", "ops@acme.example"],
  ] as const) {
    const { fault, sent } = send(all, channel, to);
    expect(fault).toContain("sealed");
    expect(await sent()).toEqual({ isSent: false, says: expect.stringContaining("sealed") });
  }
  await Promise.all([close(), server.close()]);
  expect([received, server.received]).toEqual([[], []]);
});
