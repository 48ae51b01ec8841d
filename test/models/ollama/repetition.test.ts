import { expect, test } from "bun:test";
import { createRepetitionGuard, endsInLoop } from "../../../src/models/ollama/responder/repetition.ts";

const prose =
  "To add a site, run `docent sites add docs.example.com`. Then read its pages with `docent ingest`, which " +
  "splits every page at its headings. A second run reads only what has changed. Keys are made with `docent keys add`, " +
  "and may be limited to some sites. Nothing leaves the machine, because the model runs beside the server. ";

test("a word, a sentence or a paragraph that only repeats itself is a loop", () => {
  expect(endsInLoop(`${prose}${"the ".repeat(100)}`)).toBe(true);
  expect(endsInLoop(`${prose}${"I am not sure about that. ".repeat(20)}`)).toBe(true);
  expect(endsInLoop(`${prose}${prose.slice(0, 390).repeat(6)}`)).toBe(true);
});

test("prose, code, tables and rules are no loops", () => {
  expect(endsInLoop(prose)).toBe(false);
  expect(endsInLoop(`${prose}${prose}`)).toBe(false);
  expect(endsInLoop(`${prose}\n${"-".repeat(120)}\n`)).toBe(false);
  expect(endsInLoop(`| a | b | c |\n|${" --- |".repeat(20)}\n`)).toBe(false);
  expect(endsInLoop(`${"| yes | no |\n".repeat(12)}`)).toBe(false);
  expect(endsInLoop(Array.from({ length: 200 }, (_, index) => `${index}. step ${index}\n`).join(""))).toBe(
    false,
  );
  expect(endsInLoop("")).toBe(false);
});

test("a guard lets a whole answer pass, however it is cut", () => {
  const guard = createRepetitionGuard();
  for (const token of prose.match(/.{1,4}/gs) ?? []) expect(guard.push(token)).toBe(false);
});

test("a guard ends one token over and over before Ollama breaks off at thirty", () => {
  const guard = createRepetitionGuard();
  const ended = Array.from({ length: 40 }, () => guard.push(" a")).indexOf(true);
  expect(ended).toBeGreaterThan(20);
  expect(ended).toBeLessThan(30);
});

test("a guard ends a repeated sentence within a bounded length, after any amount of text", () => {
  const guard = createRepetitionGuard();
  for (let index = 0; index < 500; index++) expect(guard.push(`${index} is a number. `)).toBe(false);
  const sentence = ["I ", "do ", "not ", "know ", "that. "];
  let written = 0;
  while (!guard.push(sentence[written++ % sentence.length] ?? "")) expect(written).toBeLessThan(200);
});
