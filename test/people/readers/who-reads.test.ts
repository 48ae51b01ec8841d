import { expect, test } from "bun:test";
import { whoReads } from "../../../src/people/readers/readers.ts";
import { siteSettingsSchema } from "../../../src/sites/site/settings.ts";
import { newSite } from "../../helpers/site-data.ts";

const siteWith = (settings: Record<string, unknown>, host?: string) => ({
  ...newSite("docs", { name: "Handbook", settings: siteSettingsSchema.parse(settings) }),
  host,
  id: 1,
  generation: 0,
});
const NOBODY = { providers: [], signs: false };

test.each([
  [{ public: true }, undefined, NOBODY, "Anyone with the address."],
  [{}, undefined, NOBODY, "Anyone with one of its keys, as the pages have that show its assistant."],
  [{ readers: "signed-in", public: true }, undefined, NOBODY, "Members alone: nobody else can sign in yet."],
  [
    { readers: "signed-in" },
    "docs.example.com",
    { providers: ["Company account"], signs: true },
    "People who sign in with Company account, people whom docs.example.com vouches for and members.",
  ],
  [
    { readers: "signed-in" },
    undefined,
    { providers: ["A", "B", "C"], signs: false },
    "People who sign in with A, B or C and members.",
  ],
  [
    { readers: "signed-in" },
    undefined,
    { providers: [], signs: true },
    "People whom Handbook vouches for and members.",
  ],
])("one sentence says who can read a site: %j", (settings, host, vouching, sentence) => {
  expect(whoReads(siteWith(settings, host), vouching)).toBe(sentence);
});
