import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AdminDoorUnderTest, type AdminReply, type KeyName, startAdminDoor } from "./admin-door.ts";
import { databaseOf } from "./database-of.ts";
import { type DocentOptions, FIXTURE_DOCS, question } from "./docent.ts";
import { fakeClock } from "./fake-clock.ts";

/** A gap as the API shows it, as far as tests look at it. */
export interface GapJson {
  id: string;
  question: string;
  examples: string[];
  count: number;
  countSince: number;
  lastAskedAt: string;
  reason: string;
  reasons: Record<string, number>;
  nearest: { path: string; title: string; relevance: number } | null;
  state: string;
  askedAgain: { answered: boolean; relevance: number; path: string | null; curated: string | null } | null;
}

export interface GapListJson {
  gaps: GapJson[];
  nextCursor: string | null;
  hasMore: boolean;
  waiting: number;
}

export interface GapDoor extends AdminDoorUnderTest {
  /** Asks the site `acme` as readers do. Returns the ids of the thread and of the turn. */
  asked(text: string, more?: Record<string, unknown>): Promise<{ threadId: string; turnId: string }>;
  /** Any request below /v1/analytics. */
  analytics(
    method: string,
    path: string,
    init?: { as?: KeyName; body?: unknown; headers?: Record<string, string> },
  ): Promise<AdminReply>;
  list(query?: string, as?: KeyName): Promise<GapListJson>;
  set(id: string, state: string): Promise<GapJson>;
  /** What the reader of an answer says of it. */
  rate(turnId: string, helpful: boolean): void;
  /** Writes a page into the folder that the site is read from, and reads it again. */
  write(file: string, markdown: string): Promise<void>;
  advance(milliseconds: number): void;
}

/** A server whose time stands still, with a folder of its own that can be written to. */
export async function startGapDoor(options: DocentOptions = {}): Promise<GapDoor> {
  const folder = mkdtempSync(join(tmpdir(), "docent-gaps-"));
  cpSync(FIXTURE_DOCS, folder, { recursive: true });
  const { clock, advance } = fakeClock();
  const door = await startAdminDoor({ ...options, docs: folder, clock });
  const { parts } = door.app;
  const database = databaseOf({ parts });

  const analytics: GapDoor["analytics"] = (method, path, init) =>
    door.ask(method, `/../analytics${path}`, init);
  async function expectOk<T>(reply: AdminReply, isIt: (body: unknown) => body is T): Promise<T> {
    if (reply.status === 200 && isIt(reply.body)) return reply.body;
    throw new Error(`${reply.status} ${reply.text}`);
  }

  return {
    ...door,
    analytics,
    advance,
    async asked(text, more = {}) {
      advance(1000);
      const reply = await door.post(question(text, more));
      await reply.text();
      const [threadId, turnId] = [reply.headers.get("x-thread-id"), reply.headers.get("x-message-id")];
      if (!threadId || !turnId) throw new Error(`${reply.status}: it was not asked`);
      return { threadId, turnId };
    },
    async list(query = "", as = "own") {
      return expectOk(await analytics("GET", `/acme/gaps${query}`, { as }), isList);
    },
    async set(id, state) {
      advance(1000);
      return expectOk(await analytics("POST", `/acme/gaps/${id}`, { body: { state } }), isGap);
    },
    rate(turnId, helpful) {
      database
        .query(
          `INSERT INTO feedback (turn_id, site_id, helpful, created_at, updated_at)
           SELECT id, site_id, CAST(? AS BOOLEAN), CAST(? AS BIGINT), CAST(? AS BIGINT) FROM turns WHERE id = ?
           ON CONFLICT (turn_id) DO UPDATE SET helpful = excluded.helpful`,
        )
        .run(Number(helpful), clock(), clock(), turnId);
    },
    async write(file, markdown) {
      writeFileSync(join(folder, file), markdown);
      const site = await parts.people.sites.get("acme");
      await parts.sources.ingest.run({
        source: { siteId: site.id, kind: "folder", location: folder, version: "", language: "" },
        reader: parts.sources.readFolder(folder),
        generation: site.generation,
        signal: new AbortController().signal,
      });
    },
    async close() {
      await door.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const isGap = (body: unknown): body is GapJson =>
  typeof body === "object" && body !== null && "state" in body;
const isList = (body: unknown): body is GapListJson =>
  typeof body === "object" && body !== null && "gaps" in body && Array.isArray(body.gaps);
