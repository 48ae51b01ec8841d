import { describe, expect, test } from "bun:test";
import { cacheKey, normalizeQuestion } from "../../../src/answering/answer/cache/key.ts";
import type { OpenRequest } from "../../../src/answering/answer/request.ts";
import { ANYBODY } from "../../../src/sites/pages/audience.ts";
import { siteSettingsSchema } from "../../../src/sites/site/settings.ts";
import type { Site } from "../../../src/sites/site/sites.ts";

describe("questions are the same word for word", () => {
  const same: [string, string][] = [
    ["How do I install Acme on Linux?", "how do i install acme on linux"],
    ["How do I install Acme on Linux?", "HOW DO I INSTALL ACME ON LINUX?"],
    ["How do I install Acme on Linux?", "  How  do I\tinstall Acme on Linux?? "],
    ["How do I install Acme?", "How do I install Acme."],
    ["What's new?", "what's new"],
    ["Install it (on Linux), please!", "install it (on linux), please"],
    ["Comment installer Acme ?", "comment installer acme"],
    ["如何安装？", "如何安装"],
    ["Ｈow do I install it?", "How do I install it?"],
    ["Wie ändere ich Größen?", "wie ändere ich größen"],
  ];
  for (const [one, other] of same) {
    test(`${JSON.stringify(one)} and ${JSON.stringify(other)}`, () => {
      expect(normalizeQuestion(one)).toBe(normalizeQuestion(other));
    });
  }

  const different: [string, string][] = [
    ["What does git branch -d do?", "What does git branch -D do?"],
    ["What is `String`?", "What is `string`?"],
    ['What is "String"?', 'What is "string"?'],
    ["What is useState?", "What is usestate?"],
    ["What is Console.log?", "What is console.log?"],
    ["What is C?", "What is C#?"],
    ["What does ?. mean", "What does ?? mean"],
    ["What is the meaning of ?.", "What is the meaning of ??"],
    ["How do I run git add .", "How do I run git add"],
    ["Is 1.0 supported?", "Is 10 supported?"],
    ["Can I install it?", "Can't I install it?"],
    ["What is wrong?\nif x:\n  y()\nz()", "What is wrong?\nif x:\n  y()\n  z()"],
  ];
  for (const [one, other] of different) {
    test(`${JSON.stringify(one)}, but not ${JSON.stringify(other)}`, () => {
      expect(normalizeQuestion(one)).not.toBe(normalizeQuestion(other));
    });
  }

  test("a text of any length is normalised in time that grows with it alone", () => {
    for (const text of [" ?".repeat(50_000), "?".repeat(100_000), "Aa'".repeat(30_000), "A ".repeat(50_000)])
      expect(normalizeQuestion(text).length).toBeLessThanOrEqual(text.length);
  });
});

const site: Site = {
  id: 1,
  organizationId: "org",
  domain: "docs",
  name: "Docs",
  url: undefined,
  host: undefined,
  settings: siteSettingsSchema.parse({}),
  generation: 3,
  createdAt: 0,
};

function requestOf(change: Partial<OpenRequest> = {}): OpenRequest {
  return {
    requestId: "request",
    reader: "reader",
    threadId: "thread",
    turnId: "turn",
    site,
    replaced: false,
    isNewThread: false,
    posted: [],
    conversation: [],
    history: [],
    contexts: [],
    images: [],
    pageSize: 5,
    question: {
      audience: "everything",
      questionMessageId: "q1",
      text: "How?",
      keyId: "key",
      fp: "reader",
      caller: "web",
      currentPath: undefined,
      filter: undefined,
    },
    ...change,
  };
}

const CIRCUMSTANCES = { revision: "1", responder: "ollama", model: "tiny", audience: ANYBODY };
const keyOf = (change: Partial<OpenRequest> = {}, circumstances = CIRCUMSTANCES) =>
  cacheKey(requestOf(change), circumstances);
const asked = (change: Partial<OpenRequest["question"]>) => ({
  question: { ...requestOf().question, ...change },
});

describe("the key of an answer", () => {
  test("does not tell the question", () => {
    expect(keyOf()).toMatch(/^[\w-]{43}$/);
  });

  const same: [string, Partial<OpenRequest>][] = [
    ["who asks", { reader: "other", ...asked({ fp: "other", keyId: undefined, caller: "cli" }) }],
    ["when and in which thread", { requestId: "2", threadId: "2", turnId: "2" }],
    ["a filter that narrows nothing", asked({ filter: { version: "", language: undefined, groups: [] } })],
  ];
  for (const [what, change] of same) {
    test(`does not change with ${what}`, () => {
      expect(keyOf(change)).toBe(keyOf());
    });
  }

  test("does not change with the order of groups", () => {
    const groups = (...names: string[]) => keyOf(asked({ filter: { groups: names } }));
    expect(groups("b", "a", "b")).toBe(groups("a", "b"));
    expect(groups("a")).not.toBe(groups("a", "b"));
  });

  const different: [string, Partial<OpenRequest>][] = [
    ["the question", asked({ text: "Why?" })],
    ["the page that its reader is on", asked({ currentPath: "guide" })],
    ["the version", asked({ filter: { version: "2" } })],
    ["the language", asked({ filter: { language: "2" } })],
    ["the tag", asked({ filter: { tag: "2" } })],
    ["the groups", asked({ filter: { groups: ["2"] } })],
    ["the page size", { pageSize: 6 }],
    ["the site", { site: { ...site, id: 2 } }],
    ["the site's domain", { site: { ...site, domain: "other" } }],
    ["the site's name", { site: { ...site, name: "Other" } }],
    ["the site's url", { site: { ...site, url: "https://docs.example.com" } }],
    ["the site's settings", { site: { ...site, settings: { ...site.settings, instructions: "Be short." } } }],
  ];
  for (const [what, change] of different) {
    test(`changes with ${what}`, () => {
      expect(keyOf(change)).not.toBe(keyOf());
    });
  }

  for (const change of [{ revision: "2" }, { responder: "other" }, { model: "large" }]) {
    test(`changes with the ${Object.keys(change)}`, () => {
      expect(keyOf({}, { ...CIRCUMSTANCES, ...change })).not.toBe(keyOf());
    });
  }
});
