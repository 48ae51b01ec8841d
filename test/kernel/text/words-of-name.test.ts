import { describe, expect, test } from "bun:test";
import { wordsOfName } from "../../../src/kernel/text/words-of-name.ts";

describe("the words of a name", () => {
  test.each([
    ["getting-started", "Getting started"],
    ["api", "API"],
    ["rest-api_reference", "REST API reference"],
    ["faqs", "FAQs"],
    ["gpus", "GPUs"],
    ["multi-gpu", "Multi GPU"],
    ["sdks/js", "SDKs/js"],
    ["ios", "iOS"],
    ["for-macos", "For macOS"],
    ["OurOwn-API", "OurOwn API"],
    ["rapid", "Rapid"],
    ["äpfel", "Äpfel"],
    ["--", ""],
  ])("%s is “%s”", (name, words) => {
    expect(wordsOfName(name)).toBe(words);
  });
});
