import { expect, test } from "bun:test";
import { createImageFinder } from "../../../src/reading/sources/files/image-files.ts";

const files = (...locations: string[]) =>
  locations.map((location) => ({ location, sizeBytes: 1, read: async () => new Uint8Array() }));
const page = { location: "docs/guide/page.md", path: "guide/page" };

test("an image is found in the static folder of a site whose pages are elsewhere", () => {
  const find = createImageFinder(
    files("website/static/img/a.png", "other/static/img/b.png"),
    "website",
  )(page);
  expect(find("/img/a.png")?.location).toBe("website/static/img/a.png");
  expect(find("/base/img/a.png")?.location).toBe("website/static/img/a.png");
  expect(find("/img/b.png")).toEqual({ location: "img/b.png", read: undefined });
});

test("of several the one beside the page is taken, then the nearest", () => {
  const all = ["docs/guide/a.png", "docs/guide/public/a.png", "docs/public/a.png", "public/a.png"];
  for (let left = 0; left < all.length; left++) {
    const find = createImageFinder(files(...all.slice(left)))(page);
    expect(find("/a.png")?.location).toBe(all[left] ?? "");
  }
  expect(createImageFinder(files("docs/a.png", "docs/guide/a.png"))(page)("./a.png")?.location).toBe(
    "docs/guide/a.png",
  );
});

test("an address from the page's own leads to what is published there", () => {
  const find = createImageFinder(files("docs/static/a.png"))(page);
  expect(find("../../a.png")?.location).toBe("docs/static/a.png");
});
