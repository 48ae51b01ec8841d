import { expect, test } from "bun:test";
import { createReaderSessions, readerOf } from "../../../src/people/readers/readers.ts";
import { fakeClock, TEST_TIME } from "../../helpers/fake-clock.ts";
import { testIds } from "../../helpers/test-ids.ts";
import { openTestStorage } from "../../helpers/test-storage.ts";

const ADA = { issuer: "https://id.example.com", subject: "ada", name: "Ada", groups: ["staff"] };
const HOUR_MS = 3_600_000;

async function opened() {
  const storage = await openTestStorage();
  const time = fakeClock();
  const settings = { reader_session_seconds: 8 * 3600, reader_session_idle_seconds: 2 * 3600 };
  const { clock } = time;
  const open = () =>
    createReaderSessions({ settings, store: storage.readerSessions, clock, ids: testIds(clock) });
  return { ...storage, ...time, sessions: open(), open };
}

test("a session is its browser's, which the secret shows, and says who reads", async () => {
  using it = await opened();
  const secret = await it.sessions.begin(ADA, { provider: "company", sid: "s1" });
  const session = await it.sessions.authenticate(secret);
  expect(session).toMatchObject({ identity: ADA, provider: "company", sid: "s1", createdAt: TEST_TIME });
  expect(await it.sessions.ofId(session?.id ?? "")).toEqual(session);
  for (const wrong of [undefined, "", "docent_rse_", session?.id, `${secret}1`, secret.toUpperCase()])
    expect(await it.sessions.authenticate(wrong)).toBeUndefined();
});

test("it ends after its time, however it is used", async () => {
  using it = await opened();
  const secret = await it.sessions.begin(ADA, { provider: "company" });
  for (let hours = 1; hours < 8; hours++) {
    it.advance(HOUR_MS);
    expect(await it.sessions.authenticate(secret)).toBeDefined();
  }
  it.advance(HOUR_MS);
  expect(await it.sessions.authenticate(secret)).toBeUndefined();
});

test("one that began while the clock was years ahead ends when that is put right", async () => {
  using it = await opened();
  it.advance(9000 * HOUR_MS);
  const secret = await it.sessions.begin(ADA, { provider: "company" });
  it.advance(-9000 * HOUR_MS);
  expect(await it.sessions.authenticate(secret)).toBeUndefined();
});

test("it ends when the provider wants it to, where that is sooner", async () => {
  using it = await opened();
  const sooner = await it.sessions.begin(ADA, { provider: "company", expiresAt: TEST_TIME + 5000 });
  const later = await it.sessions.begin(ADA, { provider: "company", expiresAt: TEST_TIME + 99 * HOUR_MS });
  it.advance(5000);
  expect(await it.sessions.authenticate(sooner)).toBeUndefined();
  expect((await it.sessions.authenticate(later))?.expiresAt).toBe(TEST_TIME + 8 * HOUR_MS);
});

test("it ends when it is not used, on a server that was started anew too", async () => {
  using it = await opened();
  const secret = await it.sessions.begin(ADA, { provider: "company" });
  it.advance(HOUR_MS);
  await it.sessions.authenticate(secret);
  await it.sessions.flush();
  const anew = it.open();
  it.advance(2 * HOUR_MS - 1);
  expect(await it.open().authenticate(secret)).toBeDefined();
  it.advance(1);
  expect(await anew.authenticate(secret)).toBeUndefined();
});

test("it ends when the provider says so, by its own session or for the reader as a whole", async () => {
  using it = await opened();
  const begin = (sid: string, issuer = ADA.issuer) =>
    it.sessions.begin({ ...ADA, issuer }, { provider: "company", sid });
  const [first, second, third, other] = [
    await begin("1"),
    await begin("2"),
    await begin("3"),
    await begin("1", "x"),
  ];
  const isGoing = async (secret: string) => (await it.sessions.authenticate(secret)) !== undefined;
  expect(await it.sessions.endOf({ issuer: ADA.issuer, subject: undefined, sid: "1" })).toBe(1);
  expect(await Promise.all([first, second, third, other].map(isGoing))).toEqual([false, true, true, true]);
  expect(await it.sessions.endOf({ issuer: ADA.issuer, subject: "ada", sid: undefined })).toBe(2);
  expect(await it.sessions.endOf({ issuer: ADA.issuer, subject: undefined, sid: undefined })).toBe(0);
  expect(await Promise.all([second, third, other].map(isGoing))).toEqual([false, false, true]);
});

test("signing out ends it", async () => {
  using it = await opened();
  const secret = await it.sessions.begin(ADA, { provider: "company" });
  await it.sessions.end((await it.sessions.authenticate(secret))?.id ?? "");
  expect(await it.sessions.authenticate(secret)).toBeUndefined();
});

test("a reader is the same one whichever session shows them, and another provider's of that name is another", () => {
  const { id } = readerOf(ADA);
  expect(readerOf({ ...ADA, name: undefined, groups: [] }).id).toBe(id);
  expect(readerOf({ ...ADA, issuer: "site:1" }).id).not.toBe(id);
  expect(id).not.toContain("ada");
});
