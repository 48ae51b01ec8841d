import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { registerDom } from "../../helpers/dom.ts";

afterAll(registerDom());
const { button, show, until } = await import("../../helpers/dashboard-page.tsx");
const { createElement, useState } = await import("react");
const { Table } = await import("../../../src/faces/dashboard/kit/table/table.tsx");

let shown: ReturnType<typeof show> | undefined;
afterEach(() => {
  shown?.close();
  shown = undefined;
});

/** A page with rows, each of which takes itself away. */
function Page() {
  const [rows, setRows] = useState(["one", "two", "three"]);
  const drop = (row: string) => setRows((before) => before.filter((each) => each !== row));
  const cell = (row: string) =>
    createElement("button", { type: "button", onClick: () => drop(row) }, `Drop ${row}`);
  return createElement("main", null, [
    createElement("h1", { key: "h", tabIndex: -1 }, "Rows"),
    rows.length > 0 &&
      createElement(Table<string>, {
        key: "t",
        label: "Rows",
        rows,
        keyOf: (row: string) => row,
        columns: [{ title: "Row", cell }],
      }),
  ]);
}

/** Presses it as the keyboard does: it has the focus. */
function drop(row: string) {
  button(`Drop ${row}`).focus();
  button(`Drop ${row}`).click();
}
const focused = () => document.activeElement?.textContent;

describe("where the focused row is taken away", () => {
  test("the keyboard goes on at the row in its place, at the last one behind the end, and then at the heading", async () => {
    shown = show(createElement(Page));
    await until(() => document.querySelector("table"));
    drop("two");
    await until(() => focused() === "Drop three");
    drop("three");
    await until(() => focused() === "Drop one");
    drop("one");
    await until(() => focused() === "Rows");
    expect(document.querySelector("table")).toBeNull();
  });

  test("it stays where it is, if it has gone elsewhere", async () => {
    shown = show(createElement(Page));
    await until(() => document.querySelector("table"));
    button("Drop one").focus();
    button("Drop three").focus();
    button("Drop one").click();
    await until(() => document.querySelectorAll("tbody tr").length === 2);
    expect(focused()).toBe("Drop three");
  });
});
