import { expect, test } from "bun:test";
import { createRepetitionGuard } from "../../src/models/ollama/responder/repetition.ts";
import { valuesOf } from "../helpers/fake-ollama-recorded.ts";
import { asks, chatBody, patientClient } from "../helpers/real-ollama-chat.ts";
import { realOllama } from "../helpers/real-ollama-here.ts";
import { exchange, expectAsRecorded } from "../helpers/real-ollama-recording.ts";
import { appError, drain, never, textOf } from "../models/ollama/helpers.ts";

const { url } = realOllama();
/** A model that goes round in a circle, because a grammar lets it say nothing else. */
const CIRCLE = {
  ...chatBody(asks("Say ha again and again."), { num_predict: 200, repeat_penalty: 1 }),
  format: { type: "string", enum: [" ha".repeat(120)] },
};

test("Ollama breaks off a model that repeats one token, and this version does not say so at all", async () => {
  const reply = await exchange(url, "/api/chat", CIRCLE);
  await expectAsRecorded("chat-repeats", reply);
  expect(reply.status).toBe(200);
  expect(valuesOf(reply).length).toBeGreaterThan(25);
  expect(valuesOf(reply).at(-1)).not.toMatchObject({ done: true });
});

test("the client never takes that for a whole answer", async () => {
  const { values, error } = await drain(patientClient(url).chat(CIRCLE, never));
  expect(textOf(values)).toContain("ha ha ha");
  expect(appError(error).code).toBe("model_failed");
});

test("Docent's own guard notices earlier, so that the answer ends as one", async () => {
  const guard = createRepetitionGuard();
  const { values } = await drain(patientClient(url).chat(CIRCLE, never));
  const at = values.findIndex(({ content }) => guard.push(content));
  expect(at).toBeGreaterThan(5);
  expect(at).toBeLessThan(values.length);
});
