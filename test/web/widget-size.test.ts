import { expect, test } from "bun:test";
import { bundleWeb } from "../../src/web/bundle.ts";

const WIDGET_BYTES_MAX = 30_000;

test("a page that shows the widget loads at most 30 KB for it", async () => {
  const files = await bundleWeb();
  const widget = files.find(({ name }) => name === "widget.js");
  expect(widget).toBeDefined();
  if (widget) expect(Bun.gzipSync(widget.bytes, { level: 9 }).length).toBeLessThanOrEqual(WIDGET_BYTES_MAX);
});

test("what colours code is a file of its own, and the widget knows its name", async () => {
  const files = await bundleWeb();
  const highlight = files.find(({ name }) => /^highlight-\w+\.js$/.test(name));
  const widget = new TextDecoder().decode(files.find(({ name }) => name === "widget.js")?.bytes);
  expect(highlight).toBeDefined();
  expect(widget).toContain(String(highlight?.name));
  expect(widget).not.toContain("DOCENT_HIGHLIGHT_FILE");
});
