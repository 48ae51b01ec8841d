import { describe, expect, test } from "bun:test";
import { ApiError, faultOf, isToldBeside } from "../../../src/faces/dashboard/api-error.ts";
import { isOffered, modelOptions } from "../../../src/faces/dashboard/model-options.ts";
import { askOptionsOf, countSet, NO_SETTINGS } from "../../../src/faces/dashboard/playground/ask-settings.ts";
import {
  type StreamGroup,
  timesOf,
  withStreamPart,
} from "../../../src/faces/dashboard/playground/stream-log.ts";
import { expiresDaysOf } from "../../../src/faces/dashboard/settings/keys/any-key.tsx";
import { attributesOf } from "../../../src/faces/dashboard/settings/widget/preview-frame.ts";
import { type AssistantKey, keysOf, snippetOf, usableKeys } from "../../../src/faces/dashboard/site-keys.ts";
import type { SiteView } from "../../../src/faces/dashboard/site-view.ts";
import { filledLines } from "../../../src/faces/dashboard/text.ts";
import { readInstallation } from "../../../src/faces/widget/installation.ts";
import { siteSettingsSchema } from "../../../src/sites/site/settings.ts";

const SITE: SiteView = {
  domain: "acme",
  name: "Acme",
  organizationId: "o1",
  organizationName: "Default",
  url: null,
  generation: 1,
  mayChange: true,
  settings: siteSettingsSchema.parse({}),
};

describe("what the server says of fields", () => {
  const error = (...details: { path: string; message: string }[]) =>
    new ApiError({ status: 400, code: "invalid_request", message: "wrong", details });

  test("is found by the field's path, and of a list it is told which one is meant", () => {
    const refused = error(
      { path: "settings.contact", message: "must be an address" },
      { path: "settings.origins[1]", message: "must be an origin" },
    );
    expect(faultOf(refused, "settings.contact")).toBe("Must be an address.");
    expect(faultOf(refused, "settings.origins")).toBe("Number 2 must be an origin.");
    expect(faultOf(refused, "settings.cont")).toBeUndefined();
    expect(faultOf(undefined, "settings.contact")).toBeUndefined();
  });

  test("is told at the end of the form as well where a part of it has no field", () => {
    expect(isToldBeside(error({ path: "name", message: "x" }), ["name"])).toBe(true);
    expect(
      isToldBeside(error({ path: "name", message: "x" }, { path: "other", message: "y" }), ["name"]),
    ).toBe(false);
    expect(isToldBeside(error(), ["name"])).toBe(false);
  });
});

test("lines that were not filled in are not sent", () => {
  expect(filledLines([" one ", "", "  ", "two"])).toEqual(["one", "two"]);
});

describe("the models to choose from", () => {
  const offered = {
    own: "tiny:latest",
    models: [{ name: "tiny:latest", contextTokens: 1, seesPictures: true, canThink: true }],
    isWhole: true,
  };

  test("begin with the server's own, and say what each can do", () => {
    expect(modelOptions(offered, "")).toEqual([
      { value: "", label: "The server's own: tiny:latest" },
      { value: "tiny:latest", label: "tiny:latest (sees pictures, can think)" },
    ]);
    expect(modelOptions(undefined, "")).toEqual([{ value: "", label: "The server's own" }]);
  });

  test("hold the chosen one where it is not there any more, and where it is written without its tag", () => {
    expect(modelOptions(offered, "gone").at(-1)).toEqual({ value: "gone", label: "gone (not there)" });
    expect(modelOptions(offered, "Tiny").at(-1)).toEqual({ value: "Tiny", label: "Tiny" });
    expect([isOffered(offered, "tiny"), isOffered(offered, "tiny:7b")]).toEqual([true, false]);
  });
});

describe("the snippet", () => {
  const options = {
    publicUrl: "https://docent.example.com",
    domain: "acme",
    key: "docent_dsc_x",
    isInline: false,
  };

  test("is one line that names the site and the key", () => {
    expect(snippetOf(options)).toBe(
      '<script src="https://docent.example.com/widget.js" data-domain="acme" data-key="docent_dsc_x" defer></script>',
    );
    expect(snippetOf({ ...options, isInline: true })).toContain('data-target="#assistant"');
  });

  test("cannot be broken out of by what it names", () => {
    const text = snippetOf({ ...options, publicUrl: `https://a.example/"><script>alert(1)</script>` });
    expect(text.match(/<script/g)).toHaveLength(1);
    expect(text).not.toContain('"><script');
  });
});

describe("the preview", () => {
  const look = siteSettingsSchema.parse({
    widget: {
      theme: "dark",
      accent: "#ff8800",
      radius: 0,
      position: "left",
      variant: "inline",
      logo: "data:image/png;base64,iVBORw0KGgo=",
      labels: { newConversation: "Neu", open: "Frag" },
      askAboutSelection: false,
      askAboutCode: false,
    },
  }).widget;

  test("gives the widget the look by the attributes of its tag, and the widget reads it back whole", () => {
    const attributes = attributesOf({
      look,
      starterQuestions: ["How?", "Why?"],
      domain: "acme",
      siteName: "Acme",
      base: "/docent",
      siteUrl: null,
      shade: "light",
    });
    expect(attributes["src"]).toBe("/docent/widget.js");
    const dataset = Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => [
        name.replace(/^data-/, "").replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
        value,
      ]),
    );
    const read = readInstallation(dataset, "http://localhost/docent/widget.js", "http://localhost/dashboard");
    expect(read).toMatchObject({ server: "http://localhost/docent/", target: "#assistant" });
    expect(read?.look).toMatchObject({
      theme: "dark",
      radius: 0,
      position: "left",
      variant: "inline",
      logo: "data:image/png;base64,iVBORw0KGgo=",
      labels: { newConversation: "Neu", open: "Frag" },
      starterQuestions: ["How?", "Why?"],
      askAboutSelection: false,
      askAboutCode: false,
    });
    expect(read?.look.accent).toBeDefined();
  });

  test("asks no other server for a picture", () => {
    const logo = (address: string) =>
      attributesOf({
        look: { ...look, logo: address },
        starterQuestions: [],
        domain: "acme",
        siteName: "Acme",
        base: "",
        siteUrl: null,
        shade: "dark",
      })["data-logo"];
    expect([logo("https://cdn.example/logo.png"), logo("/img/logo.svg")]).toEqual(["", ""]);
  });

  test("is not the site to the widget: what is kept of its conversation is kept apart", () => {
    const { "data-domain": domain } = attributesOf({
      look,
      starterQuestions: [],
      domain: "acme",
      siteName: "Acme",
      base: "",
      siteUrl: null,
      shade: "dark",
    });
    expect(domain).not.toBe("acme");
  });
});

describe("the keys of a site", () => {
  const key = (change: Partial<AssistantKey>): AssistantKey => ({
    id: "k",
    name: "n",
    organizationId: "o1",
    key: "docent_dsc_x",
    sites: null,
    addresses: [],
    state: "active",
    createdAt: null,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    ...change,
  });
  const own = key({ id: "own", sites: ["acme"] });
  const all = key({ id: "all" });
  const near = key({ id: "near", sites: ["acme"], addresses: ["10.0.0.0/8"] });
  const revoked = key({ id: "revoked", state: "revoked" });
  const foreign = [key({ id: "other", organizationId: "o2" }), key({ id: "elsewhere", sites: ["handbook"] })];

  test("are those of its organization that open it; for the snippet those that work, its own first", () => {
    const keys = [near, revoked, all, own, ...foreign];
    expect(keysOf(keys, SITE).map(({ id }) => id)).toEqual(["near", "revoked", "all", "own"]);
    expect(usableKeys(keys, SITE).map(({ id }) => id)).toEqual(["own", "all", "near"]);
  });

  test("end when it was chosen", () => {
    expect([expiresDaysOf("never"), expiresDaysOf("90")]).toEqual([{}, { expiresDays: 90 }]);
  });
});

describe("what a question is asked with", () => {
  test("is nothing where nothing was chosen", () => {
    expect([askOptionsOf(NO_SETTINGS), countSet(NO_SETTINGS)]).toEqual([{}, 0]);
  });

  test("is what the message operation takes", () => {
    const settings = {
      ...NO_SETTINGS,
      version: " 2.0 ",
      tag: "a",
      pageSize: 3,
      currentPath: "/x",
      context: "some text",
    };
    expect(askOptionsOf(settings)).toEqual({
      filter: { version: "2.0", tag: "a" },
      retrievalPageSize: 3,
      currentPath: "/x",
      context: [{ type: "textSelection", value: "some text" }],
    });
    expect(countSet(settings)).toBe(5);
  });
});

describe("a stream that is looked at", () => {
  const parts: [data: string, atMs: number][] = [
    ['{"type":"start"}', 2],
    ['{"type":"tool-output-available"}', 5],
    ['{"type":"text-delta","delta":"Hel"}', 9],
    ['{"type":"text-delta","delta":"lo"}', 12],
    ['{"type":"finish"}', 20],
    ["[DONE]", 21],
  ];
  const groups = parts.reduce<StreamGroup[]>(
    (before, [data, atMs]) => withStreamPart(before, data, atMs),
    [],
  );

  test("tells deltas that follow each other as one, with every part as it was sent", () => {
    expect(groups.map(({ type, parts: { length } }) => [type, length])).toEqual([
      ["start", 1],
      ["tool-output-available", 1],
      ["text-delta", 2],
      ["finish", 1],
      ["[DONE]", 1],
    ]);
    expect(groups[2]).toMatchObject({
      text: "Hello",
      atMs: 9,
      untilMs: 12,
      parts: [parts[2]?.[0], parts[3]?.[0]],
    });
  });

  test("tells how long the steps took", () => {
    expect(timesOf(groups)).toEqual({ firstPartMs: 2, searchMs: 5, firstTextMs: 9, totalMs: 21 });
    expect(timesOf([]).totalMs).toBeUndefined();
  });

  test("has room for what is no part", () => {
    expect(withStreamPart([], "not json", 1)).toMatchObject([{ type: "?", parts: ["not json"] }]);
  });
});
