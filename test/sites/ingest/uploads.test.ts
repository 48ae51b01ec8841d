import { expect, test } from "bun:test";
import { createUploadFiles } from "../../../src/sites/ingest/uploads/files.ts";
import { zipBytes } from "../../helpers/archive-bytes.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

const ZIP = zipBytes([{ name: "a.md", text: "# A", stored: true }]);
const OF_ONE_MAX = 4;
const OF_ALL_MAX = 16;

function opened(folder: string) {
  const uploads = createUploadFiles({ directory: folder, bytesMax: 1_000_000, siteBytesMax: 1_000_000 });
  let siteId = 0;

  /** Begins one that goes on until it is ended, or breaks off. */
  function begin(organizationId: string) {
    const { promise: rest, resolve, reject } = Promise.withResolvers<void>();
    // It may break off before any of it is read.
    rest.catch(() => {});
    async function* content() {
      await rest;
      yield ZIP;
    }
    siteId += 1;
    const sent = { name: "a.zip", content: content(), announcedBytes: undefined };
    const arrived = uploads.receive({ siteId, organizationId }, sent);
    const isOver = arrived.then(
      ({ discard }) => discard(),
      () => {},
    );
    return {
      arrived,
      async end() {
        resolve();
        await isOver;
      },
      async breakOff() {
        reject(new Error("the line is dead"));
        await isOver;
      },
    };
  }
  const beginMany = (count: number, organizationId: string) =>
    Array.from({ length: count }, () => begin(organizationId));
  return { begin, beginMany };
}

test("one organization's uploads that do not end leave places for those of others", async () => {
  using directory = temporaryDirectory();
  const { begin, beginMany } = opened(directory.path);
  const slow = beginMany(OF_ONE_MAX, "slow");
  expect((await appErrorOf(() => begin("slow").arrived)).code).toBe("unavailable");
  const other = begin("other");
  await other.end();
  expect(await other.arrived).toBeDefined();
  for (const { end } of slow) await end();
});

test("all organizations together have a bound, and a place is free again when an upload ends or breaks off", async () => {
  using directory = temporaryDirectory();
  const { begin, beginMany } = opened(directory.path);
  const [first, second, ...others] = ["a", "b", "c", "d"].flatMap((id) => beginMany(OF_ONE_MAX, id));
  expect(others).toHaveLength(OF_ALL_MAX - 2);
  expect((await appErrorOf(() => begin("e").arrived)).code).toBe("unavailable");
  await first?.end();
  await second?.breakOff();
  const next = [begin("e"), begin("e")];
  expect((await appErrorOf(() => begin("e").arrived)).code).toBe("unavailable");
  for (const { end } of [...others, ...next]) await end();
  for (const { arrived } of next) expect(await arrived).toBeDefined();
});
