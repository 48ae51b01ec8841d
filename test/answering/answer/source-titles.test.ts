import { expect, test } from "bun:test";
import { sourceTitles } from "../../../src/answering/answer/source-titles.ts";

const passage = (path: string, title: string, ...headings: string[]) => ({ path, title, headings });

test("a source is called by its page and its section", () => {
  expect(sourceTitles([passage("jwt", "JWT", "JWT", "Options", "Secret"), passage("home", "Home")])).toEqual([
    "JWT › Secret",
    "Home",
  ]);
});

test("sources of one name are told apart: by their headings, else by their paths", () => {
  expect(
    sourceTitles([
      passage("jwt", "JWT", "Verify", "Usage"),
      passage("jwt", "JWT", "Sign", "Usage"),
      passage("a/index", "Overview"),
      passage("b/index", "Overview"),
    ]),
  ).toEqual(["JWT › Verify › Usage", "JWT › Sign › Usage", "Overview (a/index)", "Overview (b/index)"]);
});
