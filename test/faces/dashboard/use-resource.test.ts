import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { fakeServer, refusal } from "../../helpers/dashboard-server.ts";
import { registerDom } from "../../helpers/dom.ts";

afterAll(registerDom());
const { apiOf, button, show, until } = await import("../../helpers/dashboard-page.tsx");
const { createElement, useState } = await import("react");
const { useResource } = await import("../../../src/faces/dashboard/use-resource.ts");

let shown: ReturnType<typeof show> | undefined;
afterEach(() => shown?.close());

/** Shows what is read; buttons change what that is. */
function Reading({ everyMs }: { everyMs?: number }) {
  const [path, setPath] = useState<string | null>("/v1/a");
  const [text, setText] = useState("");
  const { state, data, error, isReloading, reload } = useResource<string>(path, { query: { text }, everyMs });
  const on = (name: string, onClick: () => void) =>
    createElement("button", { key: name, type: "button", onClick }, name);
  return createElement("div", null, [
    createElement(
      "p",
      { key: "p" },
      [state, data, error?.message, isReloading && "reloading"].filter(Boolean).join(", "),
    ),
    on("reload", () => void reload()),
    on("other path", () => setPath("/v1/b")),
    on("other query", () => setText("x")),
    on("nothing", () => setPath(null)),
  ]);
}

const said = () => document.querySelector("p")?.textContent;

/** A server whose answers are given one by one. */
function slowServer() {
  const waiting: ((answer: { status: number; body?: unknown }) => void)[] = [];
  const server = fakeServer(() => new Promise((resolve) => waiting.push(resolve)));
  return {
    ...server,
    async answer(body: unknown, status = 200) {
      (await until(() => waiting.shift()))(
        status === 200 ? { status, body } : refusal(status, "x", String(body)),
      );
    },
  };
}

function start(server: Pick<ReturnType<typeof fakeServer>, "fetch">, props = {}) {
  shown = show(createElement(Reading, props), apiOf(server));
}

describe("what pages read", () => {
  test("it is loading, and then it is there", async () => {
    const server = slowServer();
    start(server);
    await until(() => said() === "loading");
    await server.answer("one");
    await until(() => said() === "ready, one");
    expect(server.asked.map(({ path }) => path)).toEqual(["/v1/a"]);
  });

  test("what was read stays while it is read anew, and when that fails", async () => {
    const server = slowServer();
    start(server);
    await server.answer("one");
    await until(() => said() === "ready, one");
    button("reload").click();
    await until(() => said() === "ready, one, reloading");
    await server.answer("The server is away.", 503);
    await until(() => said() === "ready, one, The server is away.");
    button("reload").click();
    await server.answer("two");
    await until(() => said() === "ready, two");
  });

  test("another query keeps what was read, another path does not", async () => {
    const server = slowServer();
    start(server);
    await server.answer("one");
    await until(() => said() === "ready, one");
    button("other query").click();
    await until(() => said() === "ready, one, reloading");
    await server.answer("two");
    await until(() => said() === "ready, two");
    button("other path").click();
    await until(() => said()?.startsWith("loading"));
    await server.answer("three");
    await until(() => said() === "ready, three");
    expect(server.asked.map(({ path }) => path)).toEqual(["/v1/a", "/v1/a?text=x", "/v1/b?text=x"]);
  });

  test("where another query fails, what was read with the one before is not shown for it", async () => {
    const server = slowServer();
    start(server);
    await server.answer("one");
    await until(() => said() === "ready, one");
    button("other query").click();
    await server.answer("The server is away.", 503);
    await until(() => said() === "failed, The server is away.");
  });

  test("what failed the first time says so, and can be tried again", async () => {
    const server = slowServer();
    start(server);
    await server.answer("Not found", 404);
    await until(() => said() === "failed, Not found");
    button("reload").click();
    await server.answer("one");
    await until(() => said() === "ready, one");
  });

  test("an answer that comes late, to what is not asked any more, changes nothing", async () => {
    const server = slowServer();
    start(server);
    await until(() => server.asked.length === 1);
    button("other path").click();
    await until(() => server.asked.length === 2);
    await server.answer("of a");
    await server.answer("of b");
    await until(() => said() === "ready, of b");
  });

  test("nothing to read is asked for nothing", async () => {
    const server = slowServer();
    start(server);
    await server.answer("one");
    await until(() => said() === "ready, one");
    button("nothing").click();
    await until(() => said() === "loading");
    expect(server.asked.length).toBe(1);
  });

  test("it is read again and again while somebody looks, and not while nobody does", async () => {
    let count = 0;
    let isHidden = false;
    Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
    const server = fakeServer(() => {
      count += 1;
      return { status: 200, body: `number ${count}` };
    });
    start(server, { everyMs: 1 });
    await until(() => count > 3);
    isHidden = true;
    document.dispatchEvent(new Event("visibilitychange"));
    // What was under way ends; after that, nothing is asked.
    await new Promise((resolve) => setTimeout(resolve, 20));
    const before = count;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(count).toBe(before);
    isHidden = false;
    document.dispatchEvent(new Event("visibilitychange"));
    await until(() => count > before);
    Reflect.deleteProperty(document, "hidden");
  });

  test("a page that is left stops what it was reading", async () => {
    const stopped: boolean[] = [];
    const fetch = (_path: string, { signal }: RequestInit = {}) =>
      new Promise<Response>((_resolve, reject) => {
        signal?.addEventListener("abort", () => {
          stopped.push(true);
          reject(signal.reason);
        });
      });
    start({ fetch });
    await until(() => said() === "loading");
    shown?.close();
    shown = undefined;
    await until(() => stopped.length === 1);
  });
});
