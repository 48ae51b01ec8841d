import { describe, expect, test } from "bun:test";
import { openWordpiece } from "../../../src/models/builtin/wordpiece.ts";

const VOCABULARY = [
  "un",
  "##aff",
  "##able",
  "run",
  "##ning",
  "resume",
  "github",
  "git",
  "hub",
  "http",
  "server",
  "config",
  "file",
  "react",
  "a",
  "##a",
  "word",
  "json",
  "get",
  "by",
  "id",
];
const encode = await openWordpiece(VOCABULARY.join("\n"));
const entries = (text: string) => encode(text).ids.map((id) => VOCABULARY[id] ?? "?");

describe("words become entries of the vocabulary", () => {
  test.each([
    ["unaffable", ["un", "##aff", "##able"]],
    ["running run", ["run", "##ning", "run"]],
    ["Résumé RESUME", ["resume", "resume"]],
    ["re\u0301sume\u0301", ["resume"]],
    ["GitHub, github", ["github", "github"]],
    ["HTTPServer", ["http", "server"]],
    ["config_file config-file config.file", ["config", "file", "config", "file", "config", "file"]],
    ["getFileById", ["get", "file", "by", "id"]],
    ["react组件file", ["react", "file"]],
    ["", []],
    ["?! — …", []],
  ])("%p", (text, expected) => {
    expect(entries(text)).toEqual(expected);
  });

  test("a word that can't be spelt to its end is left out whole", () => {
    expect(entries("runzzz file")).toEqual(["file"]);
  });

  test("a word that is too long to be one is left out", () => {
    expect(entries(`${"a".repeat(100)} file`).length).toBe(101);
    expect(entries(`${"a".repeat(101)} file`)).toEqual(["file"]);
  });

  test("a word is cut the same way when it comes again, also after many others", () => {
    const many = Array.from({ length: 60_000 }, (_, index) => `file${index}`).join(" ");
    const before = entries("unaffable HTTPServer");
    encode(many);
    expect(entries("unaffable HTTPServer")).toEqual(before);
  });
});

describe("how well a text is known is counted in characters", () => {
  test.each([
    ["json file", 8, 8],
    ["getFile", 7, 7],
    ["unaffable json", 13, 4],
    ["组件 json", 6, 4],
    ["...", 0, 0],
  ])("%p", (text, characters, charactersInWholeWords) => {
    expect(encode(text)).toMatchObject({ characters, charactersInWholeWords });
  });
});
