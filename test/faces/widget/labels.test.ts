import { describe, expect, test } from "bun:test";
import { createSay, LABELS } from "../../../src/faces/widget/labels.ts";
import { TRANSLATED_LABELS } from "../../../src/faces/widget/languages/languages.ts";
import { WIDGET_LABEL_NAMES } from "../../../src/sites/site/widget-settings.ts";

/** What is the same word in English, in the languages that borrowed it, or lent it. */
const SAME_WORDS: Record<string, string[]> = {
  de: ["aboutCode"],
  fr: ["aboutCode", "conversation", "sources"],
  nl: ["aboutCode", "recent"],
};

/** A longer heading is cut off. */
const HEADING_CHARACTERS_MAX = 22;

const placeholdersOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

describe("labels", () => {
  test("an owner can put every word into others, and no word that is not there", () => {
    expect([...WIDGET_LABEL_NAMES].sort()).toEqual(
      Object.keys(LABELS).sort() as (typeof WIDGET_LABEL_NAMES)[number][],
    );
  });

  test("a site's own word takes the place of ours, and an empty one does not", () => {
    const say = createSay({ send: "Senden", stop: "" });
    expect(say("send")).toBe("Senden");
    expect(say("stop")).toBe("Stop");
  });

  test("what is filled in is text: it is not looked at for braces again", () => {
    const say = createSay({ disclaimer: "Von {name}, {unknown}" });
    expect(say("disclaimer", { name: "{seconds}" })).toBe("Von {seconds}, {unknown}");
  });

  test("numbers are written as the language writes them", () => {
    expect(createSay({}, "de")("queued", { position: 1200 })).toContain("1.200");
  });

  test("a name that every object has is no label", () => {
    expect(createSay({ constructor: "x" } as Record<string, string>)("send")).toBe("Send");
  });
});

describe.each(Object.entries(TRANSLATED_LABELS))("labels in %s", (language, labels) => {
  const english = Object.entries(LABELS);
  const textOf = (name: string) => Object.entries(labels).find((entry) => entry[0] === name)?.[1] ?? "";

  test("every one is there, and none that is not in English", () => {
    expect(Object.keys(labels).sort()).toEqual(Object.keys(LABELS).sort());
    expect(Object.values(labels).filter((text) => text.trim() === "" || text !== text.trim())).toEqual([]);
  });

  test("what is filled in is filled in", () => {
    for (const [name, text] of english) expect(placeholdersOf(textOf(name))).toEqual(placeholdersOf(text));
  });

  test("the heading fits beside three buttons", () => {
    expect(labels.title.length).toBeLessThanOrEqual(HEADING_CHARACTERS_MAX);
  });

  test("none is left in English", () => {
    const same = english.filter(([name, text]) => textOf(name) === text).map(([name]) => name);
    expect(same.sort()).toEqual(SAME_WORDS[language] ?? []);
  });
});
