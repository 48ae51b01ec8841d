import { describe, expect, test } from "bun:test";
import { AppError } from "../../../src/kernel/errors.ts";
import { countedPlaces, createQueue, type Places } from "../../../src/models/ollama/queue/queue.ts";

const never = new AbortController().signal;
const one = () => ({ places: countedPlaces(1), queueLength: 10, queueMs: 3_600_000 });
const asker = { siteId: 1, reader: "reader" };
const by = (reader: string, siteId = 1) => ({ asker: { siteId, reader }, signal: never });

const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error) => error,
  );
const settled = () => Bun.sleep(1);

test("no more run than there are slots", async () => {
  const queue = createQueue({ ...one(), places: countedPlaces(2) });
  await queue.acquire({ asker, signal: never });
  const second = await queue.acquire({ asker, signal: never });
  const third = queue.acquire({ asker, signal: never });
  await settled();
  expect(queue.state()).toEqual({ running: 2, waiting: 1 });
  second.release();
  await third;
  expect(queue.state()).toEqual({ running: 2, waiting: 0 });
});

test("who came first runs first", async () => {
  const queue = createQueue(one());
  const order: number[] = [];
  const first = await queue.acquire({ asker, signal: never });
  const others = [1, 2, 3].map(async (number) => {
    const slot = await queue.acquire({ asker, signal: never });
    order.push(number);
    slot.release();
  });
  first.release();
  await Promise.all(others);
  expect(order).toEqual([1, 2, 3]);
});

test("who waits hears every change of the place in the line", async () => {
  const queue = createQueue(one());
  const slot = await queue.acquire({ asker, signal: never });
  const leaving = new AbortController();
  const heard: number[] = [];
  const second = queue.acquire({ asker, signal: never });
  const third = queue.acquire({ asker, signal: leaving.signal });
  const fourth = queue.acquire({ asker, signal: never, onPosition: (position) => heard.push(position) });
  const left = errorOf(third);
  leaving.abort();
  await left;
  slot.release();
  (await second).release();
  await fourth;
  expect(heard).toEqual([3, 2, 1]);
});

test("a full line is refused at once, with a time to come back", async () => {
  const queue = createQueue({ ...one(), queueLength: 1 });
  await queue.acquire({ asker, signal: never });
  await queue.checkRoom();
  void queue.acquire({ asker, signal: never });
  expect(await errorOf(queue.checkRoom())).toBeInstanceOf(AppError);
  const error = await errorOf(queue.acquire({ asker, signal: never }));
  if (!(error instanceof AppError)) throw error;
  expect(error.code).toBe("unavailable");
  expect(error.retryAfterSeconds).toBeGreaterThan(0);
  expect(error.retryAfterSeconds).toBeLessThanOrEqual(60);
});

test("with no waiting allowed, a free slot is still given", async () => {
  const queue = createQueue({ ...one(), queueLength: 0 });
  const slot = await queue.acquire({ asker, signal: never });
  expect(await errorOf(queue.acquire({ asker, signal: never }))).toBeInstanceOf(AppError);
  slot.release();
  await queue.acquire({ asker, signal: never });
});

test("who waits too long is refused, and those behind move up", async () => {
  const queue = createQueue({ ...one(), queueMs: 20 });
  const slot = await queue.acquire({ asker, signal: never });
  const error = await errorOf(queue.acquire({ asker, signal: never }));
  if (!(error instanceof AppError)) throw error;
  expect(error.code).toBe("unavailable");
  expect(error.retryAfterSeconds).toBeGreaterThan(0);
  expect(queue.state()).toEqual({ running: 1, waiting: 0 });
  const next = queue.acquire({ asker, signal: never });
  slot.release();
  await next;
});

test("an abort leaves the line with the abort's reason", async () => {
  const queue = createQueue(one());
  await queue.acquire({ asker, signal: never });
  const leaving = new AbortController();
  const work = errorOf(queue.acquire({ asker, signal: leaving.signal }));
  const reason = new Error("gone");
  leaving.abort(reason);
  expect(await work).toBe(reason);
  expect(queue.state()).toEqual({ running: 1, waiting: 0 });
  expect(await errorOf(queue.acquire({ asker, signal: AbortSignal.abort(reason) }))).toBe(reason);
});

test("releasing twice frees one slot", async () => {
  const queue = createQueue(one());
  const slot = await queue.acquire({ asker, signal: never });
  const second = queue.acquire({ asker, signal: never });
  const third = errorOf(queue.acquire({ asker, signal: never }));
  slot.release();
  slot.release();
  await second;
  await settled();
  expect(queue.state()).toEqual({ running: 1, waiting: 1 });
  void third;
});

test("a slot tells how long its holder has waited", async () => {
  let now = 1000;
  const queue = createQueue({ ...one(), clock: () => now });
  const slot = await queue.acquire({ asker, signal: never });
  expect(slot.waitedMs).toBe(0);
  const second = queue.acquire({ asker, signal: never });
  now = 4000;
  slot.release();
  expect((await second).waitedMs).toBe(3000);
});

/** Lets one after the other run, and tells in which order they did. */
async function orderOf(
  queue: ReturnType<typeof createQueue>,
  wanted: [name: string, reader: string, siteId?: number][],
) {
  const order: string[] = [];
  const first = await queue.acquire(by("somebody", 99));
  const all = wanted.map(async ([name, reader, siteId]) => {
    const slot = await queue.acquire(by(reader, siteId));
    order.push(name);
    slot.release();
  });
  first.release();
  await Promise.all(all);
  return order.join(" ");
}

test("one reader's ten questions do not hold up another's first", async () => {
  const queue = createQueue({ ...one(), queueLength: 20 });
  const mine = Array.from({ length: 10 }, (_, index) => [`a${index}`, "ann"] as [string, string]);
  expect(await orderOf(queue, [...mine, ["b0", "ben"]])).toStartWith("a0 b0 a1 a2");
});

test("a reader whose answer is being written waits behind one who has had none", async () => {
  const queue = createQueue(one());
  const order: string[] = [];
  const run = async (name: string) => {
    const slot = await queue.acquire(by(name));
    order.push(name);
    slot.release();
  };
  const running = await queue.acquire(by("ann"));
  const all = [run("ann"), run("ann"), run("ben")];
  running.release();
  await Promise.all(all);
  expect(order).toEqual(["ben", "ann", "ann"]);
});

test("sites take turns, and within a site its readers do", async () => {
  const wanted: [string, string, number][] = [
    ["1ann1", "ann", 1],
    ["1ann2", "ann", 1],
    ["1ben1", "ben", 1],
    ["1cid1", "cid", 1],
    ["2ann1", "ann", 2],
    ["2ann2", "ann", 2],
  ];
  const order = await orderOf(createQueue(one()), wanted);
  expect(order).toBe("1ann1 2ann1 1ben1 2ann2 1cid1 1ann2");
});

test("whoever is overtaken hears that too, and nothing is said twice", async () => {
  const queue = createQueue(one());
  const running = await queue.acquire(by("ann"));
  const heard: number[] = [];
  const waiting = queue.acquire({ ...by("ann"), onPosition: (position) => heard.push(position) });
  const other = queue.acquire(by("ben"));
  const behind = queue.acquire(by("ann"));
  running.release();
  (await other).release();
  (await waiting).release();
  await behind;
  expect(heard).toEqual([1, 2, 1]);
});

describe("places that are not alike", () => {
  const pick = (free: Set<string>, gone: Set<string> = new Set()): Places<string> => ({
    take: (avoid) => {
      const place = [...free].find((each) => !avoid.has(each));
      if (place !== undefined) free.delete(place);
      return place;
    },
    give: (place) => void (gone.has(place) || free.add(place)),
    count: () => 2,
    isFree: () => free.size > 0,
    problem: (avoid) =>
      ["a", "b"].some((each) => !gone.has(each) && !avoid.has(each))
        ? undefined
        : new AppError("unavailable", "none is left"),
  });

  test("who had one that came to nothing waits before all others, for another one", async () => {
    const queue = createQueue({ ...one(), places: pick(new Set(["a", "b"])) });
    const [onA, onB] = [await queue.acquire(by("ann")), await queue.acquire(by("ben"))];
    const order: string[] = [];
    const others = ["cid", "dan"].map((name) =>
      queue.acquire(by(name)).then(({ place }) => order.push(name + place)),
    );
    onA.release();
    await settled();
    const moved = queue
      .acquire({ ...by("ann"), avoid: new Set(["a"]), again: true })
      .then(({ place }) => order.push(`ann${place}`));
    onB.release();
    await moved;
    expect(order).toEqual(["cida", "annb"]);
    void others;
  });

  test("who has waited already is let into a full line", async () => {
    const queue = createQueue({ ...one(), queueLength: 0, places: pick(new Set(["a"])) });
    await queue.acquire(by("ann"));
    expect(await errorOf(queue.acquire(by("ben")))).toBeInstanceOf(AppError);
    void queue.acquire({ ...by("ann"), avoid: new Set(["a"]), again: true });
    await settled();
    expect(queue.state()).toEqual({ running: 1, waiting: 1 });
  });

  test("who waits for what is gone is told so at once", async () => {
    const gone = new Set<string>();
    const queue = createQueue({ ...one(), places: pick(new Set(["a"]), gone) });
    await queue.acquire(by("ann"));
    const waiting = errorOf(queue.acquire(by("ben")));
    gone.add("a").add("b");
    queue.admit();
    expect(await waiting).toMatchObject({ message: "none is left" });
    expect(queue.state()).toEqual({ running: 1, waiting: 0 });
  });

  test("what was waited before counts", async () => {
    const queue = createQueue(one());
    await queue.acquire(by("ann"));
    expect(await errorOf(queue.acquire({ ...by("ben"), waitMaxMs: 0 }))).toMatchObject({
      code: "unavailable",
    });
    expect(await errorOf(queue.acquire({ ...by("ben"), waitMaxMs: 5 }))).toMatchObject({
      code: "unavailable",
    });
    expect(queue.state().waiting).toBe(0);
  });
});
