import { describe, expect, test } from "bun:test";
import { modelFindings } from "../../src/cli/commands/doctor/model.ts";
import type { MeasuredModel } from "../../src/models/ollama/examination/examination.ts";

const times = {
  firstWordMs: 420,
  loadMs: 12,
  promptTokens: 313,
  readTokensPerSecond: 812,
  writeTokensPerSecond: 96,
};
const measured: MeasuredModel = {
  outcome: "measured",
  url: "http://127.0.0.1:11434",
  model: "tiny:latest",
  memory: "loaded",
  cold: undefined,
  warm: times,
  contextTokens: 8192,
  contextTokensGiven: 8192,
  promptTokensMax: 7168,
  weightsBytes: 100e6,
  bytes: 2 ** 30,
  bytesOnGraphicsCard: 0,
  slots: 1,
  atOnce: undefined,
};
const find = (more: Partial<MeasuredModel>, what: string) =>
  modelFindings({ ...measured, ...more }).find((finding) => finding.what === what);
const writing = (writeTokensPerSecond: number, more: Partial<MeasuredModel> = {}) =>
  find({ warm: { ...times, writeTokensPerSecond }, ...more }, "model speed");

test("a model that works well is three lines without a hint", () => {
  expect(modelFindings(measured)).toEqual([
    {
      what: "model in memory",
      state: "ok",
      says: "tiny:latest was in memory; it takes 1.0 GB, none of it on a graphics card",
    },
    {
      what: "model speed",
      state: "ok",
      says: "first word of an answer to a prompt of 313 tokens after 0.4 s, reads 812 tokens a second, writes 96",
    },
    {
      what: "model context",
      state: "ok",
      says: "8192 tokens, as asked for; a prompt may be 7168 of them, the rest is for the answer",
    },
  ]);
});

test("a model that had to be loaded says how long that took", () => {
  const cold = { ...times, firstWordMs: 12_300, loadMs: 9800 };
  expect(find({ memory: "not-loaded", cold, bytesOnGraphicsCard: 2 ** 29 }, "model in memory")?.says).toBe(
    "tiny:latest was not in memory, and was loaded: first word after 12 s, 9.8 s of it for loading; it takes 1.0 GB, 50% of it on a graphics card",
  );
});

describe("a model that writes slowly", () => {
  test("has a hint at its threads where its size is not the reason", () => {
    expect(writing(11)).toMatchObject({ state: "warn", hint: expect.stringContaining("num_thread") });
  });

  test("has none at its threads where its size is the reason", () => {
    expect(writing(4, { weightsBytes: 5e9 })).toMatchObject({
      hint: expect.stringContaining("smaller model"),
    });
    expect(writing(8, { weightsBytes: 5e9 })).toMatchObject({ state: "ok", hint: undefined });
  });

  test("has none on a graphics card, or where nothing was measured", () => {
    expect(writing(3, { bytesOnGraphicsCard: 1e9 })?.state).toBe("ok");
    expect(find({ warm: { ...times, writeTokensPerSecond: undefined } }, "model speed")?.state).toBe("ok");
  });
});

test("a context that is smaller than was asked for is a warning: Ollama cuts without a word", () => {
  expect(find({ contextTokensGiven: 4096 }, "model context")).toMatchObject({
    state: "warn",
    says: expect.stringContaining("Ollama gives 4096 tokens where 8192 are asked for"),
    hint: expect.stringContaining("context_tokens to 4096"),
  });
  expect(find({ contextTokensGiven: undefined }, "model context")?.state).toBe("ok");
});

test("answers that wait for each other inside Ollama are a warning that names its setting", () => {
  expect(find({ slots: 4, atOnce: { asked: 4, wrote: 1 } }, "model slots")).toMatchObject({
    state: "warn",
    hint: expect.stringContaining("OLLAMA_NUM_PARALLEL=4"),
  });
  expect(find({ slots: 4, atOnce: { asked: 4, wrote: 4 } }, "model slots")?.state).toBe("ok");
  expect(find({ slots: 4 }, "model slots")).toBeUndefined();
});

test("a model that did not answer is a warning with the reason; none at all is said elsewhere", () => {
  const { url, model } = measured;
  const reason = "The model broke off.";
  expect(modelFindings({ outcome: "failed", url, model, reason, hint: "ollama ps" })).toEqual([
    {
      what: "model",
      state: "warn",
      says: `tiny:latest at ${url} did not answer. ${reason}`,
      hint: "ollama ps",
    },
  ]);
  expect(modelFindings({ outcome: "no_model", url })).toEqual([]);
  expect(modelFindings({ outcome: "on_another_machine", url })).toHaveLength(1);
});
