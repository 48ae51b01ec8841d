import { describe, expect, test } from "bun:test";
import { addressOf, apiQuery, narrowingIn } from "../../../src/faces/dashboard/audit/audit-page.tsx";
import {
  actorWords,
  deedWords,
  detailWords,
  KIND_GROUPS,
} from "../../../src/faces/dashboard/audit/audit-words.ts";
import { ACTOR_KINDS, AUDIT_KINDS } from "../../../src/people/audit/audit.ts";

describe("the words of the audit log", () => {
  test("every kind of entry has words, and can be chosen in one way", () => {
    const subject = { id: "1", name: "Ada" };
    expect(AUDIT_KINDS.filter((kind) => deedWords({ kind, subject }) === kind)).toEqual([]);
    expect(KIND_GROUPS.flatMap(({ kinds }) => [...kinds]).toSorted()).toEqual([...AUDIT_KINDS].toSorted());
    expect(deedWords({ kind: "site.painted", subject })).toBe("site.painted");
    const unknown = { kind: "member.sign-in-failed", subject: { id: null, name: null } };
    expect(deedWords(unknown)).toBe("gave a name that no member has");
  });

  test("everyone is called something, by the name that they had if there was one", () => {
    for (const kind of ACTOR_KINDS) expect(actorWords({ kind, id: "1", name: "Ada" })).toBe("Ada");
    const unnamed = ["command-line", "server", "nobody"] as const;
    expect(unnamed.map((kind) => actorWords({ kind, id: null, name: null }))).toEqual([
      "The command line",
      "The server",
      "A stranger",
    ]);
  });

  test("what an entry tells besides is words, and what is not so is left out", () => {
    expect(
      detailWords({ changed: ["starterQuestions", "url"], write: true, expires: false, scope: "server" }),
    ).toBe("changed: starter questions, url; write; scope: server");
  });

  test("the filters stand in the address, and what is unknown there filters nothing", () => {
    const narrowing = { about: "keys", actor: "m1", days: "30" };
    expect(narrowingIn(new URL(addressOf(narrowing), "http://localhost").searchParams)).toEqual(narrowing);
    expect(narrowingIn(new URLSearchParams("about=x&days=4"))).toEqual({ about: "", actor: "", days: "" });
    expect(addressOf({ about: "", actor: "", days: "" })).toBe("/audit");
    const asked = apiQuery(narrowing, new Date("2026-03-31T12:00:00Z"));
    expect(asked).toMatchObject({ actor: "m1", kind: expect.stringContaining("admin-key.revoked") });
    expect(apiQuery({ about: "", actor: "", days: "" }, new Date())["kind"]).toBe("");
  });
});
