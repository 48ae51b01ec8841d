import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { databaseOf } from "../helpers/database-of.ts";
import { type MemberDoor, type MemberName, startMemberDoor } from "../helpers/member-door.ts";
import { isShared } from "../helpers/shared-database.ts";
import { questionV2 } from "../helpers/ui-message.ts";

let door: MemberDoor;
beforeAll(async () => {
  door = await startMemberDoor();
});
afterAll(() => door.close());

const BODY = questionV2("How do I install Acme on Linux?");
const MEMBERS: readonly MemberName[] = ["root", "owner", "viewer", "foreign", "both"];

type Sent = [method: string, path: string, body?: unknown];
async function statuses([method, path, body]: Sent, headers: Record<string, string | null> = {}) {
  const replies = await Promise.all(
    MEMBERS.map((as) => door.send(method, `/v1/admin${path}`, { as, body, headers })),
  );
  return replies.map(({ status }) => status);
}

describe("what members may do", () => {
  const CASES: [sent: Sent, statuses: number[]][] = [
    // root, owner, viewer, foreign, both
    [
      ["GET", "/models"],
      [200, 200, 200, 200, 200],
    ],
    [
      ["GET", "/defaults"],
      [200, 200, 200, 200, 200],
    ],
    [
      ["POST", "/sites/acme/try", BODY],
      [200, 200, 200, 404, 200],
    ],
    [
      ["PATCH", "/sites/acme", { settings: { widget: { radius: 99 } } }],
      [400, 400, 403, 404, 403],
    ],
    [
      ["PATCH", "/sites/acme", { settings: { model: "a b" } }],
      [400, 400, 403, 404, 403],
    ],
    [
      ["PATCH", "/sites/rival", { settings: { hourlyMessages: -1 } }],
      [400, 404, 403, 400, 400],
    ],
    [
      ["GET", "/server"],
      [200, 403, 403, 403, 403],
    ],
    [
      ["POST", "/backup"],
      [isShared ? 400 : 200, 403, 403, 403, 403],
    ],
  ];
  test.each(CASES)("%j is answered as each of them may: %j", async (sent, expected) => {
    expect(await statuses(sent)).toEqual(expected);
  });
});

describe("what a page of elsewhere makes a browser send", () => {
  const FROM_ELSEWHERE = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };

  test.each<[Sent]>([
    [["POST", "/sites/acme/try", BODY]],
    [["POST", "/backup"]],
    [["PATCH", "/sites/acme", { settings: { public: true } }]],
    [["GET", "/server"]],
    [["GET", "/models"]],
  ])("%j is refused, whoever is signed in", async (sent) => {
    expect(await statuses(sent, FROM_ELSEWHERE)).toEqual([403, 403, 403, 403, 403]);
  });

  test.skipIf(isShared)(
    "a backup is sent to a form of our own alone: over plain HTTP, one that names no page is refused",
    async () => {
      expect((await statuses(["POST", "/backup"], { origin: null }))[0]).toBe(403);
      const reply = await door.send("POST", "/v1/admin/backup", { as: "root" });
      expect(reply.headers.get("content-disposition")).toMatch(
        /^attachment; filename="docent-backup-\d{4}-\d\d-\d\d\.db"$/,
      );
      expect(reply.text).toStartWith("SQLite format 3");
    },
  );
});

test("of a question that a member tries, nothing can be found out by another", async () => {
  await door.send("POST", "/v1/admin/sites/acme/try", { as: "viewer", body: BODY });
  expect(databaseOf(door.app).query("SELECT id FROM turns").all()).toEqual([]);
  expect(door.logged.join("")).not.toContain("How do I install");
});
