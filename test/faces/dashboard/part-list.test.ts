import { afterAll, afterEach, describe, test } from "bun:test";
import { fakeServer, refusal } from "../../helpers/dashboard-server.ts";
import { registerDom } from "../../helpers/dom.ts";

afterAll(registerDom());
const { apiOf, button, show, until } = await import("../../helpers/dashboard-page.tsx");
const { createElement, useState } = await import("react");
const { usePartList } = await import("../../../src/faces/dashboard/use-paged-list.ts");

let shown: ReturnType<typeof show> | undefined;
afterEach(() => shown?.close());

interface Reply {
  entries: string[];
  nextCursor: string | null;
}

function Reading() {
  const [path, setPath] = useState("/v1/list?limit=2");
  const list = usePartList<Reply, string>(path, ({ entries }) => entries);
  const on = (name: string, onClick: () => void) =>
    createElement("button", { key: name, type: "button", onClick }, name);
  const words = [list.state, ...list.entries, list.error?.message, list.hasMore && "more"];
  return createElement("div", null, [
    createElement("p", { key: "p" }, words.filter(Boolean).join(" ")),
    on("more", list.more),
    on("reload", list.reload),
    on("retry", list.retry),
    on("other", () => setPath("/v1/other")),
  ]);
}

/** Five things, two at a time; `isAway` refuses. */
function start() {
  let things = ["a", "b", "c", "d", "e"];
  let isAway = false;
  const server = fakeServer((_method, path) => {
    if (isAway) return refusal(503, "unavailable", "The server is away.");
    const from = Number(new URL(path, "http://here").searchParams.get("cursor") ?? 0);
    const next = from + 2 < things.length ? String(from + 2) : null;
    return { status: 200, body: { entries: things.slice(from, from + 2), nextCursor: next } };
  });
  shown = show(createElement(Reading), apiOf(server));
  return {
    setAway: (value: boolean) => (isAway = value),
    change: (next: string[]) => (things = next),
  };
}
const said = () => document.querySelector("p")?.textContent;

describe("a list that comes in parts", () => {
  test("is read on, up to its end; read anew, it is as long as it was", async () => {
    const { change } = start();
    await until(() => said() === "ready a b more");
    button("more").click();
    await until(() => said() === "ready a b c d more");
    change(["b", "c", "d", "e", "f"]);
    button("reload").click();
    await until(() => said() === "ready b c d e more");
    button("more").click();
    await until(() => said() === "ready b c d e f");
  });

  test("what could not be read is tried once more, and what is there stays", async () => {
    const { setAway } = start();
    await until(() => said() === "ready a b more");
    setAway(true);
    button("more").click();
    await until(() => said() === "ready a b The server is away. more");
    setAway(false);
    button("retry").click();
    await until(() => said() === "ready a b c d more");
  });

  test("another path begins anew", async () => {
    const { setAway } = start();
    await until(() => said() === "ready a b more");
    setAway(true);
    button("other").click();
    await until(() => said() === "failed The server is away.");
    setAway(false);
    button("retry").click();
    await until(() => said() === "ready a b more");
  });
});
