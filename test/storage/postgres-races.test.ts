import { afterEach, describe, expect, test } from "bun:test";
import { createRetentionStore } from "../../src/storage/conversations/retention.ts";
import { createThreadStore } from "../../src/storage/conversations/threads.ts";
import { createMemberStore } from "../../src/storage/people/members.ts";
import { createSessionStore } from "../../src/storage/people/sessions.ts";
import { type Database, openDatabase, type Write } from "../../src/storage/postgres/database/database.ts";
import { createPostgresSql } from "../../src/storage/postgres/sql.ts";
import { question } from "../contract/thread-store.ts";
import { addActive, newMember, newSession, passwordOf } from "../helpers/member-data.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { addSite } from "../helpers/site-data.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { addTurn } from "../helpers/turn-data.ts";

const closing: Database[] = [];
afterEach(async () => {
  for (const database of closing.splice(0)) await database.close();
});

function opened(url: string): Database {
  const database = openDatabase({ url, connectionsMax: 4, connectSecondsMax: 5 });
  closing.push(database);
  return database;
}

/** A database whose writes stop before a statement, as another server may at any time, until they are let go on. */
function stopping(database: Database, before: RegExp) {
  const reached = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const pause = async (text: string) => {
    if (!before.test(text)) return;
    reached.resolve();
    await goOn.promise;
  };
  const slow = (write: Write): Write => ({
    ...write,
    all: async (text, values) => pause(text).then(() => write.all(text, values)),
    get: async (text, values) => pause(text).then(() => write.get(text, values)),
    run: async (text, values) => pause(text).then(() => write.run(text, values)),
  });
  return {
    database: {
      ...database,
      inOneWrite: <R>(work: (write: Write) => Promise<R>) =>
        database.inOneWrite((write) => work(slow(write))),
    },
    reached: reached.promise,
    goOn: goOn.resolve,
  };
}

/** Until some work waits for another's lock, or has ended without. */
async function waitsOrEnds(database: Database, work: Promise<unknown>): Promise<void> {
  let hasEnded = false;
  const ended = () => {
    hasEnded = true;
  };
  work.then(ended, ended);
  const waiting =
    "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
  while (!hasEnded && (await database.get(waiting)) === undefined) await Bun.sleep(5);
}

describe.if(hasPostgres)("of two servers, one in the middle of a write", () => {
  test("a session that is begun with the old password does not outlive its change", async () => {
    using storage = await openTestPostgres();
    const database = opened(storage.url);
    const members = createMemberStore(createPostgresSql(database));
    await addActive(members, newMember("1"));
    const slow = stopping(database, /last_seen_at/);
    const given = {
      proof: { passwordHash: passwordOf("1") },
      most: 5,
      bounds: { createdAfter: 0, usedAfter: 0, now: 0 },
    };
    const adding = createSessionStore(createPostgresSql(slow.database)).add(
      newSession("s", "1"),
      "secret",
      given,
    );
    await slow.reached;
    const changing = members.changePassword("1", passwordOf("1"), "new");
    await waitsOrEnds(database, changing);
    slow.goOn();
    await Promise.all([adding, changing]);
    expect(await changing).toBe(true);
    expect(await createSessionStore(createPostgresSql(database)).find("secret")).toBeUndefined();
  });

  test("a conversation that goes on is not deleted with its old turns", async () => {
    using storage = await openTestPostgres({ isServer: true });
    const database = opened(storage.url);
    const site = await addSite(storage.sites, "docs");
    await addTurn(storage.threads, { siteId: site.id, id: "old", threadId: "thread", at: 10 });
    const slow = stopping(database, /ORDER BY position DESC/);
    const begin = createThreadStore(createPostgresSql(slow.database), "server").begin({
      turnId: "new",
      siteId: site.id,
      threadId: "thread",
      newThreadId: "another",
      at: 1000,
      pastTurns: 3,
      question: question("new", {}),
    });
    await slow.reached;
    const removing = createRetentionStore(createPostgresSql(database), async () => {}).removeTurns(
      site.id,
      { before: 500 },
      200,
    );
    await waitsOrEnds(database, removing);
    slow.goOn();
    await Promise.all([begin, removing]);
    const left = await database.all<{ id: string }>("SELECT id FROM turns");
    expect([left, (await begin)?.threadId]).toEqual([[{ id: "new" }], "thread"]);
  });
});
