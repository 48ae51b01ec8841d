import { afterEach, describe, expect, test } from "bun:test";
import { systemClock } from "../../../src/kernel/lib/clock.ts";
import { chatOptions, type ModelSettings } from "../../../src/models/ollama/chat-options.ts";
import { createModels } from "../../../src/models/ollama/models/models.ts";
import { createWarmth, type Warmth, type WarmthOptions } from "../../../src/models/ollama/pool/warming.ts";
import { type FakeOllama, type FakeOllamaOptions, startFakeOllama } from "../../helpers/fake-ollama.ts";
import { clientOf, drain, never, recordingLog } from "./helpers.ts";

const settings: ModelSettings = { answerTokens: 512, thinking: false, keepAliveSeconds: 1800 };

const open: { server: FakeOllama; warmth: Warmth }[] = [];
afterEach(async () => {
  for (const { server, warmth } of open.splice(0)) {
    await warmth.close();
    await server.stop();
  }
});

/** Warmth over a fake Ollama that is looked at every few milliseconds. */
function keepWarm(options: Partial<WarmthOptions> = {}, fake: FakeOllamaOptions = {}) {
  const server = startFakeOllama(fake);
  const client = clientOf(server.url, { healthyForMs: 0, attempts: 1 });
  const models = createModels({ client, model: "auto", contextTokens: 4096, refreshMs: 0 });
  const { log, lines } = recordingLog();
  const looks = { count: 0 };
  const warmth = createWarmth({
    refresh: async (signal) => {
      looks.count += 1;
      return models.refresh(signal);
    },
    preload: client.preload,
    settings,
    everyMs: 2,
    clock: systemClock,
    log,
    ...options,
  });
  open.push({ server, warmth });
  const warnings = () => lines.filter((line) => line.includes('"warn"'));
  return { server, client, models, warmth, looks, warnings };
}

describe("the model is loaded", () => {
  test("at the start, with the body of later chats byte for byte", async () => {
    const { server, client, models, warmth } = keepWarm();
    warmth.start();
    await server.until(() => server.loads.length > 0);
    const model = await models.refresh();
    if (model === undefined) throw new Error("no model");
    const messages = [{ role: "user" as const, content: "How do I install it?" }];
    await drain(client.chat({ ...chatOptions(model, settings), messages }, never));
    const [load] = server.loads;
    const [chat] = server.chats;
    expect(JSON.stringify({ ...load?.body, messages })).toBe(JSON.stringify(chat?.body));
    expect(await client.running()).toMatchObject([{ name: "tiny:latest", context_length: 4096 }]);
  });

  test("once, however often is looked", async () => {
    const { server, warmth, looks } = keepWarm();
    warmth.start();
    warmth.start();
    await server.until(() => looks.count > 10);
    expect(server.loads).toHaveLength(1);
  });

  test.each([
    ["another model", { name: "other:latest" }, "other:latest"],
    ["another version of it", { name: "tiny:latest", digest: "newer" }, "tiny:latest"],
    ["another context", { name: "tiny:latest", digest: "shorter", contextLength: 2048 }, "tiny:latest"],
  ])("again after a change: %s", async (_, model, loaded) => {
    const { server, warmth } = keepWarm();
    warmth.start();
    await server.until(() => server.loads.length === 1);
    server.models = [model];
    await server.until(() => server.loads.length === 2);
    expect(server.loads.at(-1)?.body.model).toBe(loaded);
  });

  test("when the server comes, and again when it has been away", async () => {
    const { server, warmth, looks } = keepWarm();
    await server.stop();
    warmth.start();
    await server.until(() => looks.count > 2);
    server.restart();
    await server.until(() => server.loads.length === 1);
    await server.stop();
    const then = looks.count;
    await server.until(() => looks.count > then + 3);
    server.restart();
    await server.until(() => server.loads.length === 2);
  });

  test("never twice at the same time, even by a load that lasts", async () => {
    let under = 0;
    let most = 0;
    const digests = { last: 0 };
    const { server, warmth } = keepWarm({
      preload: async () => {
        under += 1;
        most = Math.max(most, under);
        server.models = [{ name: "tiny:latest", digest: String(digests.last++) }];
        await Bun.sleep(10);
        under -= 1;
      },
    });
    warmth.start();
    await server.until(() => digests.last > 4);
    expect(most).toBe(1);
  });
});

describe("the model is not loaded", () => {
  test("where it would not be kept: such a load unloads it", async () => {
    const { warmth, looks } = keepWarm({ settings: { ...settings, keepAliveSeconds: 0 } });
    warmth.start();
    await Bun.sleep(20);
    expect(looks.count).toBe(0);
  });

  test("while questions are answered, which load it themselves; but after them", async () => {
    let isBusy = true;
    const { server, warmth, looks } = keepWarm({ isBusy: () => isBusy });
    warmth.start();
    await server.until(() => looks.count > 5);
    expect(server.loads).toHaveLength(0);
    isBusy = false;
    await server.until(() => server.loads.length === 1);
  });

  test("where there is none, and nothing is said of it", async () => {
    const { server, warmth, looks, warnings } = keepWarm({}, { models: [] });
    warmth.start();
    await server.until(() => looks.count > 5);
    expect(server.loads).toHaveLength(0);
    expect(warnings()).toHaveLength(0);
  });
});

describe("a load that fails", () => {
  test("is said once, and tried again", async () => {
    let attempts = 0;
    const { server, warmth, warnings } = keepWarm({
      preload: async () => {
        attempts += 1;
        if (attempts < 4) throw new Error("not enough memory");
      },
    });
    warmth.start();
    await server.until(() => attempts === 4);
    expect(warnings()).toHaveLength(1);
  });

  test("is tried more and more seldom: it keeps Ollama busy", async () => {
    const times: number[] = [];
    const { server, warmth } = keepWarm({
      everyMs: 10,
      preload: async () => {
        times.push(performance.now());
        throw new Error("not enough memory");
      },
    });
    warmth.start();
    await server.until(() => times.length >= 4);
    // Timers are never early, so this holds on a busy machine too: 20, 40 and 80 ms lie between.
    expect((times[3] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(130);
  });
});

describe("closing", () => {
  test("ends a load that is under way", async () => {
    const { server, warmth } = keepWarm({
      preload: (_, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    });
    warmth.start();
    await server.until(() => server.requests.some(({ path }) => path === "/api/show"));
    await Bun.sleep(5);
    await warmth.close();
  });

  test("ends a pause, and may be done twice or before the start", async () => {
    const { server, warmth, looks, warnings } = keepWarm({ everyMs: 600_000 });
    warmth.start();
    await server.until(() => server.loads.length === 1);
    await warmth.close();
    await warmth.close();
    expect(looks.count).toBe(1);
    expect(warnings()).toHaveLength(0);
    await keepWarm().warmth.close();
  });
});
