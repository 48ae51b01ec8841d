import { describe, expect, test } from "bun:test";
import { AppError } from "../../../src/kernel/errors.ts";
import { parseOllamaHost } from "../../../src/models/ollama/address.ts";

describe("every form that OLLAMA_HOST takes is an address at which Ollama is reached", () => {
  test.each([
    ["", "http://127.0.0.1:11434"],
    ["  ", "http://127.0.0.1:11434"],
    ["127.0.0.1", "http://127.0.0.1:11434"],
    ["localhost", "http://localhost:11434"],
    ["gpu.internal:8080", "http://gpu.internal:8080"],
    [":9999", "http://127.0.0.1:9999"],
    ["0.0.0.0", "http://127.0.0.1:11434"],
    ["0.0.0.0:9999", "http://127.0.0.1:9999"],
    ["[::]", "http://[::1]:11434"],
    ["::", "http://[::1]:11434"],
    ["[::]:9999", "http://[::1]:9999"],
    ["::1", "http://[::1]:11434"],
    ["[::1]", "http://[::1]:11434"],
    ["[2001:db8::7]:9999", "http://[2001:db8::7]:9999"],
    ["http://127.0.0.1:11434", "http://127.0.0.1:11434"],
    ["http://127.0.0.1:11434/", "http://127.0.0.1:11434"],
    ["HTTP://Gpu.Internal:8080", "http://gpu.internal:8080"],
    ["http://gpu.internal", "http://gpu.internal"],
    ["http://gpu.internal:80", "http://gpu.internal"],
    ["https://gpu.internal", "https://gpu.internal"],
    ["https://gpu.internal:11434", "https://gpu.internal:11434"],
    ["https://gpu.internal/ollama/", "https://gpu.internal/ollama"],
    ["gpu.internal:8080/a/b//", "http://gpu.internal:8080/a/b"],
    ['"127.0.0.1:11435"', "http://127.0.0.1:11435"],
    ["127.0.0.1:none", "http://127.0.0.1:11434"],
    ["127.0.0.1:99999", "http://127.0.0.1:11434"],
    ["127.0.0.1:", "http://127.0.0.1:11434"],
  ])("%j is %s", (text, url) => {
    expect(parseOllamaHost(text)).toBe(url);
  });
});

describe("what is no address is refused, with an example", () => {
  test.each([
    "ftp://127.0.0.1",
    "http://me:secret@gpu.internal",
    "gpu internal",
    "a:b:c",
    "[::1]x",
    "http://gpu.internal/?a=1",
  ])("%j", (text) => {
    const parse = () => parseOllamaHost(text);
    expect(parse).toThrow(AppError);
    expect(parse).toThrow("OLLAMA_HOST is not an address");
  });
});

test("a password in the address is not repeated", () => {
  expect(() => parseOllamaHost("http://me:secret@gpu.internal")).toThrow("http://…@gpu.internal");
});
