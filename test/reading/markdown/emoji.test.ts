import { expect, test } from "bun:test";
import { writeEmoji } from "../../../src/reading/markdown/md/emoji.ts";
import { parsePage } from "../../../src/reading/markdown/page.ts";

test.each([
  ["| Yes :white_check_mark: | :x: |", "| Yes ✅ | ❌ |"],
  ["(:warning:) :rocket::tada: :+1:", "(⚠️) 🚀🎉 👍"],
  ["- :bulb: An idea", "- 💡 An idea"],
  ["こちら :tada:。", "こちら 🎉。"],
])("names of emoji are written as these: %s", (written, shown) => {
  expect(writeEmoji(written)).toBe(shown);
});

test.each([
  "do:key:x and a::key::b, 12:10:x",
  ":unknown_name:, :constructor: and :Key:",
  "`:key:` and ``a ` :key:``",
  "## :rocket: Start",
  "    :key: in code",
  "```\n:key:\n```",
  "[a](/b/:key:/c)",
  ":::note\n:::",
])("other colons stay: %j", (written) => {
  expect(writeEmoji(written)).toBe(written);
});

test("a page is shown with them, and its headings keep their ids", () => {
  const { markdown, passages } = parsePage("# T\n\n## :rocket: Start\n\nGo :rocket:", { fallbackTitle: "x" });
  expect(markdown).toContain("Go 🚀");
  expect(passages.map(({ anchor }) => anchor)).toContain("rocket-start");
});
