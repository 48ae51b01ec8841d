import { expect, test } from "bun:test";
import type { PagesLook } from "../../../src/sites/ingest/fidelity/fidelity.ts";
import { createKeptLook } from "../../../src/sites/ingest/fidelity/kept-look.ts";
import type { Site } from "../../../src/sites/site/sites.ts";
import { addSite } from "../../helpers/site-data.ts";
import { openTestStorage } from "../../helpers/test-storage.ts";

const never = new AbortController().signal;
const none = { count: 0, examples: [] };
const look = (generation: number): PagesLook => ({
  generation,
  pages: 1,
  isPart: false,
  markup: none,
  images: none,
  links: none,
});

/** Looks that end when the test says so. */
async function opened() {
  using storage = await openTestStorage();
  const site = await addSite(storage.sites, "docs");
  const begun: { site: Site; signal: AbortSignal; end(found: PagesLook): void; fail(error: Error): void }[] =
    [];
  const of = createKeptLook((each, signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<PagesLook>();
    signal.addEventListener("abort", () => reject(signal.reason));
    begun.push({ site: each, signal, end: resolve, fail: reject });
    return promise;
  });
  const begins = async (count: number) => {
    while (begun.length < count) await Bun.sleep(0);
    return begun[count - 1];
  };
  return { site, other: { ...site, id: site.id + 1 }, of, begun, begins };
}

test("however many ask at once, pages are looked at once, and what was found serves until something changes it", async () => {
  const { site, of, begun, begins } = await opened();
  const asked = [of(site, 1, never), of(site, 1, never), of(site, 1, never)];
  (await begins(1))?.end(look(1));
  expect(await Promise.all(asked)).toEqual([look(1), look(1), look(1)]);
  expect(await of(site, 1, never)).toEqual(look(1));
  expect(begun).toHaveLength(1);

  const next = of(site, 2, never);
  (await begins(2))?.end(look(2));
  expect(await next).toEqual(look(2));
  const changed = { ...site, settings: { ...site.settings, anchors: "mkdocs" as const } };
  const anew = of(changed, 2, never);
  (await begins(3))?.end(look(2));
  await anew;
  expect(begun.map((each) => each.site.settings.anchors)).toEqual([
    site.settings.anchors,
    site.settings.anchors,
    "mkdocs",
  ]);
});

test("one who leaves ends nothing for the others; with the last, the looking ends, and the next begins anew", async () => {
  const { site, of, begun, begins } = await opened();
  const [one, two] = [new AbortController(), new AbortController()];
  const first = of(site, 1, one.signal);
  const second = of(site, 1, two.signal);
  const looking = await begins(1);
  one.abort(new Error("one left"));
  await expect(first).rejects.toThrow("one left");
  expect(looking?.signal.aborted).toBe(false);
  two.abort(new Error("two left"));
  await expect(second).rejects.toThrow("two left");
  expect(looking?.signal.aborted).toBe(true);
  const third = of(site, 1, never);
  (await begins(2))?.end(look(1));
  expect(await third).toEqual(look(1));
  expect(begun).toHaveLength(2);
});

test("one site is looked at after the other, and whoever left before their turn costs nothing", async () => {
  const { site, other, of, begun, begins } = await opened();
  const first = of(site, 1, never);
  const gone = new AbortController();
  const left = of(other, 1, gone.signal);
  const waiting = of({ ...other, id: other.id + 1 }, 1, never);
  const looking = await begins(1);
  gone.abort(new Error("left"));
  await expect(left).rejects.toThrow("left");
  expect(begun).toHaveLength(1);
  looking?.end(look(1));
  await first;
  (await begins(2))?.end(look(1));
  await waiting;
  expect(begun.map((each) => each.site.id)).toEqual([site.id, other.id + 1]);
});

test("a failure, and what was found of another generation, serve nobody who asks later", async () => {
  const { site, of, begun, begins } = await opened();
  const failing = of(site, 1, never);
  (await begins(1))?.fail(new Error("the process was killed"));
  await expect(failing).rejects.toThrow("killed");
  const overtaken = of(site, 1, never);
  (await begins(2))?.end(look(2));
  expect(await overtaken).toEqual(look(2));
  const again = of(site, 1, never);
  (await begins(3))?.end(look(1));
  expect(await again).toEqual(look(1));
  expect(begun).toHaveLength(3);
});
