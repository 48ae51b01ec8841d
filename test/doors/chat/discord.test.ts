import { afterAll, beforeAll, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { discord } from "../../../src/doors/chat/discord.ts";
import { sendLater } from "../../../src/doors/chat/later.ts";
import { UNSEALED } from "../../../src/kernel/lib/seal/seal.ts";
import { openAnswerHosts } from "../../../src/running/delivery/delivery.ts";
import { type ChatUnderTest, startChat } from "./chat-under-test.ts";
import { discordHeaders, discordPost } from "./posts.ts";

const QUESTION = "How do I install Acme on Linux?";
const CITED = "https://docs.acme.example/guide/install#linux";

let under: ChatUnderTest;
beforeAll(async () => {
  under = await startChat({ hand_over_hosts: "discord.com" });
});
afterAll(() => under.close());

const send = (post: object, headers = (body: string) => discordHeaders(body, Date.now())) => {
  const body = JSON.stringify(post);
  return under.post("/v1/chats/acme/discord", body, headers(body));
};

test("Discord's own trial is answered, and refused with a signature that is not good", async () => {
  expect(await send({ type: 1 })).toMatchObject({ status: 200, body: { type: 1 } });
  const { privateKey } = generateKeyPairSync("ed25519");
  const other = (body: string) => discordHeaders(body, Date.now(), privateKey);
  const late = (body: string) => discordHeaders(body, Date.now() - 302_000);
  const ofAnother = () => discordHeaders("{}", Date.now());
  for (const headers of [other, late, ofAnother]) expect((await send({ type: 1 }, headers)).status).toBe(401);
});

test("a question gets a cited answer that calls nobody, once", async () => {
  under.ollama.replyWith({ text: "Ask @everyone [1]." });
  const post = discordPost(QUESTION);
  const headers = discordHeaders(JSON.stringify(post), Date.now());
  const { status, body } = await send(post, () => headers);
  expect([status, body["type"]]).toEqual([200, 4]);
  expect(body["data"]).toMatchObject({ allowed_mentions: { parse: [] }, flags: 4 });
  expect(body["data"]).toMatchObject({
    content: expect.stringContaining(`- [Install Acme › Linux](${CITED})`),
  });
  expect((await send(post, () => headers)).status).toBe(401);
});

test("where only the asker sees it, Discord is told so", async () => {
  await under.set({ chat: "asker" });
  expect((await send(discordPost(QUESTION, { id: "1" }))).body["data"]).toMatchObject({ flags: 68 });
  await under.set({ chat: "channel" });
});

test("an answer that is not there in time is put in the place of the reply", async () => {
  const read = discord.read(JSON.stringify(discordPost(QUESTION)));
  if (!("question" in read) || !read.question.later) throw new Error("it is a question");
  const { question } = read;
  expect(question.later).toEqual({
    url: "https://discord.com/api/v10/webhooks/775799577604522054/A_UNIQUE_TOKEN/messages/@original",
    method: "PATCH",
  });
  const saying = { text: "Here.", sight: "channel" as const, question };
  expect(discord.looking(saying)).toEqual({ type: 5, data: { flags: 4 } });
  const received: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      received.push(`${request.method} ${await request.text()}`);
      return new Response();
    },
  });
  const settings = { hand_over_hosts: [server.url.host], delivery_seconds: 300, certificate_authorities: "" };
  const hosts = openAnswerHosts(settings, UNSEALED);
  const place = { url: server.url.href, method: "PATCH" as const };
  await sendLater(hosts, place, discord.sayLater(saying), { signal: new AbortController().signal });
  await server.stop(true);
  expect(received).toEqual(['PATCH {"content":"Here.","allowed_mentions":{"parse":[]},"flags":4}']);
});
