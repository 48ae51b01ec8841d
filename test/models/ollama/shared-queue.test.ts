import { afterEach, describe, expect, jest, test } from "bun:test";
import type { ModelLine, SharedTicket } from "../../../src/answering/answer/model-line.ts";
import type { Asker } from "../../../src/answering/answer/responder.ts";
import { AppError } from "../../../src/kernel/errors.ts";
import { assignPlaces, inTurn } from "../../../src/models/ollama/queue/assign.ts";
import { createFairOrder } from "../../../src/models/ollama/queue/fair-order.ts";
import { createSharedQueue, type SharedPlaces } from "../../../src/models/ollama/queue/queue.ts";
import { randomFrom } from "../../helpers/hostile-answers.ts";
import { hasPostgres, queryNow } from "../../helpers/postgres.ts";
import { quietLog } from "../../helpers/test-log.ts";
import { openTestPostgres, type PostgresStorage } from "../../helpers/test-postgres.ts";
import { until } from "../../helpers/until.ts";

const never = new AbortController().signal;
const SLOTS = 2;

/** The models' servers at these addresses, as one server of Docent sees them. */
function placesAt(addresses: string[]): SharedPlaces<string> {
  return {
    choices: (avoid) =>
      addresses
        .filter((address) => !avoid.has(address))
        .map((address) => ({ place: address, choice: { address, rank: 0, slots: SLOTS } })),
    takeThis: () => {},
    take: () => undefined,
    give: () => {},
    count: () => addresses.length * SLOTS,
    isFree: () => false,
    problem: (avoid) =>
      addresses.every((address) => avoid.has(address))
        ? new AppError("unavailable", "None is left.")
        : undefined,
  };
}

const queueOn = (line: ModelLine, { queueLength = 100, queueMs = 30_000, addresses = ["http://one"] } = {}) =>
  createSharedQueue({ places: placesAt(addresses), queueLength, queueMs, line, log: quietLog() });

/** The same line, whose services are written down by their sites, in order. */
const recording = (line: ModelLine, served: Map<number, number>): ModelLine => ({
  async update(own, assign) {
    const tickets = await line.update(own, assign);
    for (const { servedAt, asker } of tickets) if (servedAt !== undefined) served.set(servedAt, asker.siteId);
    return tickets;
  },
});

const opened: PostgresStorage[] = [];
afterEach(async () => {
  for (const storage of opened.splice(0)) await storage.close();
});

/** Servers of Docent on one database. */
async function openServers(count: number): Promise<{ lines: ModelLine[]; url: string }> {
  const first = await openTestPostgres({ isServer: true });
  opened.push(first);
  while (opened.length < count) opened.push(await openTestPostgres({ url: first.url, isServer: true }));
  const lines = opened.map(({ modelLine }) => modelLine).filter((line) => line !== undefined);
  return { lines, url: first.url };
}

const at = (asker: Partial<Asker> = {}) => ({
  asker: { siteId: 1, reader: "reader", ...asker },
  signal: never,
});
const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
const WAITING = "SELECT number FROM model_tickets WHERE address IS NULL AND ended_at IS NULL";

describe.if(hasPostgres)("a line that servers share", () => {
  test("serves no more at a time than there are places, whichever servers they come from, and leaves nobody out", async () => {
    const { lines } = await openServers(3);
    const addresses = ["http://one", "http://two"];
    const queues = lines.map((line) => queueOn(line, { addresses }));
    const running = new Map(addresses.map((address) => [address, 0]));
    let most = 0;
    let served = 0;
    await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const slot = await queues[index % queues.length]?.acquire(
          at({ siteId: index % 4, reader: `r${index % 7}` }),
        );
        if (slot === undefined) throw new Error("no queue");
        running.set(slot.place, (running.get(slot.place) ?? 0) + 1);
        most = Math.max(most, ...running.values());
        await Bun.sleep(index % 5);
        running.set(slot.place, (running.get(slot.place) ?? 0) - 1);
        slot.release();
        served += 1;
      }),
    );
    expect([most, served]).toEqual([SLOTS, 60]);
  });

  test("serves sites in turn: many questions on one server hold up none on another", async () => {
    const { lines } = await openServers(2);
    const services = new Map<number, number>();
    const [busy, quiet] = lines.map((line) => queueOn(recording(line, services)));
    if (busy === undefined || quiet === undefined) throw new Error("no queues");
    const held = await Promise.all([busy.acquire(at()), busy.acquire(at())]);
    const inLine = new Set<string>();
    const ask = async (queue: typeof busy, asker: Asker) => {
      const onPosition = () => inLine.add(asker.reader);
      (await queue.acquire({ ...at(asker), onPosition })).release();
    };
    const many = Array.from({ length: 8 }, (_, index) => ask(busy, { siteId: 1, reader: `r${index}` }));
    await until(() => inLine.size === 8);
    const one = ask(quiet, { siteId: 2, reader: "one" });
    await until(() => inLine.size === 9);
    for (const slot of held) slot.release();
    await Promise.all([...many, one]);
    const served = [...services].sort(([before], [after]) => before - after).map(([, site]) => site);
    expect(served.indexOf(2)).toBeLessThan(4);
    expect(served).toHaveLength(11);
  });

  test("gives the places of a server that is gone to others, once it was silent for long", async () => {
    const { lines, url } = await openServers(2);
    const [gone, left] = lines.map((line) => queueOn(line));
    await Promise.all([gone?.acquire(at()), gone?.acquire(at())]);
    const waiting = left?.acquire(at());
    await until(() => queryNow(nameOf(url), WAITING, []).length === 1);
    expect(left?.state()).toEqual({ running: 0, waiting: 1 });
    const [row] = queryNow<{ id: string }>(
      nameOf(url),
      "SELECT DISTINCT server_id AS id FROM model_tickets WHERE address IS NOT NULL",
      [],
    );
    queryNow(nameOf(url), "DELETE FROM servers WHERE id = ?", [row?.id ?? ""]);
    if ((await waiting) === undefined) throw new Error("no place");
  });

  test("is left by who stops waiting, and refuses who comes when it is full, wherever the others wait", async () => {
    const { lines, url } = await openServers(2);
    const [one, other] = lines.map((line) => queueOn(line, { queueLength: 1 }));
    if (one === undefined || other === undefined) throw new Error("no queues");
    const slots = await Promise.all([one.acquire(at()), other.acquire(at())]);
    const leaving = new AbortController();
    const heard: number[] = [];
    const third = errorOf(
      one.acquire({ ...at(), signal: leaving.signal, onPosition: (position) => heard.push(position) }),
    );
    await until(() => heard.length > 0);
    expect(await errorOf(other.acquire(at()))).toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("Too many"),
    });
    leaving.abort(new Error("has left"));
    expect(await third).toEqual(new Error("has left"));
    await until(() => queryNow(nameOf(url), WAITING, []).length === 0);
    const next = other.acquire(at());
    for (const slot of slots) slot.release();
    expect((await next).place).toBe("http://one");
  });

  test("tells a server where nobody waits that the line is full elsewhere", async () => {
    const { lines } = await openServers(2);
    const [one, other] = lines.map((line) => queueOn(line, { queueLength: 1 }));
    if (one === undefined || other === undefined) throw new Error("no queues");
    const slots = await Promise.all([one.acquire(at()), one.acquire(at())]);
    await other.checkRoom();
    const heard: number[] = [];
    const waiting = one.acquire({ ...at(), onPosition: (position) => heard.push(position) });
    await until(() => heard.length > 0);
    expect(await errorOf(other.checkRoom())).toMatchObject({ message: expect.stringContaining("Too many") });
    for (const slot of slots) slot.release();
    (await waiting).release();
    await other.checkRoom();
  });

  test("lets who was served in vain go first, elsewhere", async () => {
    const { lines, url } = await openServers(1);
    const queue = queueOn(lines[0] ?? failed(), { addresses: ["http://one", "http://two"] });
    const slots = await Promise.all([1, 2, 3, 4].map(() => queue.acquire(at())));
    const order: string[] = [];
    const plain = queue.acquire(at({ siteId: 2 })).then((slot) => {
      order.push("plain");
      slot.release();
    });
    const again = queue.acquire({ ...at(), again: true, avoid: new Set(["http://one"]) }).then((slot) => {
      order.push(`again at ${slot.place}`);
      slot.release();
    });
    await until(() => queryNow(nameOf(url), WAITING, []).length === 2);
    slots.find(({ place }) => place === "http://two")?.release();
    await Promise.all([plain, again]);
    expect(order).toEqual(["again at http://two", "plain"]);
    const nowhere = queue.acquire({ ...at(), avoid: new Set(["http://one", "http://two"]) });
    expect(await errorOf(nowhere)).toMatchObject({ message: "None is left." });
  });

  test("that cannot be reached refuses newcomers, keeps who waits, and is made whole when it is back", async () => {
    const { lines, url } = await openServers(1);
    const line = lines[0] ?? failed();
    let isAway = false;
    const queue = queueOn({
      update: (own, assign) =>
        isAway ? Promise.reject(new AppError("unavailable", "It is away.")) : line.update(own, assign),
    });
    const slots = await Promise.all([queue.acquire(at()), queue.acquire(at())]);
    const waiting = queue.acquire(at());
    await until(() => queryNow(nameOf(url), WAITING, []).length === 1);
    isAway = true;
    expect(await errorOf(queue.acquire(at()))).toMatchObject({ message: "It is away." });
    for (const slot of slots) slot.release();
    isAway = false;
    expect((await waiting).place).toBe("http://one");
  });
});

describe("a line that cannot be reached", () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  /** A line that serves everybody at once, and is away when the test says so. */
  function opened() {
    jest.useFakeTimers();
    const state = { isAway: false, told: [] as number[], looks: 0 };
    const line: ModelLine = {
      async update(own) {
        state.looks += 1;
        if (state.isAway) throw new AppError("unavailable", "It is away.");
        state.told = own.map(({ number }) => number);
        return own.map((each) => ({
          ...each,
          address: "http://one",
          joinedAt: each.number,
          servedAt: each.number + 0.5,
          endedAt: undefined,
          isOwn: true,
        }));
      },
    };
    const pass = async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 500) {
        jest.advanceTimersByTime(500);
        for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      }
    };
    return { state, queue: queueOn(line), pass };
  }

  test("is told that an answer has ended, however long it was away, and is then left alone", async () => {
    const { state, queue, pass } = opened();
    const slot = await queue.acquire(at());
    await pass(1000);
    expect(state).toMatchObject({ told: [1], looks: 1 });
    state.isAway = true;
    slot.release();
    await pass(3_600_000);
    // After a second, and then ever more seldom, but every ten seconds.
    expect(state.looks).toBeWithin(360, 380);
    state.isAway = false;
    await pass(10_000);
    expect(state.told).toEqual([]);
    const { looks } = state;
    await pass(60_000);
    expect([state.looks, jest.getTimerCount()]).toEqual([looks, 0]);
  });

  test("is told that a newcomer was refused, of whom it may know, and is not asked again for nothing", async () => {
    const { state, queue, pass } = opened();
    state.isAway = true;
    await queue.checkRoom().catch(() => {});
    await pass(60_000);
    expect([state.looks, jest.getTimerCount()]).toEqual([1, 0]);
    expect(await errorOf(queue.acquire(at()))).toMatchObject({ message: "It is away." });
    state.isAway = false;
    await pass(2000);
    expect(state.looks).toBe(3);
    expect(jest.getTimerCount()).toBe(0);
  });
});

const failed = (): never => {
  throw new Error("there is no line");
};
const nameOf = (url: string) => new URL(url).pathname.slice(1);

describe("turns", () => {
  let count = 0;
  const ticket = (siteId: number, changes: Partial<SharedTicket> = {}): SharedTicket => ({
    number: ++count,
    asker: { siteId, reader: "r" },
    again: false,
    choices: [{ address: "a", rank: 0, slots: 1 }],
    address: undefined,
    joinedAt: count,
    servedAt: undefined,
    endedAt: undefined,
    isOwn: false,
    ...changes,
  });

  test("are told by who was served, though that has ended", () => {
    const busy = [1, 2, 3].map(() => ticket(1));
    const other = ticket(2);
    const served = { ...ticket(1), joinedAt: 0, servedAt: ++count, address: "a", endedAt: ++count };
    expect(assignPlaces([served, ...busy, other])).toEqual([{ joinedAt: other.joinedAt, address: "a" }]);
  });

  test("are not for who has a place, whatever the order says", () => {
    const choices = [{ address: "a", rank: 0, slots: 2 }];
    const served = { ...ticket(1, { choices, address: "a" }), servedAt: 0 };
    expect(assignPlaces([served])).toEqual([]);
  });

  test.each([1, 2, 3, 4, 5])("are those that one server would give: what happened at random, %d", (seed) => {
    const random = randomFrom(seed);
    const order = createFairOrder<SharedTicket>();
    const tickets: SharedTicket[] = [];
    const here = () => tickets.filter(({ endedAt }) => endedAt === undefined);
    for (let at = 1; at < 400; at++) {
      const one = here()[random(here().length)];
      const next = order.list()[0];
      if (here().length < 5 || random(3) === 0) {
        const asker = { siteId: random(3), reader: `r${random(3)}` };
        const joined = ticket(asker.siteId, { asker, joinedAt: at });
        tickets.push(joined);
        order.join(asker, joined);
      } else if (random(2) === 0 && next !== undefined) {
        next.servedAt = at;
        order.begin(next.asker, next);
      } else if (one !== undefined) {
        one.endedAt = at;
        if (one.servedAt === undefined) order.leave(one.asker, one);
        else order.end(one.asker);
      }
      expect(inTurn(tickets).map(({ joinedAt }) => joinedAt)).toEqual(
        order.list().map(({ joinedAt }) => joinedAt),
      );
    }
  });

  test("go to the least busy place of the best, and to none that is full", () => {
    const choices = [
      { address: "cold", rank: 1, slots: 1 },
      { address: "warm", rank: 0, slots: 2 },
      { address: "other", rank: 0, slots: 2 },
    ];
    const running = ticket(1, { address: "warm", joinedAt: 0, servedAt: ++count });
    const waiting = [1, 2, 3, 4, 5].map((site) => ticket(site, { choices }));
    expect(assignPlaces([running, ...waiting]).map(({ address }) => address)).toEqual([
      "other",
      "warm",
      "other",
      "cold",
    ]);
  });
});
