import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { registerDom } from "../../helpers/dom.ts";

afterAll(registerDom());
const { button, show, until } = await import("../../helpers/dashboard-page.tsx");
const { createElement, useEffect, useState } = await import("react");
const { useUnsaved } = await import("../../../src/faces/dashboard/kit/form/use-unsaved.ts");
const { currentAddress, guardReturns, navigate, useRoute } = await import(
  "../../../src/faces/dashboard/router.ts"
);

guardReturns();
let shown: ReturnType<typeof show> | undefined;
let heard = 0;
const hear = () => heard++;
beforeEach(() => {
  heard = 0;
  navigate("/form");
});
afterEach(() => {
  shown?.close();
  shown = undefined;
});

/** Follows the address, as the app does, and has something to lose. */
function Form() {
  const { path } = useRoute();
  const { saved } = useUnsaved(true);
  const [isReady, setIsReady] = useState(false);
  useEffect(() => {
    window.addEventListener("popstate", hear);
    setIsReady(true);
    return () => window.removeEventListener("popstate", hear);
  }, []);
  return isReady && createElement("button", { type: "button", onClick: saved }, `Save ${path.join("/")}`);
}

/** What a browser does on its way back: the address changes first, and is told of then. */
function returnTo(path: string) {
  history.replaceState({ key: "before" }, "", path);
  window.dispatchEvent(new PopStateEvent("popstate", { state: history.state }));
}

describe("the browser's way back from what is not saved", () => {
  test("asks, with the address as it was and nobody told", async () => {
    shown = show(createElement(Form));
    await until(() => document.querySelector("button"));
    const { state } = history;
    returnTo("/before");
    await until(() => document.querySelector("dialog"));
    expect({ address: currentAddress(), state: history.state, heard }).toEqual({
      address: "/form",
      state,
      heard: 0,
    });
    button("Cancel").click();
    await until(() => document.querySelector("dialog") === null);
    expect(button("Save form")).toBeDefined();
  });

  test("is free once it is saved, and within the page", async () => {
    shown = show(createElement(Form));
    await until(() => document.querySelector("button"));
    returnTo("/form");
    expect(heard).toBe(1);
    button("Save form").click();
    returnTo("/before");
    await until(() => document.querySelector("button")?.textContent === "Save before");
    expect({ heard, dialog: document.querySelector("dialog") }).toEqual({ heard: 2, dialog: null });
  });
});
