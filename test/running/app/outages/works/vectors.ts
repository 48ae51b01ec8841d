import { expect } from "bun:test";
import type { Embedder } from "../../../../../src/kernel/vectors/embedder.ts";
import { completeVectors } from "../../../../../src/running/upkeep/vectors.ts";
import { createOrganizationTurns } from "../../../../../src/sites/ingest/organization-turns.ts";
import { createVectors } from "../../../../../src/sites/ingest/vectors.ts";
import { testLog } from "../../../../helpers/test-log.ts";
import { until } from "../../../../helpers/until.ts";
import { wordEmbedder } from "../../../../helpers/word-embedder.ts";
import {
  followed,
  linesOf,
  NEVER,
  type Opened,
  REFUSALS,
  untilWaiting,
  type Work,
  type Worker,
} from "../half-way.ts";
import { addSite, pagesOf, read } from "./site.ts";

/** More than are embedded at once, and less than twice as many. */
const PASSAGES = 300;
const AT_ONCE = 256;

/** A site with the vectors of one embedder, which is to have those of another one. */
async function openSite(
  it: Opened,
  domain: string,
  { parts }: Worker,
  calls: { embedded?: () => Promise<void> },
) {
  const site = await addSite(it, domain);
  const old = wordEmbedder();
  await read(
    it.server,
    it,
    { siteId: site.id, pages: pagesOf(PASSAGES, "zebra"), generation: 0 },
    { embedder: old },
  );
  const { passageVectors: store } = parts.storage.content;
  const idOf = async (embedder: Embedder) => {
    const { identity, dimensions } = await embedder.describe(NEVER);
    return store.embedder(identity, dimensions);
  };
  const another = parts.content.embedder;
  const texts: string[] = [];
  let batches = 0;
  const embedder: Embedder = {
    ...another,
    embed: followed(another.embed, async (given) => {
      texts.push(...given);
      batches += 1;
      if (batches === 2) await calls.embedded?.();
    }),
  };
  return {
    site,
    store,
    embedder,
    /** What was embedded, in order. */
    texts,
    async expectWhole() {
      expect(await store.current(site.id)).toBe(await idOf(another));
      expect(await store.missing(site.id, await idOf(another), 0, 1)).toEqual([]);
      expect(await store.missing(site.id, await idOf(old), 0, PASSAGES + 1)).toHaveLength(PASSAGES);
    },
  };
}

/** A command that gives passages the vectors of another embedder, when it has stored the first of them. */
export const vectorsOfCommand: Work = async (it, middle) => {
  const calls = { embedded: middle };
  const { site, store, embedder, texts, expectWhole } = await openSite(it, "embedded", it.command, calls);
  const making = createVectors({ store, embedder }).complete(site.id, { signal: NEVER });
  return {
    refused: () => untilWaiting(it.command),
    async ended() {
      await making;
      await expectWhole();
      expect([texts.length, new Set(texts).size]).toEqual([PASSAGES, PASSAGES]);
    },
  };
};

/** The same of a server: when it has stored the first of them, or when search uses them, and is to be calibrated. */
export const vectorsOfServer =
  (part: "stored" | "used"): Work =>
  async (it, middle) => {
    const calls = part === "stored" ? { embedded: middle } : {};
    const { site, store, embedder, texts, expectWhole } = await openSite(
      it,
      `${part}-vectors`,
      it.server,
      calls,
    );
    const swap = part === "used" ? followed(store.swap, middle) : store.swap;
    const { storage, content } = it.server.parts;
    const { log, lines } = testLog();
    async function isUsed(siteId: number): Promise<boolean> {
      const { identity } = await embedder.describe(NEVER);
      return (await storage.content.search.state(siteId)).embedder?.identity === identity;
    }
    let tries = 0;
    const work = completeVectors(
      {
        sites: site,
        vectors: createVectors({ store: { ...store, swap }, embedder }),
        calibrator: content.calibrator,
        takeOn(name) {
          tries += 1;
          return storage.takeOn(name);
        },
        retryMs: { first: 5, most: 5 },
      },
      createOrganizationTurns(1),
      log,
    );
    return {
      refused: () => until(() => tries > REFUSALS),
      async ended() {
        await until(() => isUsed(site.id));
        await until(async () => !(await content.calibrator.isUncalibrated(site.id)));
        await work.close();
        await expectWhole();
        // What could not be stored is embedded once more for each time that the work was begun again.
        expect(new Set(texts).size).toBe(PASSAGES);
        expect(texts.filter((text) => text === texts[0])).toHaveLength(1);
        expect(texts.length).toBe(part === "used" ? PASSAGES : 2 * PASSAGES - AT_ONCE);
        expect(linesOf(lines, "a site has its vectors")).toHaveLength(1);
        expect(
          linesOf(lines, "vectors could not be made: what has none is found by keywords alone"),
        ).toHaveLength(1);
      },
    };
  };
