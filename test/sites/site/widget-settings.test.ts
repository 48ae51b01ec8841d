import { describe, expect, test } from "bun:test";
import { LABELS } from "../../../src/faces/widget/labels.ts";
import { POSITIONS, readLook, THEMES, VARIANTS } from "../../../src/faces/widget/look/look.ts";
import {
  WIDGET_LABEL_NAMES,
  widgetChangeSchema,
  widgetSettingsSchema,
} from "../../../src/sites/site/widget-settings.ts";

const isTaken = (change: object) => widgetChangeSchema.safeParse(change).success;
const PNG = "data:image/png;base64,iVBORw0KGgo=";

describe("the settings of a site's widget", () => {
  test("a site that sets nothing has the look of the design language", () => {
    expect(widgetSettingsSchema.parse({})).toEqual({
      theme: "auto",
      accent: "#2456c9",
      radius: 14,
      position: "right",
      variant: "button",
      logo: "",
      labels: {},
      askAboutSelection: true,
      askAboutCode: true,
    });
  });

  test("every setting can be changed by itself, and none is filled in", () => {
    expect(Object.keys(widgetChangeSchema.shape)).toEqual(Object.keys(widgetSettingsSchema.shape));
    expect(widgetChangeSchema.parse({ theme: "dark" })).toEqual({ theme: "dark" });
  });

  test.each(["#fff", "red", "#2456c9;", "#2456c9;}*{}", "url(#a)", "#2456cg", "#2456c9ff", ""])(
    "%j is no colour: it is written into CSS",
    (accent) => expect(isTaken({ accent })).toBe(false),
  );

  test.each(["https://docs.example.com/logo.svg?v=2", "/img/logo.svg", PNG, ""])("%j may be a logo", (logo) =>
    expect(isTaken({ logo })).toBe(true),
  );

  test.each([
    "javascript:alert(1)",
    "http://docs.example.com/logo.svg",
    "//evil.example/x.png",
    "logo.svg",
    "/\\evil.example/x",
    "data:text/html;base64,PHNjcmlwdD4=",
    "data:image/svg+xml,<svg onload=alert(1)>",
    `https://x.example/"onerror="alert(1)`,
    "https://x.example/a)b",
    "https://x.example/a b",
    "vbscript:x",
    `data:image/png;base64,${"A".repeat(40_000)}`,
  ])("%j is no logo", (logo) => expect(isTaken({ logo })).toBe(false));

  test.each([
    [{ radius: 25 }, { radius: 24 }],
    [{ radius: 1.5 }, { radius: 0 }],
    [{ theme: "blue" }, { theme: "light" }],
    [{ labels: { nope: "x" } }, { labels: { open: "Frag uns" } }],
    [{ labels: { open: "two\nlines" } }, { labels: { open: "two lines" } }],
    [{ labels: { open: "x".repeat(201) } }, { labels: { open: "x".repeat(200) } }],
    [{ nope: 1 }, {}],
  ])("%j is refused where %j is taken", (refused, taken) => {
    expect([isTaken(refused), isTaken(taken)]).toEqual([false, true]);
  });
});

describe("the widget in the browser", () => {
  test("has exactly the labels that a site may put into other words", () => {
    expect<string[]>([...WIDGET_LABEL_NAMES].sort()).toEqual(Object.keys(LABELS).toSorted());
  });

  test("knows every theme, variant and position that a site may set", () => {
    const { theme, variant, position } = widgetSettingsSchema.shape;
    expect(theme.unwrap().options).toEqual([...THEMES]);
    expect(variant.unwrap().options).toEqual([...VARIANTS]);
    expect(position.unwrap().options).toEqual([...POSITIONS]);
  });

  test("takes every setting as it was set", () => {
    const set = widgetSettingsSchema.parse({
      theme: "dark",
      accent: "#ff8800",
      radius: 0,
      position: "left",
      variant: "inline",
      logo: PNG,
      labels: { open: "Frag" },
      askAboutSelection: false,
      askAboutCode: false,
    });
    const { accent, ...look } = readLook(set, "https://docent.example.com/");
    const { accent: _, ...expected } = set;
    expect(look).toEqual(expected);
    expect(accent).toBeDefined();
  });
});
