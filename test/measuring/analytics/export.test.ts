import { describe, expect, test } from "bun:test";
import {
  ALWAYS,
  type ConversationPart,
  type StoredConversation,
} from "../../../src/measuring/analytics/stores.ts";
import { createExport } from "../../../src/measuring/conversations/export.ts";
import { fakeClock } from "../../helpers/fake-clock.ts";
import { addSite } from "../../helpers/site-data.ts";
import { openTestStorage } from "../../helpers/test-storage.ts";
import { addTurn } from "../../helpers/turn-data.ts";

describe("an export", () => {
  test("has every conversation of the period once, oldest first, and none that was asked since it began", async () => {
    using storage = await openTestStorage();
    const site = await addSite(storage.sites);
    const { clock, advance } = fakeClock();
    const ids = Array.from({ length: 450 }, (_, index) => `turn ${String(index).padStart(4, "0")}`);
    for (const [index, id] of ids.entries()) {
      // Several of one moment, so that a part ends between them.
      if (index % 7 === 0) advance(1);
      await addTurn(storage.threads, { siteId: site.id, id, at: clock() });
    }
    const write = createExport({ store: storage.conversations, clock });
    const read: string[] = [];
    for await (const text of write(site, ALWAYS, "jsonl")) {
      advance(1);
      await addTurn(storage.threads, { siteId: site.id, id: `late ${read.length}`, at: clock() });
      read.push(
        ...text
          .trimEnd()
          .split("\n")
          .map((line) => String(JSON.parse(line).id)),
      );
    }
    expect(read).toEqual(ids);
  });

  test("holds one part at a time, however many conversations there are", async () => {
    const limits = new Set<number>();
    let read = 0;
    const total = 5000;
    const store = {
      async conversations(_: number, __: unknown, { limit }: ConversationPart) {
        limits.add(limit);
        const rows = Array.from({ length: Math.min(limit, total - read) }, (_, index) => row(read + index));
        read += rows.length;
        return rows;
      },
      thread: () => Promise.reject(new Error("not asked for")),
      callers: () => Promise.reject(new Error("not asked for")),
    };
    const write = createExport({ store, clock: fakeClock().clock });
    let lines = 0;
    for await (const text of write({ id: 1, url: undefined }, ALWAYS, "jsonl")) {
      lines += text.split("\n").length - 1;
      // Nothing is read ahead.
      expect(read).toBe(lines);
    }
    expect(lines).toBe(total);
    expect(Math.max(...limits)).toBeLessThanOrEqual(1000);
  });

  test("as CSV has its columns first, and one line where nothing was asked", async () => {
    using storage = await openTestStorage();
    const site = await addSite(storage.sites);
    const write = createExport({ store: storage.conversations, clock: fakeClock().clock });
    const texts: string[] = [];
    for await (const text of write(site, ALWAYS, "csv")) texts.push(text);
    expect(texts).toEqual([
      "id,threadId,timestamp,query,response,resolutionStatus,outcome,sources,pageUrl,caller,responder,model,helpful,comment,rewritten,looks\r\n",
    ]);
  });
});

const row = (at: number): StoredConversation => ({
  id: String(at),
  threadId: "T",
  at,
  question: "?",
  rewritten: [],
  looks: [],
  answer: "!",
  outcome: "answered",
  caller: "api",
  currentPath: undefined,
  responder: undefined,
  model: undefined,
  cited: [],
  helpful: undefined,
  comment: undefined,
});
