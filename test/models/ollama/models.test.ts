import { afterEach, describe, expect, test } from "bun:test";
import { faultToAppError, OllamaFault } from "../../../src/models/ollama/faults.ts";
import { createModels } from "../../../src/models/ollama/models/models.ts";
import { type FakeOllama, startFakeOllama } from "../../helpers/fake-ollama.ts";
import type { FakeModel } from "../../helpers/fake-ollama-models.ts";
import { clientOf } from "./helpers.ts";

let ollama: FakeOllama;
let now = 0;
afterEach(() => ollama.stop());

const modelsOf = (installed: FakeModel[], model = "auto") => {
  ollama = startFakeOllama({ models: installed });
  now = 0;
  return createModels({
    client: clientOf(ollama.url),
    model,
    contextTokens: 8192,
    refreshMs: 30_000,
    clock: () => now,
  });
};
const embedder: FakeModel = { name: "minilm:latest", capabilities: ["embedding"], family: "bert" };
const asked = (path: string) => ollama.requests.filter((request) => request.path === path).length;

describe("auto takes the first model that can chat", () => {
  test("not one that embeds", async () => {
    const models = modelsOf([embedder, { name: "tiny:latest" }, { name: "other:latest" }]);
    expect((await models.refresh())?.name).toBe("tiny:latest");
  });

  test("on a server that tells no capabilities, not one of BERT's family", async () => {
    const models = modelsOf([
      { name: "nomic:latest", capabilities: null, family: "nomic-bert" },
      { name: "tiny:latest", capabilities: null },
    ]);
    expect((await models.refresh())?.name).toBe("tiny:latest");
  });

  test("never one that runs on somebody else's machine", async () => {
    const models = modelsOf([
      { name: "big:cloud", remoteHost: "https://ollama.com:443" },
      { name: "tiny:latest" },
    ]);
    expect((await models.refresh())?.name).toBe("tiny:latest");
  });
});

describe("a name means the model of that name", () => {
  test.each([
    ["tiny", "tiny:latest"],
    ["tiny:latest", "tiny:latest"],
    ["Tiny", "tiny:latest"],
    ["tiny:8b", "tiny:8b"],
    ["hf.co/acme/tiny", "hf.co/acme/tiny:latest"],
    ["localhost:5000/acme/tiny", "localhost:5000/acme/tiny:latest"],
  ])("%s is %s", async (wanted, name) => {
    const names = ["tiny:8b", "tiny:latest", "hf.co/acme/tiny:latest", "localhost:5000/acme/tiny:latest"];
    const models = modelsOf(
      names.map((installed) => ({ name: installed })),
      wanted,
    );
    expect((await models.refresh())?.name).toBe(name);
  });

  test("even when it runs on another machine, and that is said", async () => {
    const models = modelsOf([{ name: "big:cloud", remoteHost: "https://ollama.com:443" }], "big:cloud");
    expect(await models.refresh()).toMatchObject({ name: "big:cloud", remote: true });
  });
});

test("the context is the setting, or what the model was trained for where that is less", async () => {
  expect((await modelsOf([{ name: "a:latest", contextLength: 2048 }]).refresh())?.contextTokens).toBe(2048);
  expect((await modelsOf([{ name: "a:latest", contextLength: 131_072 }]).refresh())?.contextTokens).toBe(
    8192,
  );
  expect((await modelsOf([{ name: "a:latest", contextLength: null }]).refresh())?.contextTokens).toBe(8192);
});

test("what a model can do is known", async () => {
  const capabilities = ["completion", "vision", "thinking"];
  expect(await modelsOf([{ name: "a:latest", capabilities }]).refresh()).toMatchObject({
    vision: true,
    thinking: true,
  });
  expect(await modelsOf([{ name: "a:latest" }]).refresh()).toMatchObject({ vision: false, thinking: false });
});

test("a reader waits only so long for a server that says nothing; the look goes on, and its result holds", async () => {
  ollama = startFakeOllama({ models: [{ name: "tiny:latest" }] });
  const client = clientOf(ollama.url);
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const models = createModels({
    client: { ...client, tags: async () => held.then(() => client.tags()) },
    model: "auto",
    contextTokens: 8192,
  });
  expect(await models.refresh(undefined, 1)).toBeUndefined();
  expect(await models.refresh(undefined, 1)).toBeUndefined();
  const whole = models.refresh();
  letGo();
  expect((await whole)?.name).toBe("tiny:latest");
  expect(models.current()?.name).toBe("tiny:latest");
  expect(asked("/api/version")).toBe(1);
});

describe("whether a model begins within a thought is read from its template", () => {
  const opens = async (template: string, capabilities = ["completion"]) =>
    (await modelsOf([{ name: "a:latest", template, capabilities }]).refresh())?.opensThought;

  for (const [opened, template] of [
    [true, "{{ .Prompt }}<|im_start|>assistant\n<think>\n"],
    [true, "{{ .Prompt }}<|Assistant|><think>\n{{ .Response }}<|end|>"],
    [true, "{{ if true }}<think>\n{{ end }}{{- .Response -}}"],
    [
      false,
      "{{ .Prompt }}<|im_start|>assistant\n{{ if not .Think }}<think>\n\n</think>\n\n{{ end }}{{ .Response }}",
    ],
    [false, "{{ .Prompt }} {{ .Response }}"],
  ] as const)
    test(JSON.stringify(template), async () => expect(await opens(template)).toBe(opened));

  test("but not where Ollama takes thoughts out", async () => {
    expect(await opens("{{ .Prompt }}<think>\n", ["completion", "thinking"])).toBe(false);
  });
});

describe("where there is no model, it is said why and what to do", () => {
  test("no server", async () => {
    const models = modelsOf([]);
    await ollama.stop();
    expect(await models.refresh()).toBeUndefined();
    expect(models.problem()).toMatchObject({
      reason: "no_server",
      hint: expect.stringContaining("ollama serve"),
    });
  });

  test("nothing installed, or nothing that can chat", async () => {
    for (const installed of [[], [embedder]]) {
      const models = modelsOf(installed);
      expect(await models.refresh()).toBeUndefined();
      expect(models.problem()).toMatchObject({
        reason: "no_chat_model",
        hint: expect.stringContaining("ollama pull"),
      });
    }
  });

  test("the named one not installed", async () => {
    const models = modelsOf([{ name: "tiny:latest" }], "large");
    expect(await models.refresh()).toBeUndefined();
    expect(models.problem()).toMatchObject({ reason: "not_installed", hint: "run: ollama pull large" });
  });

  test("the named one not for chatting", async () => {
    const models = modelsOf([embedder, { name: "tiny:latest" }], "minilm");
    expect(await models.refresh()).toBeUndefined();
    expect(models.problem()).toMatchObject({ reason: "no_chat_model" });
  });
});

test("nothing is sent, and nothing claimed, before it is asked for", () => {
  const models = modelsOf([{ name: "tiny:latest" }]);
  expect(models.current()).toBeUndefined();
  expect(models.problem()).toBeUndefined();
  expect(ollama.requests).toEqual([]);
});

test("what was found is believed for a while, then looked at again", async () => {
  const models = modelsOf([{ name: "tiny:latest" }]);
  await models.refresh();
  ollama.models = [{ name: "other:latest" }];
  now = 29_999;
  expect((await models.refresh())?.name).toBe("tiny:latest");
  now = 30_000;
  expect((await models.refresh())?.name).toBe("other:latest");
  expect(models.current()?.name).toBe("other:latest");
});

test("an Ollama that is away costs one look a period, and is noticed when it comes", async () => {
  const models = modelsOf([{ name: "tiny:latest" }]);
  await ollama.stop();
  expect(await models.refresh()).toBeUndefined();
  ollama.restart();
  expect(await models.refresh()).toBeUndefined();
  expect(ollama.requests).toEqual([]);
  now = 30_000;
  expect((await models.refresh())?.name).toBe("tiny:latest");
  expect(models.problem()).toBeUndefined();
});

test("after a failure it is looked at once more, without waiting", async () => {
  const models = modelsOf([{ name: "tiny:latest" }]);
  await models.refresh();
  await ollama.stop();
  models.forget();
  expect(await models.refresh()).toBeUndefined();
  expect(models.problem()?.reason).toBe("no_server");
});

test("a model that has not changed is described once", async () => {
  const models = modelsOf([{ name: "tiny:latest" }]);
  await models.refresh();
  now = 30_000;
  await models.refresh();
  expect(asked("/api/show")).toBe(1);
  ollama.models = [{ name: "tiny:latest", digest: "another", contextLength: 1024 }];
  now = 60_000;
  expect((await models.refresh())?.contextTokens).toBe(1024);
});

test("many who ask at once share one look, and one who leaves does not end it", async () => {
  const models = modelsOf([{ name: "tiny:latest" }]);
  const leaving = new AbortController();
  const left = models.refresh(leaving.signal).catch((error) => error);
  const others = Promise.all([models.refresh(), models.refresh(), models.refresh()]);
  leaving.abort(new Error("gone"));
  expect(await left).toEqual(new Error("gone"));
  expect((await others).map((model) => model?.name)).toEqual(["tiny:latest", "tiny:latest", "tiny:latest"]);
  expect(asked("/api/tags")).toBe(1);
});

test("a clock that is put back does not keep what is there from being looked at", async () => {
  const models = modelsOf([]);
  now = 86_400_000;
  expect(await models.refresh()).toBeUndefined();
  ollama.models = [{ name: "tiny:latest" }];
  now = 0;
  expect((await models.refresh())?.name).toBe("tiny:latest");
});

test("a server that lists its models and then hangs is not asked about one after the other", async () => {
  ollama = startFakeOllama({ models: [{ name: "a:latest" }, { name: "b:latest" }, { name: "c:latest" }] });
  const client = clientOf(ollama.url);
  let described = 0;
  const show = async () => {
    described += 1;
    throw faultToAppError(new OllamaFault("first_byte_timeout", "took too long"), client);
  };
  const models = createModels({ client: { ...client, show }, model: "auto", contextTokens: 8192 });
  expect(await models.refresh()).toBeUndefined();
  expect(models.problem()).toMatchObject({ reason: "no_server" });
  expect(described).toBe(1);
});
