import { expect, test } from "bun:test";
import { HERE, IDLE_MS, LIFETIME_MS, openMembers, PASSWORD } from "../../helpers/open-members.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const writtenUses = (it: Awaited<ReturnType<typeof openMembers>>) =>
  it.storage.database
    .query<{ last_used_at: number }, []>("SELECT last_used_at FROM member_sessions")
    .all()
    .map((row) => row.last_used_at);

test("a secret is docent_ses_ and 33 characters; another, a part of it or none opens nothing", async () => {
  using it = await openMembers();
  const secret = await it.first();
  expect(secret).toMatch(/^docent_ses_[1-9A-HJ-NP-Za-km-z]{33}$/);
  const wrong = [undefined, "", "docent_ses_", `${secret}1`, secret.slice(0, -1), ` ${secret}`];
  for (const each of wrong) expect(await it.who(each)).toBeUndefined();
  expect(await it.who(secret)).toBe("Ada");
});

test("a session that is not used ends, and one that is used does not", async () => {
  using it = await openMembers();
  const left = await it.first();
  const used = await it.signIn.byPassword({ name: "Ada", password: PASSWORD }, HERE);
  it.advance(IDLE_MS - 1);
  expect(await it.who(used)).toBe("Ada");
  it.advance(1);
  expect([await it.who(left), await it.who(used)]).toEqual([undefined, "Ada"]);
  await it.sessions.flush();
  it.advance(IDLE_MS - 2);
  expect(await it.who(used)).toBe("Ada");
});

test("a session ends at its time, however much it is used", async () => {
  using it = await openMembers();
  const secret = await it.first();
  for (let at = 0; at < LIFETIME_MS; at += MINUTE_MS * 10) {
    expect(await it.who(secret)).toBe("Ada");
    it.advance(MINUTE_MS * 10);
  }
  expect(await it.who(secret)).toBeUndefined();
});

test("a session that began while the clock was years ahead ends when that is put right, and not one of an hour's", async () => {
  using it = await openMembers();
  await it.first();
  const begin = () => it.signIn.byPassword({ name: "Ada", password: PASSWORD }, HERE);
  it.advance(1000 * DAY_MS);
  const ahead = await begin();
  it.advance(-1000 * DAY_MS);
  expect(await it.who(ahead)).toBeUndefined();
  it.advance(HOUR_MS);
  const hour = await begin();
  it.advance(-HOUR_MS);
  expect(await it.who(hour)).toBe("Ada");
});

test("the last use is written at a flush, and no oftener than every minute", async () => {
  using it = await openMembers();
  const secret = await it.first();
  const start = it.clock();
  it.advance(MINUTE_MS - 1);
  await it.who(secret);
  await it.sessions.flush();
  expect(writtenUses(it)).toEqual([start]);
  it.advance(1);
  await it.who(secret);
  expect(writtenUses(it)).toEqual([start]);
  await it.sessions.flush();
  expect(writtenUses(it)).toEqual([start + MINUTE_MS]);
});

test("the list names where and when, without sessions that have ended", async () => {
  using it = await openMembers();
  const secret = await it.first();
  const { member, session } = (await it.sessions.authenticate(secret)) ?? {};
  const id = member?.id ?? "";
  it.advance(MINUTE_MS);
  const there = { address: "2001:db8::1", agent: "x".repeat(5000), devices: [] };
  await it.signIn.byPassword({ name: "Ada", password: PASSWORD }, there);
  const [second, first] = await it.sessions.list(id);
  expect(first).toMatchObject({ address: HERE.address, agent: HERE.agent, id: session?.id });
  expect([second?.address, second?.agent.length]).toEqual(["2001:db8::1", 300]);
  it.advance(IDLE_MS - MINUTE_MS);
  expect((await it.sessions.list(id)).map((each) => each.id)).toEqual([second?.id ?? ""]);
});

test("an ended session opens nothing from then on; removing its member ends them all", async () => {
  using it = await openMembers();
  const one = await it.first();
  const two = await it.signIn.byPassword({ name: "Ada", password: PASSWORD }, HERE);
  const { member, session } = (await it.sessions.authenticate(one)) ?? {};
  await it.sessions.end(member?.id ?? "", session?.id ?? "");
  expect([await it.who(one), await it.who(two)]).toEqual([undefined, "Ada"]);
  const { link } = await it.members.invite("Bob", { serverOwner: true });
  const bob = await it.signIn.byLink({ link: link.text, name: undefined, password: PASSWORD }, HERE);
  await it.members.remove(member?.id ?? "");
  expect([await it.who(two), await it.who(bob)]).toEqual([undefined, "Bob"]);
});
