import { describe, expect, test } from "bun:test";
import { courtesyFor } from "../../../src/answering/answer/courtesy.ts";
import { courtesiesFor } from "../../../src/sites/site/phrases.ts";

describe("who asks nothing of the docs gets a courtesy in the same language", () => {
  for (const [said, language, courtesy] of [
    ["hello", "en", "greeting"],
    ["Hi there!", "en", "greeting"],
    ["Hallo", "de", "greeting"],
    ["Guten Tag!", "de", "greeting"],
    ["bonjour", "fr", "greeting"],
    ["¡Hola!", "es", "greeting"],
    ["hola", "es", "greeting"],
    ["你好", "zh", "greeting"],
    ["こんにちは", "ja", "greeting"],
    ["thanks", "en", "thanks"],
    ["Thank you very much!", "en", "thanks"],
    ["Vielen Dank", "de", "thanks"],
    ["Hej!", "sv", "greeting"],
    ["Dzień dobry", "pl", "greeting"],
    ["Bom dia!", "pt-BR", "greeting"],
    ["Привет!", "ru", "greeting"],
    ["Привіт", "uk", "greeting"],
    ["안녕하세요", "ko", "greeting"],
    ["مرحبا", "ar", "greeting"],
    ["नमस्ते!", "hi", "greeting"],
    ["謝謝您", "zh-Hant", "thanks"],
    ["Teşekkürler", "tr", "thanks"],
    ["xin cảm ơn", "vi", "thanks"],
    ["Кто вы?", "ru", "self"],
    ["who are you?", "en", "self"],
    ["Wer bist du?", "de", "self"],
    ["?", "en", "empty"],
    [" … !", "en", "empty"],
    ["hello world", "en", undefined],
    ["Hello, how do I install it?", "en", undefined],
    ["hi port 8080", "en", undefined],
    ["thanks, and on Windows?", "en", undefined],
    ["no", "en", undefined],
    ["Привет, как установить?", "ru", undefined],
    ["8080", "en", undefined],
    ["https://docs.example/install", "en", undefined],
  ] as const)
    test(`${said}: ${courtesy ?? "a question"}`, () => {
      expect(courtesyFor(said, "en")).toBe(courtesy && courtesiesFor(language)[courtesy]);
    });

  test("a text without a word is answered in the site's language", () => {
    expect(courtesyFor("??", "de-AT")).toBe(courtesiesFor("de").empty);
  });

  test("Chinese is answered as the site writes it", () => {
    expect(courtesyFor("你好", "zh-TW")).toBe(courtesiesFor("zh-Hant").greeting);
    expect(courtesyFor("你好", "en")).toBe(courtesiesFor("zh").greeting);
  });

  test("a long text costs no time", () => {
    expect(courtesyFor("hi ".repeat(100_000), "en")).toBeUndefined();
  });
});
