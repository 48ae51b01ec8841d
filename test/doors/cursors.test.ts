import { afterAll, beforeAll, expect, test } from "bun:test";
import { readDocument } from "../helpers/api-document.ts";
import { FIXTURE_DOCS } from "../helpers/docent.ts";
import { type MemberDoor, startMemberDoor } from "../helpers/member-door.ts";

let door: MemberDoor;
beforeAll(async () => {
  door = await startMemberDoor({ settings: { source_roots: FIXTURE_DOCS } });
});
afterAll(() => door.close());

test("a cursor that a list did not give is told as that, at every list that takes one", async () => {
  const { operations } = readDocument(await (await fetch(`${door.url}/openapi.json`)).json());
  const lists = operations.filter(({ parameters }) => parameters.some(({ name }) => name === "cursor"));
  expect(lists.length).toBeGreaterThanOrEqual(6);
  const message = "is not one that this list gave: send the nextCursor of a part before, or leave it out";
  for (const { path } of lists)
    for (const cursor of ["abc", "", "AAAA", "W10", "%00", "bnVsbA", "WyIxIiwyLDMsNCw1XQ", "é"]) {
      const at = path.replace("{domain}", "acme").replace("{number}", "1");
      const reply = await fetch(`${door.url}${at}?cursor=${cursor}`, {
        headers: { authorization: `Bearer ${door.keys.own}` },
      });
      const body = await reply.json();
      expect([at, cursor, reply.status]).toEqual([at, cursor, 400]);
      expect(body).toMatchObject({ message: `cursor: ${message}`, details: [{ path: "cursor", message }] });
    }
});
