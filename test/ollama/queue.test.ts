import { expect, test } from "bun:test";
import { AppError } from "../../src/errors.ts";
import { createQueue } from "../../src/ollama/queue.ts";

const never = new AbortController().signal;
const options = { slots: 1, waitingMax: 10, waitMaxMs: 3_600_000 };

const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error) => error,
  );
const settled = () => Bun.sleep(1);

test("no more run than there are slots", async () => {
  const queue = createQueue({ ...options, slots: 2 });
  await queue.acquire(never);
  const second = await queue.acquire(never);
  const third = queue.acquire(never);
  await settled();
  expect(queue.state()).toEqual({ running: 2, waiting: 1 });
  second.release();
  await third;
  expect(queue.state()).toEqual({ running: 2, waiting: 0 });
});

test("who came first runs first", async () => {
  const queue = createQueue(options);
  const order: number[] = [];
  const first = await queue.acquire(never);
  const others = [1, 2, 3].map(async (number) => {
    const slot = await queue.acquire(never);
    order.push(number);
    slot.release();
  });
  first.release();
  await Promise.all(others);
  expect(order).toEqual([1, 2, 3]);
});

test("who waits hears every change of the place in the line", async () => {
  const queue = createQueue(options);
  const slot = await queue.acquire(never);
  const leaving = new AbortController();
  const heard: number[] = [];
  const second = queue.acquire(never);
  const third = queue.acquire(leaving.signal);
  const fourth = queue.acquire(never, (position) => heard.push(position));
  const left = errorOf(third);
  leaving.abort();
  await left;
  slot.release();
  (await second).release();
  await fourth;
  expect(heard).toEqual([3, 2, 1]);
});

test("a full line is refused at once, with a time to come back", async () => {
  const queue = createQueue({ ...options, waitingMax: 1 });
  await queue.acquire(never);
  queue.checkRoom();
  void queue.acquire(never);
  expect(() => queue.checkRoom()).toThrow(AppError);
  const error = await errorOf(queue.acquire(never));
  if (!(error instanceof AppError)) throw error;
  expect(error.code).toBe("unavailable");
  expect(error.retryAfterSeconds).toBeGreaterThan(0);
  expect(error.retryAfterSeconds).toBeLessThanOrEqual(60);
});

test("with no waiting allowed, a free slot is still given", async () => {
  const queue = createQueue({ ...options, waitingMax: 0 });
  const slot = await queue.acquire(never);
  expect(await errorOf(queue.acquire(never))).toBeInstanceOf(AppError);
  slot.release();
  await queue.acquire(never);
});

test("who waits too long is refused, and those behind move up", async () => {
  const queue = createQueue({ ...options, waitMaxMs: 20 });
  const slot = await queue.acquire(never);
  const error = await errorOf(queue.acquire(never));
  if (!(error instanceof AppError)) throw error;
  expect(error.code).toBe("unavailable");
  expect(error.retryAfterSeconds).toBeGreaterThan(0);
  expect(queue.state()).toEqual({ running: 1, waiting: 0 });
  const next = queue.acquire(never);
  slot.release();
  await next;
});

test("an abort leaves the line with the abort's reason", async () => {
  const queue = createQueue(options);
  await queue.acquire(never);
  const leaving = new AbortController();
  const work = errorOf(queue.acquire(leaving.signal));
  const reason = new Error("gone");
  leaving.abort(reason);
  expect(await work).toBe(reason);
  expect(queue.state()).toEqual({ running: 1, waiting: 0 });
  expect(await errorOf(queue.acquire(AbortSignal.abort(reason)))).toBe(reason);
});

test("releasing twice frees one slot", async () => {
  const queue = createQueue(options);
  const slot = await queue.acquire(never);
  const second = queue.acquire(never);
  const third = errorOf(queue.acquire(never));
  slot.release();
  slot.release();
  await second;
  await settled();
  expect(queue.state()).toEqual({ running: 1, waiting: 1 });
  void third;
});

test("a slot tells how long its holder has waited", async () => {
  let now = 1000;
  const queue = createQueue({ ...options, clock: () => now });
  const slot = await queue.acquire(never);
  expect(slot.waitedMs).toBe(0);
  const second = queue.acquire(never);
  now = 4000;
  slot.release();
  expect((await second).waitedMs).toBe(3000);
});
