import { describe, expect, test } from "bun:test";
import { streamResponse } from "../../src/http/stream-response.ts";

/** A source that says "one", and then what `then` decides. */
function open(then: () => Promise<IteratorResult<string>>) {
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

  test("that has nothing to say sends signs of life", async () => {
    const { response } = open(never);
    const reader = response.body?.getReader();
    const pieces: string[] = [];
    for (let round = 0; round < 3; round++)
      pieces.push(new TextDecoder().decode((await reader?.read())?.value));
    expect(pieces).toEqual(["one", "\n", "\n"]);
    await reader?.cancel();
  });
});
