import { type AdminDoorUnderTest, type AdminReply, type KeyName, startAdminDoor } from "./admin-door.ts";
import { type DocentOptions, question } from "./docent.ts";
import { fakeClock } from "./fake-clock.ts";

export interface AnalyticsDoor extends AdminDoorUnderTest {
  /** Reads below /v1/analytics. */
  read(path: string, as?: KeyName): Promise<AdminReply>;
  /** The list of that name in what a path gives. */
  list(path: string, name: string): Promise<Record<string, unknown>[]>;
  /** Sends what a reader sends. */
  send(path: string, body: unknown, headers?: Record<string, string>): Promise<AdminReply>;
  /** Asks the site `acme` as readers do. */
  asked(text: string, more?: Record<string, unknown>): Promise<{ threadId: string; messageId: string }>;
  advance(milliseconds: number): void;
}

/** A server whose time stands still: for what readers tell, and owners read. */
export async function startAnalyticsDoor(options: DocentOptions = {}): Promise<AnalyticsDoor> {
  const { clock, advance } = fakeClock();
  const door = await startAdminDoor({ clock, ...options });
  let asked = 0;
  const read: AnalyticsDoor["read"] = (path, as = "ownRead") =>
    door.ask("GET", `/../analytics${path}`, { as });
  return {
    ...door,
    advance,
    read,
    async list(path, name) {
      const { status, body, text } = await read(path);
      const list: unknown = typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;
      if (status !== 200 || !Array.isArray(list)) throw new Error(`${path}: ${status} ${text}`);
      return list;
    },
    send: (path, body, headers = {}) => door.ask("POST", `/../..${path}`, { as: "assistant", body, headers }),
    async asked(text, more = {}) {
      advance(1000);
      const body = question(text, more);
      const messages = body.messages.map((message) => ({ ...message, id: `q${asked++}` }));
      const reply = await door.post({ ...body, messages, ...more });
      const wire = await reply.text();
      if (reply.status !== 200) throw new Error(`${reply.status} ${wire}`);
      const { headers } = reply;
      return { threadId: headers.get("x-thread-id") ?? "", messageId: headers.get("x-message-id") ?? "" };
    },
  };
}
