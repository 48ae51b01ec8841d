import { describe, expect, test } from "bun:test";
import {
  CHANNEL_WORDS,
  deliveryWords,
  kindsAtFirst,
  kindsFor,
  placeOf,
  saidWords,
  triedWords,
} from "../../../src/faces/dashboard/notices/notice-words.ts";
import { mayChangeDestination, ownerName, ownersFor } from "../../../src/faces/dashboard/notices/owners.ts";
import type { Session } from "../../../src/faces/dashboard/session-context.ts";
import {
  isOfServer,
  isOnRequest,
  NOTICE_CHANNELS,
  NOTICE_KINDS,
} from "../../../src/sites/notices/notices.ts";

describe("what somebody can be told of", () => {
  test("is offered whole, and what is the server's to its own destinations alone", () => {
    expect(kindsFor(true).toSorted()).toEqual([...NOTICE_KINDS].sort());
    expect(kindsFor(false).toSorted()).toEqual(NOTICE_KINDS.filter((kind) => !isOfServer(kind)).sort());
    expect(kindsAtFirst().toSorted()).toEqual(NOTICE_KINDS.filter((kind) => !isOnRequest(kind)).sort());
    expect(Object.keys(CHANNEL_WORDS).sort()).toEqual([...NOTICE_CHANNELS].sort());
  });
});

describe("what came of a sample", () => {
  test("is told with what the other side said", () => {
    expect(triedWords({ sent: true, says: "status 204" })).toEqual({
      title: "The sample arrived.",
      text: "The other side answered with status 204.",
    });
    expect(triedWords({ sent: true, says: "250 2.0.0 Ok: queued as 1" }).text).toBe(
      "250 2.0.0 Ok: queued as 1.",
    );
    expect(saidWords("no answer in time")).toBe("No answer in time.");
  });

  test.each([
    ["status 302", "does not follow"],
    ["status 401", "wants a sign-in"],
    ["status 403", "wants a sign-in"],
    ["status 404", "nothing at this address"],
    ["status 410", "nothing at this address"],
    ["status 429", "Try again later"],
    ["status 400", "Is the channel the right one"],
    ["status 500", "fault of its own"],
    ["no answer in time", "firewall"],
    ["the connection failed (ECONNREFUSED)", "Nothing listens there"],
    ["the connection failed (ENOTFOUND)", "name of the host"],
    ["the connection failed (DEPTH_ZERO_SELF_SIGNED_CERT)", "certificate_authorities"],
    ["the connection failed (UNABLE_TO_VERIFY_LEAF_SIGNATURE)", "certificate_authorities"],
    ["the connection failed (EPROTO)", "does not speak TLS"],
    ["the mail server could not be used (EAUTH)", "name and password"],
    ["the mail server could not be used (ESOCKET)", "Is it running"],
    ["the mail server refused it with 550", "Is the address right"],
    [
      "the address is on a.example, which the server's setting hand_over_hosts does not name",
      "operator can change",
    ],
  ])("that failed, with what to do: %s", (says, advice) => {
    const { title, text } = triedWords({ sent: false, says });
    expect(title).toBe("The sample did not arrive.");
    expect(text).toStartWith(saidWords(says));
    expect(text).toContain(advice);
  });

  test("of what nobody foresaw is what was said", () => {
    const says = "the connection failed";
    expect(triedWords({ sent: false, says }).text).toBe("The connection failed.");
  });
});

describe("what was sent", () => {
  const NONE = { fault: null, last: null, waiting: 0, givenUp: 0 };
  const tried = (sent: boolean) => ({
    sent,
    says: sent ? "status 200" : "status 503",
    at: "2026-11-21T03:30:00Z",
  });

  test("arrived, or nothing was", () => {
    expect(deliveryWords(NONE)).toEqual({
      tone: "quiet",
      tried: undefined,
      sentences: ["Nothing was sent there yet."],
    });
    const well = deliveryWords({ ...NONE, last: tried(true), waiting: 2 });
    expect(well).toMatchObject({ tone: "quiet", tried: { before: "The last notice arrived" } });
    expect(well.sentences).toEqual([
      "The other side answered with status 200.",
      "2 notices wait to be sent.",
    ]);
  });

  test("was not delivered: is tried again, or was given up, also where others arrived since", () => {
    const lost = deliveryWords({ ...NONE, last: tried(false), waiting: 1 });
    expect(lost).toMatchObject({ tone: "bad", tried: { after: ", and could not be delivered." } });
    expect(lost.sentences.at(-1)).toBe("1 notice waits to be sent again.");
    const since = deliveryWords({ ...NONE, last: tried(true), givenUp: 3 });
    expect(since.tone).toBe("warn");
    expect(since.sentences.at(-1)).toBe(
      "3 notices of the last 30 days could not be delivered, and were given up.",
    );
  });

  test("cannot be now, whatever was before", () => {
    const fault = "is on a.example, which the server's setting hand_over_hosts does not name";
    const shut = deliveryWords({ ...NONE, last: tried(true), fault });
    expect(shut.tone).toBe("bad");
    expect(shut.sentences.at(-1)).toBe(`Nothing can be sent there now: the address ${fault}.`);
  });
});

describe("whose a destination is", () => {
  const session = (isServerOwner: boolean, role: "owner" | "viewer"): Session => ({
    member: { id: "m", name: "m", isServerOwner, provider: null },
    organizations: [{ id: "o", name: "Acme", role }],
    version: "1",
    publicUrl: "http://docent.example",
  });

  test("is the server's for its owners, and an organization's for its owners", () => {
    expect(ownersFor(session(true, "owner")).map(({ label }) => label)).toEqual([
      "The whole server",
      "The sites of Acme",
    ]);
    expect(ownersFor(session(false, "owner")).map(({ value }) => value)).toEqual(["o"]);
    expect(ownersFor(session(false, "viewer"))).toEqual([]);
    const may = (isServerOwner: boolean, role: "owner" | "viewer", organizationId: string | null) =>
      mayChangeDestination(session(isServerOwner, role), { organizationId });
    expect([may(true, "viewer", null), may(false, "owner", null)]).toEqual([true, false]);
    expect([may(false, "owner", "o"), may(false, "viewer", "o"), may(false, "owner", "p")]).toEqual([
      true,
      false,
      false,
    ]);
    expect(ownerName(session(true, "owner"), { organizationId: "gone" })).toBe("The sites of gone");
  });
});

test("a notice leads to a page of this dashboard, whatever the server is called elsewhere", () => {
  const site = "/dashboard/default/acme/content/sources/1";
  expect(placeOf(`https://docs.acme.example/docent${site}`)).toBe(site);
  expect(placeOf("http://127.0.0.1:4747/server")).toBe("/server");
  expect([placeOf(null), placeOf("https://docs.acme.example/")]).toEqual([undefined, undefined]);
});

test("a sealed server's sample says what to do instead", () => {
  const says = "the address is a webhook, and these are off while Docent is sealed (the setting sealed)";
  expect(triedWords({ sent: false, says }).text).toEndWith("for a program inside to fetch.");
});
