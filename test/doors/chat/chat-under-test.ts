import { z } from "zod";
import { startDocent, type TestDocent } from "../../helpers/docent.ts";
import { type FakeOllama, startFakeOllama } from "../../helpers/fake-ollama.ts";
import {
  DISCORD_KEYS,
  MATTERMOST_HEADERS,
  MATTERMOST_TOKEN,
  mattermostFields,
  ROCKETCHAT_TOKEN,
  rocketchatPost,
  SLACK_SECRET,
  slackBody,
  slackHeaders,
} from "./posts.ts";

const said = z.looseObject({ text: z.string().optional(), response_type: z.string().optional() });
type Said = z.infer<typeof said>;

/** The other side: takes what is sent later, and keeps it. */
export interface FakeChat {
  url: string;
  host: string;
  received: { path: string; body: Said }[];
  /** What is replied from now on. */
  replyWith(...statuses: number[]): void;
  /** Waits until so many came. */
  until(count: number): Promise<void>;
  close(): Promise<void>;
}

export function startFakeChat(): FakeChat {
  const received: FakeChat["received"] = [];
  const waiting = new Set<() => void>();
  let statuses: number[] = [200];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      received.push({ path: new URL(request.url).pathname, body: said.parse(await request.json()) });
      for (const wake of waiting) wake();
      const status = statuses.length > 1 ? statuses.shift() : statuses[0];
      return new Response("", { status: status ?? 200 });
    },
  });
  return {
    url: server.url.origin,
    host: server.url.host,
    received,
    replyWith(...next) {
      statuses = next;
    },
    async until(count) {
      while (received.length < count) {
        const { promise, resolve } = Promise.withResolvers<void>();
        waiting.add(resolve);
        await promise;
        waiting.delete(resolve);
      }
    },
    close: () => server.stop(true),
  };
}

export interface Replied {
  status: number;
  body: Said;
}

export interface ChatUnderTest {
  docent: TestDocent;
  ollama: FakeOllama;
  chat: FakeChat;
  set(settings: Record<string, unknown>): Promise<void>;
  slack(text: string, more?: Record<string, string>): Promise<Replied>;
  mattermost(text: string, more?: Record<string, string>, headers?: Record<string, string>): Promise<Replied>;
  rocketchat(text: string, more?: Record<string, unknown>): Promise<Replied>;
  post(path: string, body: string, headers: Record<string, string>): Promise<Replied>;
  close(): Promise<void>;
}

/** A server whose site `acme` may be asked by all chats, and a chat that takes answers. */
export async function startChat(settings: Record<string, string> = {}): Promise<ChatUnderTest> {
  const ollama = startFakeOllama();
  const chat = startFakeChat();
  const docent = await startDocent({
    ollama: ollama.url,
    settings: {
      hand_over_hosts: chat.host,
      chat_variables:
        "acme/slack=SLACK_SECRET,acme/mattermost=MATTERMOST_TOKEN,acme/rocketchat=ROCKET_TOKEN,acme/discord=DISCORD_KEY",
      ...settings,
    },
    environment: {
      SLACK_SECRET,
      MATTERMOST_TOKEN,
      ROCKET_TOKEN: ROCKETCHAT_TOKEN,
      DISCORD_KEY: DISCORD_KEYS.publicKey,
    },
  });
  const set = async (changed: Record<string, unknown>) => {
    await docent.app.parts.people.sites.set("acme", { settings: changed });
  };
  await set({ chat: "channel" });
  const later = { response_url: `${chat.url}/hooks/commands/abc` };
  let commands = 0;
  async function post(path: string, body: string, headers: Record<string, string>): Promise<Replied> {
    const response = await fetch(`${docent.url}${path}`, { method: "POST", headers, body });
    return { status: response.status, body: said.parse(await response.json()) };
  }
  return {
    docent,
    ollama,
    chat,
    set,
    post,
    slack(text, more) {
      // Each command has one of its own.
      const trigger_id = `398738663015.47445629121.${++commands}`;
      const body = slackBody(text, { ...later, trigger_id, ...more });
      return post("/v1/chats/acme/slack", body, slackHeaders(body, Date.now()));
    },
    mattermost(text, more, headers = MATTERMOST_HEADERS) {
      const body = new URLSearchParams({ ...mattermostFields(text), ...later, ...more }).toString();
      return post("/v1/chats/acme/mattermost", body, headers);
    },
    rocketchat: (text, more) =>
      post("/v1/chats/acme/rocketchat", JSON.stringify(rocketchatPost(text, more)), {
        "content-type": "application/json",
      }),
    async close() {
      await docent.close();
      await chat.close();
      await ollama.stop();
    },
  };
}
