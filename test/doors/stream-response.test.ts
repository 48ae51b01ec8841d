import { describe, expect, jest, test } from "bun:test";
import { streamResponse } from "../../src/doors/streaming/stream-response.ts";

/** A source that says "one", and then what `then` decides. */
function open(then: () => Promise<IteratorResult<string>>, onReturn = async () => {}) {
  let said = false;
  let returned = false;
  let ended = 0;
  const abort = new AbortController();
  const source: AsyncIterator<string> = {
    async next() {
      if (said) return then();
      said = true;
      return { done: false, value: "one" };
    },
    async return() {
      returned = true;
      await onReturn();
      return { done: true, value: undefined };
    },
  };
  const response = streamResponse(source, abort, {
    heartbeat: "\n",
    heartbeatMs: 10,
    headers: {},
    onEnd: () => {
      ended++;
    },
  });
  return { response, abort, state: () => ({ returned, ended, aborted: abort.signal.aborted }) };
}

const never = () => new Promise<IteratorResult<string>>(() => {});

describe("a streamed response", () => {
  test("that is read to its end gives its place back once", async () => {
    const { response, state } = open(async () => ({ done: true, value: undefined }));
    expect(await response.text()).toBe("one");
    expect(state()).toEqual({ returned: false, ended: 1, aborted: false });
  });

  test("that its reader leaves ends what writes it, and gives its place back once", async () => {
    const { response, state } = open(never);
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect(state()).toEqual({ returned: true, ended: 1, aborted: true });
  });

  test("whose source fails gives its place back", async () => {
    const { response, state } = open(() => Promise.reject(new Error("the disk is gone")));
    expect(await response.text().catch((error: Error) => error.message)).toBe("the disk is gone");
    expect(state().ended).toBe(1);
  });

  test("that its reader leaves gives its place back, also where what it was cannot be stored", async () => {
    const { response, state } = open(never, () => Promise.reject(new Error("the disk is full")));
    const reader = response.body?.getReader();
    await reader?.read();
    const failure = await reader?.cancel().catch((error: Error) => error.message);
    expect({ failure, ...state() }).toMatchObject({ failure: "the disk is full", ended: 1, aborted: true });
  });

  test("that has nothing to say sends signs of life", async () => {
    const { response } = open(never);
    const reader = response.body?.getReader();
    const pieces: string[] = [];
    for (let round = 0; round < 3; round++)
      pieces.push(new TextDecoder().decode((await reader?.read())?.value));
    expect(pieces).toEqual(["one", "\n", "\n"]);
    await reader?.cancel();
  });

  test("that falls silent gives its sign of life that long after its last word, and not up to twice as long", async () => {
    jest.useFakeTimers();
    try {
      const { promise, resolve } = Promise.withResolvers<IteratorResult<string>>();
      let words = 0;
      const { response } = open(() => (words++ === 0 ? promise : never()));
      const reader = response.body?.getReader();
      const next = async () => new TextDecoder().decode((await reader?.read())?.value);
      expect(await next()).toBe("one");
      jest.advanceTimersByTime(9);
      resolve({ done: false, value: "two" });
      expect(await next()).toBe("two");
      const reading = next();
      jest.advanceTimersByTime(9);
      expect(await Promise.race([reading, Promise.resolve("nothing yet")])).toBe("nothing yet");
      jest.advanceTimersByTime(1);
      expect(await reading).toBe("\n");
      await reader?.cancel();
    } finally {
      jest.useRealTimers();
    }
  });
});
