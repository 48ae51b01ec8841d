import { describe, expect, test } from "bun:test";
import { WIDGET_LABEL_NAMES } from "../../../src/sites/widget-settings.ts";
import { createSay, LABELS } from "../../../src/web/widget/labels.ts";

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

  test("a name that every object has is no label", () => {
    expect(createSay({ constructor: "x" } as Record<string, string>)("send")).toBe("Send");
  });
});
