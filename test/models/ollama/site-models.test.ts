import { afterEach, describe, expect, test } from "bun:test";
import { type FakeOllama, startFakeOllama } from "../../helpers/fake-ollama.ts";
import { type FakeReply, refusals } from "../../helpers/fake-ollama-replies.ts";
import { appError, never } from "./helpers.ts";
import { openPool, type PoolOptions } from "./pool-helpers.ts";

const open: FakeOllama[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.stop();
});

function server(names: string[], reply: FakeReply = { text: "Yes." }): FakeOllama {
  const started = startFakeOllama({ models: names.map((name) => ({ name })), reply });
  open.push(started);
  return started;
}
const BOTH = ["tiny:latest", "large:7b"];
const chats = (...servers: FakeOllama[]) => servers.map((each) => each.chats.map(({ body }) => body.model));

function openAt(servers: FakeOllama[], options: PoolOptions = {}) {
  return openPool(
    servers.map(({ url }) => url),
    { model: "tiny", ...options },
  );
}

/** Looks at all of them: where one is known to have a model, the others are hardly waited for. */
const lookAt = (servers: ReturnType<typeof openAt>["servers"]) =>
  Promise.all(
    servers.flatMap(({ models, named }) => [models, named("large:7b")]).map((each) => each.refresh()),
  );

describe("a model that a site asks for", () => {
  test("is asked of a server that has it, however busy or well the others are", async () => {
    const [a, b] = [server(["tiny:latest"]), server(BOTH)];
    const { respond, servers } = openAt([a, b]);
    await lookAt(servers);
    for (let time = 0; time < 3; time++) await respond(never, { model: "large:7b" });
    expect(chats(a, b)).toEqual([[], ["large:7b", "large:7b", "large:7b"]]);
    await respond();
    expect(chats(a, b).flat()).toContain("tiny:latest");
  });

  test("moves to another server that has it, and to none that has not", async () => {
    const [a, b, c] = [server(BOTH, refusals.crashed), server(["tiny:latest"]), server(BOTH)];
    const { respond, servers } = openAt([a, b, c]);
    await lookAt(servers);
    await respond(never, { model: "large:7b" });
    expect(chats(b)).toEqual([[]]);
    expect(chats(c)).toEqual([["large:7b"]]);
  });

  test("where the only server that has it breaks down, that is an error: another may quote", async () => {
    const [a, b] = [server(BOTH), server(["tiny:latest"])];
    const { respond, servers } = openAt([a, b]);
    await lookAt(servers);
    await respond(never, { model: "large:7b" });
    a.replyWith(refusals.crashed);
    const error = appError((await respond(never, { model: "large:7b" })).error);
    expect(error.code).toBe("unavailable");
    expect(chats(b)).toEqual([[]]);
  });

  test("waits in the one line, which is full for it where only servers without it are free", async () => {
    const [a, b] = [server(["tiny:latest"]), server(BOTH)];
    const { respond, responder, servers } = openAt([a, b], { queue: { queueLength: 0 } });
    await lookAt(servers);
    const held = Promise.withResolvers<void>();
    b.replyWith({ text: ["word ", "word "], beforeToken: () => held.promise });
    const first = respond(never, { model: "large:7b" });
    await b.until(() => b.chats.length === 1);
    const { error: refused } = await respond(never, { model: "large:7b" });
    expect(appError(refused).message).toContain("Too many questions are waiting");
    expect(appError(await responder.ready(never, "large:7b").catch((error) => error)).code).toBe(
      "unavailable",
    );
    await responder.ready(never);
    await respond();
    expect(chats(a)).toEqual([["tiny:latest"]]);
    held.resolve();
    await first;
  });

  test("is the server's own under another name where it is that", async () => {
    const a = server(BOTH);
    const { responder, respond } = openAt([a]);
    await respond(never, { model: "TINY" });
    expect(chats(a)).toEqual([["tiny:latest"]]);
    expect([responder.model(), responder.model("large:7b")]).toEqual(["tiny:latest", "tiny:latest"]);
    await responder.ready(never, "large:7b");
    expect(responder.model("large:7b")).toBe("large:7b");
    expect(responder.modelVersion?.("large:7b")).toBe("digest-of-large:7b");
  });

  test("is bounded by what the operator names, with or without a tag", async () => {
    const a = server(BOTH);
    const { respond } = openAt([a], { siteModels: ["LARGE:7b"] });
    await respond(never, { model: "large:7b" });
    const other = server([...BOTH, "third:latest"]);
    const bounded = openAt([other], { siteModels: ["large:7b"] });
    await bounded.respond(never, { model: "third" });
    expect(chats(a, other)).toEqual([["large:7b"], ["tiny:latest"]]);
  });
});
