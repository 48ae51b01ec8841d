import { afterEach, describe, expect, test } from "bun:test";
import type { ModelLine, ModelTicket, SharedTicket } from "../../src/answering/answer/model-line.ts";
import { assignPlaces } from "../../src/models/ollama/queue/assign.ts";
import { openDatabase } from "../../src/storage/postgres/database/database.ts";
import { hasPostgres, newDatabase } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";

const ticket = (number: number, changes: Partial<ModelTicket> = {}): ModelTicket => ({
  number,
  asker: { siteId: 1, reader: "reader" },
  again: false,
  choices: [
    { address: "one", rank: 0, slots: 1 },
    { address: "two", rank: 1, slots: 1 },
  ],
  address: undefined,
  ...changes,
});
const nobody = () => [];
const placesOf = (tickets: readonly SharedTicket[]) =>
  tickets.filter(({ endedAt }) => endedAt === undefined).map(({ number, address }) => [number, address]);

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** The line as two servers have it, and the database that they share. */
async function opened() {
  const url = await newDatabase();
  const lines: ModelLine[] = [];
  for (let count = 0; count < 2; count++) {
    const storage = await openTestPostgres({ url, isServer: true });
    closing.push(() => storage.close());
    if (storage.modelLine !== undefined) lines.push(storage.modelLine);
  }
  const database = openDatabase({ url, connectionsMax: 2, connectSecondsMax: 5 });
  closing.push(() => database.close());
  const [one, other] = lines;
  if (one === undefined || other === undefined) throw new Error("there is no line");
  return { one, other, database };
}

describe.if(hasPostgres)("the line before the models", () => {
  test("is looked at without waiting for anybody, where there is nothing to do", async () => {
    const { one, other, database } = await opened();
    const told = [ticket(1), ticket(2), ticket(3)];
    await one.update(told, assignPlaces);
    await other.update([], assignPlaces);
    await database.inOneWrite(async (write) => {
      await write.all("SELECT pg_advisory_xact_lock(1685021544, 0)");
      await write.all("SELECT 1 FROM model_tickets FOR UPDATE");
      const seen = [
        [1, "one"],
        [2, "two"],
        [3, undefined],
      ];
      expect(placesOf(await one.update(told, assignPlaces))).toEqual(seen);
      expect(placesOf(await other.update([], assignPlaces))).toEqual(seen);
    });
  });

  test.each([
    [
      "one more",
      [ticket(1), ticket(2)],
      [
        [1, "one"],
        [2, "two"],
      ],
    ],
    ["one less", [], []],
    ["another in its place", [ticket(7)], [[7, "one"]]],
    ["other choices", [ticket(1, { choices: [] })], [[1, "one"]]],
  ] satisfies [string, ModelTicket[], unknown[][]][])("is told of %s", async (_, told, expected) => {
    const { one, other } = await opened();
    await one.update([ticket(1)], assignPlaces);
    await one.update([ticket(1)], assignPlaces);
    const tickets = await one.update(told, assignPlaces);
    expect(placesOf(tickets)).toEqual(expected);
    const seen = await other.update([], assignPlaces);
    expect(seen.map((each) => ({ ...each, isOwn: true }))).toEqual(tickets);
    expect(seen.filter(({ endedAt }) => endedAt === undefined).map(({ choices }) => choices)).toEqual(
      told.map(({ choices }) => choices),
    );
  });

  test("serves who waits when a place is free that nobody has given away", async () => {
    const { one, other, database } = await opened();
    await other.update([ticket(1), ticket(2)], nobody);
    await one.update([], nobody);
    expect(placesOf(await one.update([], assignPlaces))).toEqual([
      [1, "one"],
      [2, "two"],
    ]);
    await database.run("UPDATE model_tickets SET ended_at = nextval('model_line') WHERE number = 1");
    expect(placesOf(await one.update([], assignPlaces))).toEqual([[2, "two"]]);
  });

  test("ends what it has of a server that the server does not have", async () => {
    const { one, database } = await opened();
    await one.update([ticket(1)], assignPlaces);
    await database.run(`
      INSERT INTO model_tickets (joined_at, server_id, number, site_id, reader, again, choices, address, served_at)
      SELECT nextval('model_line'), server_id, 9, site_id, reader, again, choices, 'two', nextval('model_line')
      FROM model_tickets`);
    expect(placesOf(await one.update([ticket(1)], assignPlaces))).toEqual([[1, "one"]]);
  });

  test.each([
    ["removed, because its server was missed", "DELETE FROM model_tickets"],
    ["kept, but not where it is served", "UPDATE model_tickets SET address = NULL, served_at = NULL"],
    ["kept as if it were served elsewhere", "UPDATE model_tickets SET address = 'two'"],
  ])("knows again where a ticket is served that was %s", async (_, change) => {
    const { one, other, database } = await opened();
    await one.update([ticket(1)], assignPlaces);
    await database.run(change);
    const served = ticket(1, { address: "one" });
    const [again] = await one.update([served], assignPlaces);
    expect(again).toMatchObject({ number: 1, address: "one", endedAt: undefined });
    expect(again?.servedAt).toBeGreaterThan(again?.joinedAt ?? Number.POSITIVE_INFINITY);
    expect(placesOf(await other.update([ticket(1), ticket(2)], assignPlaces))).toEqual([
      [1, "one"],
      [1, "two"],
      [2, undefined],
    ]);
  });
});
