import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createWorkplace, type Workplace } from "../helpers/program.ts";

let place: Workplace;
beforeAll(() => {
  place = createWorkplace();
});
afterAll(() => place.dispose());

const settings = async () => JSON.parse((await place.run("sites", "list", "--json")).out)[0].settings;

test("an owner's instructions, starter questions and contact, and a site's host names are stored, shown, changed and taken away", async () => {
  writeFileSync(join(place.folder, "tone.txt"), "Say you.\nRefuse legal advice.\n");
  const added = await place.run(
    "sites",
    "add",
    "acme",
    "--instructions-file",
    "tone.txt",
    "--contact",
    "help@acme.example",
    "--starter-question",
    "How do I install it?",
    "--starter-question",
    "What does it cost?",
    "--host-name",
    "Docs.Acme.example",
    "--host-name",
    "acme.example",
  );
  expect(added.code, added.err).toBe(0);
  expect(await settings()).toMatchObject({
    instructions: "Say you.\nRefuse legal advice.",
    starterQuestions: ["How do I install it?", "What does it cost?"],
    contact: "help@acme.example",
    hosts: ["docs.acme.example", "acme.example"],
  });
  await place.run("sites", "set", "acme", "--instructions", "Be brief.");
  expect(await settings()).toMatchObject({ instructions: "Be brief.", contact: "help@acme.example" });
  await place.run(
    "sites",
    "set",
    "acme",
    "--instructions",
    "",
    "--starter-question",
    "none",
    "--contact",
    "",
    "--host-name",
    "none",
  );
  expect(await settings()).toMatchObject({ instructions: "", starterQuestions: [], contact: "", hosts: [] });
});

test("what cannot be is refused with its reason", async () => {
  await place.run("sites", "add", "other");
  for (const [words, reason] of [
    [["--contact", "call us"], "contact: must be an e-mail address"],
    [["--instructions", "a", "--instructions-file", "b"], "two ways to say one thing"],
    [["--instructions-file", "missing.txt"], "There is no file missing.txt."],
    [["--starter-question", " "], "starterQuestions[0]"],
    [["--host-name", "docs.example.com:80"], "hostNames[0]: must be a host name"],
  ] as const) {
    const ran = await place.run("sites", "set", "other", ...words);
    expect(ran.code).toBe(1);
    expect(ran.err).toContain(reason);
  }
});

test("who reads a site is set, said in one sentence, and its secrets are made, listed without what they are, and ended", async () => {
  await place.run("sites", "add", "inside");
  const refused = await place.run("sites", "set", "inside", "--readers", "some");
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringContaining("--readers is public or signed-in, not some."),
  ]);
  const set = await place.run("sites", "set", "inside", "--readers", "signed-in");
  expect(set.out).toContain("Who can read it now: Members alone: nobody else can sign in yet.");
  const made = await place.run("reader-secrets", "create", "inside");
  expect(made.out).toMatch(/^docent_rds_\w{44}\n$/);
  expect(made.err).toContain("it cannot be shown again");
  const listed = await place.run("reader-secrets", "list", "inside", "--json");
  expect(listed.out).not.toContain(made.out.trim());
  const [{ id }] = JSON.parse(listed.out);
  const operators = await place.run(
    "sites",
    "set",
    "inside",
    "--jwks-url",
    "https://inside.example/jwks.json",
  );
  expect(operators.out).toContain("People whom inside vouches for and members.");
  expect(
    (await place.run("sites", "set", "inside", "--jwks-url", "http://inside.example/jwks.json")).code,
  ).toBe(1);
  expect((await place.run("reader-secrets", "end", "inside", id)).code).toBe(0);
  const log = await place.run("audit", "--json");
  expect(log.out).toContain("reader-secret.ended");
  expect(log.out).not.toContain("docent_rds_");
  expect((await place.run("reader-secrets", "end", "inside", id)).code).toBe(1);
});

test("the address of a site, and of its keys, is taken away by none, as help and the error say", async () => {
  await place.run("sites", "add", "moved", "--url", "https://docs.acme.example");
  const urlOf = async () =>
    JSON.parse((await place.run("sites", "list", "--json")).out).find(
      ({ domain }: { domain: string }) => domain === "moved",
    ).url;
  const refused = await place.run("sites", "set", "moved", "--url", "nowhere");
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("or empty where there is none")]);
  expect((await place.run("sites", "set", "--help")).out).toContain("'none': nowhere");
  expect(await urlOf()).toBe("https://docs.acme.example");
  const set = ["sites", "set", "moved", "--url", "none", "--jwks-url", "none"];
  expect((await place.run(...set)).code).toBe(0);
  expect(await urlOf()).toBeNull();
});
