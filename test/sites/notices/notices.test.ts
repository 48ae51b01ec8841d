import { describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/kernel/lib/clock.ts";
import type { Notice, NoticeDestination } from "../../../src/sites/notices/notice.ts";
import {
  type Condition,
  createNotices,
  type Looked,
  type NewDestination,
  NOTICE_KINDS,
  type NoticeWay,
} from "../../../src/sites/notices/notices.ts";
import { fakeClock, TEST_TIME } from "../../helpers/fake-clock.ts";
import { otherWriter } from "../../helpers/other-writer.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { addSite, ORGANIZATION } from "../../helpers/site-data.ts";
import { testIds } from "../../helpers/test-ids.ts";
import { testLog } from "../../helpers/test-log.ts";
import { openTestStorage } from "../../helpers/test-storage.ts";

const NEVER = new AbortController().signal;
const SOURCE: Condition = { subject: "1", state: "bad", title: "a source fails", text: "why" };
const WELL: Condition = { ...SOURCE, state: "well", title: "a source is well" };

/** Notices over a real store, whose other side does as it is told. */
async function opened() {
  const storage = await openTestStorage();
  const site = await addSite(storage.sites, "docs");
  const { clock, advance } = fakeClock();
  const { log, lines } = testLog();
  const ids = testIds(clock);
  const arrived: { title: string; to: string; id: string }[] = [];
  const side: { isSent: boolean; onSend?: () => void } = { isSent: true };
  const way: NoticeWay = {
    channels: ["webhook", "mail"],
    fault: ({ address }) => (address.startsWith("https://") ? undefined : "must begin with https://"),
    async send({ title, id }: Notice, { name }: NoticeDestination, signal) {
      side.onSend?.();
      if (signal.aborted) return { isSent: false, says: "cut off" };
      if (side.isSent) arrived.push({ title, to: name, id });
      return { isSent: side.isSent, says: side.isSent ? "status 200" : "status 500" };
    },
  };
  const open = () => createNotices({ store: storage.notices, ways: [way], isSealed: false, clock, ids, log });
  const add = (change: Partial<NewDestination> = {}) =>
    open().add({
      organizationId: undefined,
      name: "ops",
      channel: "webhook",
      address: "https://hooks.acme.example/x",
      kinds: [...NOTICE_KINDS],
      ...change,
    });
  const looked: Looked = {
    kind: "source-failing",
    site: { id: site.id, organizationId: site.organizationId, domain: "docs", name: "Docs" },
  };
  /** A round as a server makes it, each time anew: what is not kept is gone. */
  const round = async (...conditions: Condition[]) => {
    await open().note(looked, conditions);
    await open().sendDue(NEVER);
    return arrived.splice(0).map(({ title, to }) => `${to}: ${title}`);
  };
  return {
    storage,
    site,
    lines,
    advance,
    side,
    arrived,
    open,
    add,
    looked,
    round,
    [Symbol.dispose]: () => storage[Symbol.dispose](),
  };
}

describe("what is said", () => {
  test("once when something goes wrong, and once when it is well again, whatever restarts between", async () => {
    using it = await opened();
    await it.add();
    expect(await it.round(WELL)).toEqual([]);
    expect(await it.round(SOURCE)).toEqual(["ops: a source fails"]);
    for (let times = 0; times < 5; times++) {
      it.advance(HOUR_MS);
      expect(await it.round(SOURCE)).toEqual([]);
      expect(await it.round({ ...SOURCE, state: "unknown" })).toEqual([]);
    }
    expect(await it.round(WELL)).toEqual(["ops: a source is well"]);
    expect(await it.round(WELL)).toEqual([]);
  });

  test("once a day while it goes on", async () => {
    using it = await opened();
    await it.add();
    await it.round(SOURCE);
    const said: number[] = [];
    for (let hours = 1; hours <= 50; hours++) {
      it.advance(HOUR_MS);
      if ((await it.round(SOURCE)).length > 0) said.push(hours);
    }
    expect(said).toEqual([24, 48]);
  });

  test("once of what has happened, for as long as it is listed, whatever the clock says", async () => {
    using it = await opened();
    await it.add();
    const happened = { ...SOURCE, isOnce: true };
    const known = { ...happened, state: "unknown" } as const;
    expect(await it.round(happened)).toEqual(["ops: a source fails"]);
    it.advance(3 * DAY_MS);
    expect(await it.round(happened)).toEqual([]);
    it.advance(-5 * DAY_MS);
    expect(await it.round(known)).toEqual([]);
    expect(await it.round(happened)).toEqual([]);
  });

  test("of what happened to those alone who were there, and as what it is", async () => {
    using it = await opened();
    await it.add({ name: "early" });
    it.advance(MINUTE_MS);
    const happened = {
      ...SOURCE,
      isOnce: true,
      happenedAt: TEST_TIME + MINUTE_MS,
      tells: "news",
      report: { number: 2 },
    } as const;
    it.advance(MINUTE_MS);
    await it.add({ name: "late" });
    await it.open().note(it.looked, [happened]);
    expect(await it.open().told(it.looked)).toEqual(new Set(["1"]));
    expect(await it.open().told({ ...it.looked, kind: "answer-stale" })).toEqual(new Set());
    const due = await it.storage.notices.due(TEST_TIME + DAY_MS, 9);
    expect(due.map(({ notice }) => notice)).toMatchObject([{ state: "news", report: { number: 2 } }]);
    expect(await it.round(happened)).toEqual(["early: a source fails"]);
  });

  test("nothing of what is not there any more, which is told anew where it comes back", async () => {
    using it = await opened();
    await it.add();
    await it.round(SOURCE);
    expect(await it.round()).toEqual([]);
    expect(await it.round(SOURCE)).toEqual(["ops: a source fails"]);
  });

  test("to those alone whose it is, and who want to know", async () => {
    using it = await opened();
    const other = await it.storage.sites
      .addOrganization({ ...ORGANIZATION, id: "other", name: "other" })
      .then(() => "other");
    await it.add();
    await it.add({ name: "owner", organizationId: it.site.organizationId, kinds: ["source-failing"] });
    await it.add({ name: "stranger", organizationId: other, kinds: ["source-failing"] });
    await it.add({ name: "reviewer", organizationId: it.site.organizationId, kinds: ["answer-stale"] });
    expect((await it.round(SOURCE)).sort()).toEqual(["ops: a source fails", "owner: a source fails"]);
    await it.open().note({ kind: "disk-full", site: undefined }, [{ ...SOURCE, title: "full" }]);
    expect(await it.round(SOURCE)).toEqual(["ops: full"]);
  });

  test("a destination that stays away fills nothing: what is too much is left out, and logged", async () => {
    using it = await opened();
    await it.add();
    it.side.isSent = false;
    const many = Array.from({ length: 130 }, (_, n) => ({ ...SOURCE, subject: String(n) }));
    await it.open().note(it.looked, many);
    expect(await it.open().list()).toMatchObject([{ waiting: 100 }]);
    expect(it.lines).toContainEqual(
      expect.objectContaining({ event: expect.stringContaining("left out"), notices: 30 }),
    );
  });
});

describe("what cannot be sent", () => {
  test("is tried again, later and later, and given up in the end", async () => {
    using it = await opened();
    await it.add();
    it.side.isSent = false;
    let tries = 0;
    it.side.onSend = () => tries++;
    await it.round(SOURCE);
    const after: number[] = [];
    for (let minutes = 1; minutes < 24 * 60 - 1; minutes++) {
      it.advance(MINUTE_MS);
      const before = tries;
      await it.open().sendDue(NEVER);
      if (tries > before) after.push(minutes);
    }
    expect(after).toEqual([1, 6, 36, 156, 876]);
    expect(await it.open().list()).toMatchObject([
      { waiting: 0, givenUp: 1, last: { isSent: false, says: "status 500" } },
    ]);
    expect(it.lines).toContainEqual(expect.objectContaining({ event: "a notice was given up" }));
  });

  test("arrives once when the other side is back", async () => {
    using it = await opened();
    await it.add();
    it.side.isSent = false;
    await it.round(SOURCE);
    it.side.isSent = true;
    expect(await it.round(SOURCE)).toEqual([]);
    it.advance(MINUTE_MS);
    expect(await it.round(SOURCE)).toEqual(["ops: a source fails"]);
    it.advance(HOUR_MS);
    expect(await it.round(SOURCE)).toEqual([]);
    expect(await it.open().list()).toMatchObject([
      { waiting: 0, givenUp: 0, last: { isSent: true, says: "status 200" } },
    ]);
  });

  test("holds up no other destination, and is not tried twice in one round", async () => {
    using it = await opened();
    await it.add({ name: "one" });
    it.side.isSent = false;
    let tries = 0;
    it.side.onSend = () => tries++;
    const two = { ...SOURCE, subject: "2", title: "another fails" };
    await it.round(SOURCE, two);
    expect(tries).toBe(1);
    await it.add({ name: "two" });
    it.side.isSent = true;
    expect(await it.round(SOURCE, two)).toEqual(["one: another fails"]);
  });

  test("one that a killed server was sending is tried again, with the same id, and not at once", async () => {
    using it = await opened();
    await it.add();
    await it.open().note(it.looked, [SOURCE]);
    it.side.onSend = () => {
      throw new Error("killed");
    };
    await expect(it.open().sendDue(NEVER)).rejects.toThrow("killed");
    it.side.onSend = () => {};
    await it.open().sendDue(NEVER);
    expect(it.arrived).toEqual([]);
    it.advance(MINUTE_MS);
    await it.open().sendDue(NEVER);
    expect(it.arrived).toHaveLength(1);
  });

  test("one that the end of the server cuts off has lost no try", async () => {
    using it = await opened();
    await it.add();
    await it.open().note(it.looked, [SOURCE]);
    const stop = new AbortController();
    it.side.isSent = false;
    it.side.onSend = () => stop.abort(new DOMException("The server stops", "AbortError"));
    await expect(it.open().sendDue(stop.signal)).rejects.toThrow("The server stops");
    it.side.isSent = true;
    it.side.onSend = () => {};
    expect(await it.round(SOURCE)).toEqual(["ops: a source fails"]);
  });

  test("one that was taken while the database was away is not sent again, whoever sends next", async () => {
    using it = await opened();
    await it.add();
    const sending = it.open();
    await sending.note(it.looked, [SOURCE]);
    const writer = otherWriter(it.storage.directory, it.storage.database);
    it.side.onSend = writer.begin;
    expect((await appErrorOf(() => sending.sendDue(NEVER))).code).toBe("unavailable");
    it.side.onSend = () => {};
    expect((await appErrorOf(() => sending.noteSent())).code).toBe("unavailable");
    expect((await appErrorOf(() => sending.sendDue(NEVER))).code).toBe("unavailable");
    writer.end();
    await sending.noteSent();
    it.advance(HOUR_MS);
    await sending.sendDue(NEVER);
    await it.open().sendDue(NEVER);
    expect(it.arrived).toHaveLength(1);
    expect(await it.open().list()).toMatchObject([
      { waiting: 0, givenUp: 0, last: { isSent: true, says: "status 200" } },
    ]);
  });

  test("one that is under way when the right to send is lost ends as it ends, and no other is begun", async () => {
    using it = await opened();
    await it.add();
    await it.open().note(it.looked, [SOURCE, { ...SOURCE, subject: "2" }]);
    const held = new AbortController();
    it.side.onSend = () => held.abort(new Error("another server sends now"));
    await expect(it.open().sendDue(held.signal, NEVER)).rejects.toThrow("another server sends now");
    expect(it.arrived).toHaveLength(1);
    expect(await it.open().list()).toMatchObject([{ waiting: 1, last: { isSent: true } }]);
  });

  test("what was sent is kept for a month", async () => {
    using it = await opened();
    await it.add();
    await it.round(SOURCE);
    it.advance(31 * DAY_MS);
    await it.open().sendDue(NEVER);
    expect(await it.open().list()).toMatchObject([{ waiting: 0, last: undefined }]);
  });
});

describe("destinations", () => {
  test("are refused where nothing can be sent to, or where they would be told what is not theirs", async () => {
    using it = await opened();
    const REFUSED: [Partial<NewDestination>, string][] = [
      [{ address: "ftp://acme.example" }, "address: must begin with https://"],
      [{ channel: "discord" }, "nothing can be sent by discord"],
      [{ organizationId: it.site.organizationId, kinds: ["disk-full"] }, "is about the server"],
    ];
    for (const [change, says] of REFUSED) {
      const error = await appErrorOf(() => it.add(change));
      expect([error.code, error.message]).toEqual(["invalid_request", expect.stringContaining(says)]);
    }
    const own = await it.add({ organizationId: it.site.organizationId, kinds: [] });
    const error = await appErrorOf(() => it.open().change(own.id, { kinds: ["backup-failed"] }));
    expect(error.message).toContain("is about the server");
  });

  test("have a bounded number, a secret for webhooks alone, and are changed and removed", async () => {
    using it = await opened();
    const hook = await it.add();
    expect(hook.secret).toStartWith("docent_whs_");
    expect((await it.add({ channel: "mail" })).secret).toBeUndefined();
    for (let count = 2; count < 20; count++) await it.add();
    expect((await appErrorOf(() => it.add())).code).toBe("too_large");
    await it.open().change(hook.id, { name: "renamed", kinds: [] });
    expect(await it.open().find(hook.id)).toMatchObject({ name: "renamed", kinds: [], secret: hook.secret });
    await it.open().remove(hook.id);
    for (const work of ["find", "remove"] as const)
      expect((await appErrorOf(() => it.open()[work](hook.id))).code).toBe("not_found");
  });

  test("are tried with a sample, which is neither kept nor queued", async () => {
    using it = await opened();
    const { id } = await it.add({ kinds: [] });
    expect(await it.open().try(id, NEVER)).toEqual({ isSent: true, says: "status 200" });
    it.side.isSent = false;
    expect(await it.open().try(id, NEVER)).toEqual({ isSent: false, says: "status 500" });
    expect(it.arrived).toEqual([expect.objectContaining({ title: expect.stringContaining("try it out") })]);
    expect(await it.open().list()).toMatchObject([{ waiting: 0, last: undefined }]);
  });
});
