import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { areaPath, linePath, scaleTop, ticksOf } from "../../../src/faces/dashboard/kit/chart/line-path.ts";
import {
  formatBytes,
  formatDuration,
  formatShare,
} from "../../../src/faces/dashboard/kit/text/format-number.ts";
import { relativeTime } from "../../../src/faces/dashboard/kit/text/time.tsx";
import { registerDom } from "../../helpers/dom.ts";

afterAll(registerDom());
const { button, press, show, type, until } = await import("../../helpers/dashboard-page.tsx");
const { createElement, useEffect, useState } = await import("react");
const { Field } = await import("../../../src/faces/dashboard/kit/form/field.tsx");
const { LineChart } = await import("../../../src/faces/dashboard/kit/chart/line-chart.tsx");
const { Menu } = await import("../../../src/faces/dashboard/kit/overlay/menu.tsx");
const { NumberInput } = await import("../../../src/faces/dashboard/kit/form/number-input.tsx");
const { Table } = await import("../../../src/faces/dashboard/kit/table/table.tsx");
const { Tabs } = await import("../../../src/faces/dashboard/kit/layout/tabs.tsx");
const { TextInput } = await import("../../../src/faces/dashboard/kit/form/text-input.tsx");
const { useConfirm } = await import("../../../src/faces/dashboard/kit/overlay/confirm.tsx");
const { useToast } = await import("../../../src/faces/dashboard/kit/overlay/toast.tsx");
const { useUnsaved } = await import("../../../src/faces/dashboard/kit/form/use-unsaved.ts");
const { currentAddress, navigate } = await import("../../../src/faces/dashboard/router.ts");

let shown: ReturnType<typeof show> | undefined;
afterEach(() => {
  shown?.close();
  shown = undefined;
});
const focused = () => document.activeElement?.textContent ?? "";

// What the components below tell the tests.
const told: (number | undefined)[] = [];
const answers: boolean[] = [];
let undone = 0;

function Days() {
  const [value, setValue] = useState<number | undefined>(30);
  const onChange = (next: number | undefined) => {
    told.push(next);
    setValue(next);
  };
  return createElement(NumberInput, { value, onChange, unit: "days", "aria-label": "Days" });
}

function Views() {
  const [current, onChange] = useState("one");
  const tabs = [
    { name: "one", label: "One" },
    { name: "two", label: "Two" },
  ];
  return createElement(Tabs, { label: "Views", tabs, current, onChange, children: `view ${current}` });
}

function Remove({ typed }: { typed?: string }) {
  const confirm = useConfirm();
  const ask = async () =>
    answers.push(
      await confirm({
        title: "Remove it?",
        text: "It is gone.",
        action: "Remove",
        ...(typed && { typed }),
      }),
    );
  return createElement("button", { type: "button", onClick: () => void ask() }, "Ask");
}

function Settings() {
  const [isReady, setIsReady] = useState(false);
  useUnsaved(true);
  useEffect(() => setIsReady(true), []);
  return isReady && createElement("p", null, "typed");
}

function Say() {
  const toast = useToast();
  const onClick = () => toast("Removed.", { action: { label: "Undo", run: () => undone++ } });
  return createElement("button", { type: "button", onClick }, "Say");
}

describe("controls", () => {
  test("a control is tied to its label, its hint and what is wrong with it", async () => {
    const input = createElement(TextInput, { value: "", onChange: () => {} });
    shown = show(
      createElement(Field, { label: "Name", hint: "A hint.", error: "It is taken.", children: input }),
    );
    const control = await until(() => document.querySelector("input"));
    expect(document.querySelector("label")?.getAttribute("for")).toBe(control.id);
    const said = (control.getAttribute("aria-describedby") ?? "")
      .split(" ")
      .map((id) => document.getElementById(id)?.textContent);
    expect(said).toEqual(["A hint.", "It is taken."]);
    expect(control.getAttribute("aria-invalid")).toBe("true");
  });

  test("a number is told as a number, and an empty field as none", async () => {
    told.length = 0;
    shown = show(createElement(Days));
    const input = await until(() => document.querySelector("input"));
    expect(input.value).toBe("30");
    for (const text of ["1.50", "", "7"]) {
      type(input, text);
      await until(() => input.value === text);
    }
    expect(told).toEqual([1.5, undefined, 7]);
  });
});

describe("a menu", () => {
  const chosen: string[] = [];
  const items = ["Alpha", "Beta", "Gamma"].map((label) => ({
    label,
    isDisabled: label === "Beta",
    onSelect: () => chosen.push(label),
  }));
  const open = async () => {
    shown = show(createElement(Menu, { label: "Actions", items }));
    await until(() => document.querySelector("button[aria-haspopup]"));
    button("Actions").click();
    await until(() => document.querySelector('[role="menu"]'));
  };

  test("opens at its first entry, moves by keys past what is disabled, and goes round", async () => {
    await open();
    expect(focused()).toBe("Alpha");
    for (const [key, expected] of [
      ["ArrowDown", "Gamma"],
      ["ArrowDown", "Alpha"],
      ["ArrowUp", "Gamma"],
      ["Home", "Alpha"],
      ["End", "Gamma"],
      ["a", "Alpha"],
    ] as const) {
      press(key);
      expect({ key, at: focused() }).toEqual({ key, at: expected });
    }
  });

  test("Escape closes it and gives the focus back; choosing does, too", async () => {
    await open();
    press("Escape");
    await until(() => !document.querySelector('[role="menu"]'));
    expect(document.activeElement?.getAttribute("aria-label")).toBe("Actions");
    button("Actions").click();
    await until(() => document.querySelector('[role="menu"]'));
    button("Gamma").click();
    await until(() => !document.querySelector('[role="menu"]'));
    expect({ chosen, at: document.activeElement?.getAttribute("aria-label") }).toEqual({
      chosen: ["Gamma"],
      at: "Actions",
    });
  });

  test("pressing beside it closes it", async () => {
    await open();
    document.body.dispatchEvent(new Event("pointerdown", { bubbles: true }));
    await until(() => !document.querySelector('[role="menu"]'));
  });
});

test("tabs are chosen by arrow keys, and only the chosen one is in the order of Tab", async () => {
  shown = show(createElement(Views));
  const first = await until(() => document.querySelector<HTMLElement>('[role="tab"]'));
  first.focus();
  press("ArrowRight");
  await until(() => document.querySelector('[role="tabpanel"]')?.textContent === "view two");
  expect([...document.querySelectorAll<HTMLElement>('[role="tab"]')].map(({ tabIndex }) => tabIndex)).toEqual(
    [-1, 0],
  );
  press("ArrowRight");
  await until(() => document.querySelector('[role="tabpanel"]')?.textContent === "view one");
});

describe("asking first", () => {
  const start = async (typed?: string) => {
    answers.length = 0;
    shown = show(createElement(Remove, typed === undefined ? {} : { typed }));
    await until(() => [...document.querySelectorAll("button")].find((each) => each.textContent === "Ask"));
    button("Ask").click();
    await until(() => document.querySelector("dialog"));
  };

  test("cancelling is no", async () => {
    await start();
    button("Cancel").click();
    await until(() => answers.length === 1);
    expect(answers).toEqual([false]);
  });

  test("what is lost for good has its name typed before", async () => {
    await start("docs.acme");
    expect(button("Remove").disabled).toBe(true);
    type(document.querySelector("dialog input"), "docs.acme");
    await until(() => !button("Remove").disabled);
    document
      .querySelector("dialog form")
      ?.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
    await until(() => answers.length === 1);
    expect(answers).toEqual([true]);
  });

  test("a page with something unsaved is left when that is agreed to, and not before", async () => {
    history.replaceState(null, "", "/settings");
    shown = show(createElement(Settings));
    await until(() => document.querySelector("p"));
    navigate("/members");
    await until(() => document.querySelector("dialog"));
    button("Cancel").click();
    await until(() => !document.querySelector("dialog"));
    expect(currentAddress()).toBe("/settings");
    navigate("/members");
    await until(() => document.querySelector("dialog"));
    document
      .querySelector("dialog form")
      ?.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
    await until(() => currentAddress() === "/members");
  });
});

test("a message offers to undo, and goes when it was taken", async () => {
  shown = show(createElement(Say));
  await until(() => document.querySelector("button"));
  button("Say").click();
  const region = await until(() => document.querySelector('[role="status"].toasts'));
  await until(() => region.textContent?.includes("Removed."));
  button("Undo").click();
  await until(() => !region.textContent?.includes("Removed."));
  expect(undone).toBe(1);
});

test("a table names its columns for screen readers, and its values on a phone", async () => {
  const columns = [
    { title: "Name", cell: ({ name }: { name: string }) => name },
    { title: "Pages", align: "end" as const, cell: ({ pages }: { pages: number }) => pages },
  ];
  const rows = [{ name: "Acme", pages: 3 }];
  shown = show(
    createElement(Table<{ name: string; pages: number }>, {
      label: "Sites",
      rows,
      columns,
      keyOf: (row) => row.name,
    }),
  );
  const table = await until(() => document.querySelector("table"));
  expect(table.getAttribute("aria-label")).toBe("Sites");
  expect([...table.querySelectorAll('th[scope="col"]')].map((each) => each.textContent)).toEqual([
    "Name",
    "Pages",
  ]);
  expect(table.querySelector('th[scope="row"]')?.textContent).toBe("Acme");
  expect(table.querySelector("td .table-name")?.textContent).toBe("Pages");
  expect(table.querySelector("td .table-name")?.getAttribute("aria-hidden")).toBe("true");
});

describe("charts", () => {
  test("what a line shows is a table as well, gaps included", async () => {
    const series = [{ name: "asked", label: "Questions", tone: "accent" as const }];
    const points = [
      { label: "1 Nov", values: { asked: 1200 } },
      { label: "2 Nov", values: { asked: null } },
    ];
    shown = show(createElement(LineChart, { label: "Questions", series, points }));
    const table = await until(() => document.querySelector("table"));
    const cells = [...table.querySelectorAll("tbody tr")].map((row) => row.textContent);
    expect(cells).toEqual(["1 Nov1,200", "2 Novnone"]);
  });

  test("the arrow keys tell of each moment", async () => {
    const series = [{ name: "asked", label: "Questions", tone: "accent" as const }];
    const points = ["1 Nov", "2 Nov"].map((label, index) => ({ label, values: { asked: index + 5 } }));
    shown = show(createElement(LineChart, { label: "Questions", series, points }));
    const plot = await until(() => document.querySelector<HTMLElement>(".line-chart-plot"));
    press("ArrowRight", plot);
    await until(() => document.querySelector('figure [role="status"]')?.textContent === "1 Nov: Questions 5");
    press("ArrowLeft", plot);
    press("ArrowRight", plot);
    await until(() => document.querySelector('figure [role="status"]')?.textContent === "2 Nov: Questions 6");
  });

  test("a line is interrupted where nothing is known, and a lonely value is a dot", () => {
    const plot = { width: 100, height: 10, top: 10 };
    expect(linePath([0, 10, null, 5], plot)).toBe("M0 10L33.3 0M100 5h0");
    expect(areaPath([0, 10, null, 5], plot)).toBe("M0 10L0 10L33.3 0L33.3 10Z");
    expect(linePath([], plot)).toBe("");
  });

  test("the scale ends at a round number that is not below any value", () => {
    expect([0, 0.4, 1, 3, 17, 100, 101, 4999].map(scaleTop)).toEqual([1, 0.5, 1, 5, 20, 100, 200, 5000]);
    expect([ticksOf(5), ticksOf(20), ticksOf(1)]).toEqual([
      [0, 5],
      [0, 10, 20],
      [0, 1],
    ]);
  });
});

describe("what numbers and moments are in words", () => {
  test("moments", () => {
    const now = Date.UTC(2026, 10, 21, 12);
    const HOUR_MS = 3_600_000;
    const words = [
      0,
      -30_000,
      -90_000,
      -3 * HOUR_MS,
      -24 * HOUR_MS,
      -20 * 24 * HOUR_MS,
      2 * HOUR_MS,
      -900 * 24 * HOUR_MS,
    ];
    expect(words.map((ago) => relativeTime(now + ago, now))).toEqual([
      "just now",
      "just now",
      "1 minute ago",
      "3 hours ago",
      "yesterday",
      "20 days ago",
      "in 2 hours",
      "2 years ago",
    ]);
  });

  test("yesterday is a day of the calendar", () => {
    const now = new Date(2026, 10, 21, 1).getTime();
    const at = (day: number, hour: number) => relativeTime(new Date(2026, 10, day, hour).getTime(), now);
    expect([at(20, 0), at(19, 15), at(22, 23)]).toEqual(["yesterday", "2 days ago", "tomorrow"]);
  });

  test("spans, shares and sizes", () => {
    expect([340, 2140, 200_000, null].map(formatDuration)).toEqual(["340 ms", "2.1 s", "3 min", "–"]);
    expect([0, 0.625, 1, null].map(formatShare)).toEqual(["0%", "63%", "100%", "–"]);
    expect([0, 900, 1500, 999_950, 50_000_000].map(formatBytes)).toEqual([
      "0 bytes",
      "900 bytes",
      "1.5 kB",
      "1.0 MB",
      "50 MB",
    ]);
  });
});
