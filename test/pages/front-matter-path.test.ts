import { expect, test } from "bun:test";
import { pathFromFrontMatter } from "../../src/pages/front-matter-path.ts";

test.each([
  ["guide/a", { slug: "/b/c/" }, "b/c"],
  ["guide/a", { slug: "/" }, ""],
  ["guide/a", { slug: "b" }, "guide/b"],
  ["guide/a", { slug: "../b" }, "b"],
  ["guide/a", { slug: "/größe" }, "größe"],
  ["guide/a", { permalink: "/b/c.html" }, "b/c"],
  ["guide/a", { url: "/b" }, "b"],
  ["guide/a", { slug: "b/c" }, "guide/a"],
  ["guide/a", { permalink: "b" }, "guide/a"],
  ["guide/a", { permalink: "/:year/:title" }, "guide/a"],
  ["guide/a", { url: "https://x.y/z" }, "guide/a"],
  ["guide/a", { slug: "//x.y/z" }, "guide/a"],
  ["guide/a", { slug: 3, permalink: ["/x"] }, "guide/a"],
  ["guide/a", {}, "guide/a"],
])("the page %j with %j is at %j", (path, data, expected) => {
  expect(pathFromFrontMatter(path, data)).toBe(expected);
});
