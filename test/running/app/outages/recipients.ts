import { startMailServer } from "../../../helpers/mail-server.ts";

/** Those who are told by mail, by a chat's webhook and by Discord's. */
export interface Recipients {
  /** What lets a server write to them. */
  settings: Record<string, string>;
  channels: readonly { channel: "mail" | "chat" | "discord"; address: string }[];
  /** What each channel has received, by what it is about. */
  received(): Record<string, string[]>;
  /** Called with each that arrives, before whoever sent it hears that it was taken. */
  onArrival(hold: () => Promise<void>): void;
  close(): Promise<void>;
}

export async function startRecipients(): Promise<Recipients> {
  let hold = async () => {};
  const received: Record<string, string[]> = { mail: [], chat: [], discord: [] };
  async function arrive(channel: string, text: string): Promise<void> {
    received[channel]?.push(/subject \d/.exec(text)?.[0] ?? text);
    await hold();
  }
  const hook = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      await arrive(new URL(request.url).pathname.slice(1), await request.text());
      return new Response("ok");
    },
  });
  const mail = await startMailServer({
    password: "secret",
    onReceived: ({ source }) => arrive("mail", source),
  });
  const at = (channel: string) => `http://127.0.0.1:${hook.port}/${channel}`;
  return {
    settings: {
      hand_over_hosts: `127.0.0.1:${hook.port}`,
      mail_server: mail.url,
      mail_from: "docent@acme.example",
      // Longer than a database is away in any test.
      delivery_seconds: "300",
    },
    channels: [
      { channel: "mail", address: "ops@acme.example" },
      { channel: "chat", address: at("chat") },
      { channel: "discord", address: at("discord") },
    ],
    received: () => received,
    onArrival(held) {
      hold = held;
    },
    async close() {
      await hook.stop(true);
      await mail.close();
    },
  };
}
