import { expect, test } from "bun:test";
import { bundleWeb } from "../../src/faces/bundle.ts";
import { LANGUAGES } from "../../src/kernel/text/languages.ts";

/** What a page loads for the widget, packed: at its start with the search, and with all that is fetched later. */
const START_BYTES_MAX = 30_000;
const ALL_BYTES_MAX = 45_300;

const LATER = ["palette", "turns", "highlight"];
/** What pages alone load that know their readers. */
const FOR_SOME = ["token"];

test("a page that shows the widget loads at most 30 KB for it and its search, and 45 KB for all of it", async () => {
  const files = await bundleWeb();
  const packed = (name: string) => {
    const file = files.find(
      (each) => each.name === name || new RegExp(`^${name}-\\w+\\.js$`).test(each.name),
    );
    return Bun.gzipSync(file?.bytes ?? expect.unreachable(), { level: 9 }).length;
  };
  const start = packed("widget.js") + packed("palette");
  expect(start).toBeLessThanOrEqual(START_BYTES_MAX);
  expect(packed("widget.js") + LATER.reduce((sum, name) => sum + packed(name), 0)).toBeLessThanOrEqual(
    ALL_BYTES_MAX,
  );
});

test("the labels of each language but English are a file of their own, of at most 2 KB, that the widget knows", async () => {
  const files = await bundleWeb();
  const widget = new TextDecoder().decode(files.find(({ name }) => name === "widget.js")?.bytes);
  for (const language of LANGUAGES.filter((each) => each !== "en")) {
    const file = files.find(({ name }) => new RegExp(`^labels-${language}-\\w+\\.js$`).test(name));
    expect(file).toBeDefined();
    if (!file) continue;
    expect(widget).toContain(/(\w+)\.js$/.exec(file.name)?.[1] ?? "no hash");
    expect(Bun.gzipSync(file.bytes, { level: 9 }).length).toBeLessThanOrEqual(2000);
  }
  expect(widget).not.toContain("DOCENT_LABELS_HASH");
});

test.each([...LATER, ...FOR_SOME])("%s is a file of its own, and the widget knows its name", async (part) => {
  const files = await bundleWeb();
  const file = files.find(({ name }) => new RegExp(`^${part}-\\w+\\.js$`).test(name));
  const decoder = new TextDecoder();
  const known = files.filter(({ name }) => name === "widget.js" || name.startsWith("turns-"));
  expect(file).toBeDefined();
  expect(known.map(({ bytes }) => decoder.decode(bytes)).join("")).toContain(String(file?.name));
  expect(known.map(({ bytes }) => decoder.decode(bytes)).join("")).not.toContain("_FILE");
});
