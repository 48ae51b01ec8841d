import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { siteSettingsSchema } from "../../../src/sites/site/settings.ts";
import { fakeServer, refusal } from "../../helpers/dashboard-server.ts";
import { registerDom } from "../../helpers/dom.ts";

afterAll(registerDom());
const { apiOf, button, show, type, until } = await import("../../helpers/dashboard-page.tsx");
const { createElement, useState } = await import("react");
const { SessionContext } = await import("../../../src/faces/dashboard/session-context.ts");
const { SitesProvider, useSites } = await import("../../../src/faces/dashboard/use-sites.tsx");
const { GeneralForm } = await import("../../../src/faces/dashboard/settings/general-form.tsx");
const { LimitsForm } = await import("../../../src/faces/dashboard/settings/limits-form.tsx");
const { TextList } = await import("../../../src/faces/dashboard/kit/form/text-list.tsx");

let shown: ReturnType<typeof show> | undefined;
afterEach(() => {
  shown?.close();
  shown = undefined;
});

type Form = typeof GeneralForm;
interface FormDoor {
  role?: "owner" | "viewer";
  refuse?: (body: unknown) => ReturnType<typeof refusal> | undefined;
  /** Changes are answered when it resolves. */
  until?: Promise<void>;
}

function FirstSite({ form }: { form: Form }) {
  const [first] = useSites().data ?? [];
  return first === undefined ? null : createElement(form, { site: first });
}

/** What the list of texts told. */
const told: string[][] = [];
function Lines() {
  const [texts, setTexts] = useState(["one", "two"]);
  const onChange = (next: string[]) => {
    told.push(next);
    setTexts(next);
  };
  return createElement(TextList, { label: "Lines", one: "line", texts, onChange, max: 3 });
}

/** A form over a site, on a server that takes every change but what it refuses. */
function open(form: Form, { role = "owner", refuse = () => undefined, until: saved }: FormDoor = {}) {
  let site = {
    domain: "acme",
    name: "Acme",
    organizationId: "o1",
    url: null,
    generation: 1,
    createdAt: null,
    settings: siteSettingsSchema.parse({}),
    pages: 1,
    passages: 1,
  };
  const server = fakeServer(async (method, path, body) => {
    if (path === "/v1/admin/sites") return { status: 200, body: [site] };
    if (method !== "PATCH") return { status: 404 };
    await saved;
    const refused = refuse(body);
    if (refused) return refused;
    const { settings = {}, ...rest } = Object(body);
    site = { ...site, ...rest, settings: { ...site.settings, ...settings } };
    return { status: 200, body: site };
  });
  const session = {
    member: { id: "m", name: "Ada", isServerOwner: false, provider: null },
    organizations: [{ id: "o1", name: "Default", role }],
    version: "1",
    publicUrl: "http://localhost",
  };
  const state = { session, reload: async () => {}, signOut: async () => {} };
  shown = show(
    createElement(
      SessionContext,
      { value: state },
      createElement(SitesProvider, null, createElement(FirstSite, { form })),
    ),
    apiOf(server),
  );
  return { changes: () => server.asked.filter(({ method }) => method === "PATCH").map(({ body }) => body) };
}

const input = (label: string) => {
  const found = [...document.querySelectorAll("label")].find((each) => each.textContent?.startsWith(label));
  const control = found && (found.control ?? document.getElementById(found.htmlFor));
  return control instanceof HTMLInputElement || control instanceof HTMLSelectElement ? control : undefined;
};
const bar = () => document.querySelector(".save-bar");
const isDirty = () => bar()?.hasAttribute("inert") === false;

describe("a form over settings", () => {
  test("says what is not saved, saves what was changed, and can take it back", async () => {
    const { changes } = open(GeneralForm);
    type(await until(() => input("Name") ?? null), "Acme docs");
    await until(isDirty);
    button("Save").click();
    await until(() => !isDirty());
    expect(changes()).toEqual([{ name: "Acme docs" }]);
    (await until(() => document.querySelector(".toast button"))).dispatchEvent(
      new MouseEvent("click", { bubbles: true }),
    );
    await until(() => changes().length === 2);
    expect(changes()[1]).toEqual({ name: "Acme" });
    await until(() => input("Name")?.value === "Acme");
  });

  test("what is typed while the rest is being saved is not lost", async () => {
    const saving = Promise.withResolvers<void>();
    const { changes } = open(GeneralForm, { until: saving.promise });
    type(await until(() => input("Name") ?? null), "Acme docs");
    await until(isDirty);
    button("Save").click();
    await until(() => changes().length === 1);
    type(input("Published at") ?? null, "https://docs.acme.example");
    saving.resolve();
    await until(() => document.querySelector(".toast"));
    expect(isDirty()).toBe(true);
    expect(input("Published at")?.value).toBe("https://docs.acme.example");
    button("Save").click();
    await until(() => changes().length === 2);
    expect(changes()[1]).toEqual({ url: "https://docs.acme.example" });
  });

  test("forgets what was typed when it is discarded, and what was typed back is no change", async () => {
    const { changes } = open(GeneralForm);
    const name = await until(() => input("Name") ?? null);
    type(name, "Another");
    await until(isDirty);
    button("Discard").click();
    await until(() => !isDirty() && name.value === "Acme");
    type(name, "Acme 2");
    await until(isDirty);
    type(name, "Acme");
    await until(() => !isDirty());
    expect(changes()).toEqual([]);
  });

  test("says what the server refuses beside its field, keeps what was typed, and other errors at the end", async () => {
    let isBroken = false;
    open(GeneralForm, {
      refuse: () =>
        isBroken
          ? refusal(409, "conflict", "Somebody else was first.")
          : refusal(400, "invalid_request", "wrong", [{ path: "name", message: "is too odd" }]),
    });
    const name = await until(() => input("Name") ?? null);
    type(name, "Odd");
    await until(isDirty);
    button("Save").click();
    const alert = await until(() => document.querySelector(".field-error"));
    expect(alert.textContent).toBe("Is too odd.");
    expect(name.getAttribute("aria-invalid")).toBe("true");
    expect([name.value, document.querySelector(".failed")]).toEqual(["Odd", null]);
    isBroken = true;
    button("Save").click();
    expect((await until(() => document.querySelector(".failed"))).textContent).toContain(
      "Somebody else was first.",
    );
  });

  test("a viewer looks, and changes nothing", async () => {
    open(GeneralForm, { role: "viewer" });
    const name = await until(() => input("Name") ?? null);
    expect(name.closest("fieldset")?.disabled).toBe(true);
    expect(document.body.textContent).toContain("An owner can change them.");
  });

  test("a limit is there or not: 0 is never typed", async () => {
    const { changes } = open(LimitsForm);
    const own = await until(() => document.querySelector<HTMLInputElement>('[role="switch"]'));
    own.click();
    const count = await until(() => document.querySelector<HTMLInputElement>('input[type="number"]'));
    type(count, "40");
    await until(isDirty);
    button("Save").click();
    await until(() => changes().length === 1);
    expect(changes()).toEqual([{ settings: { hourlyMessages: 40 } }]);
    await until(() => !isDirty());
    document.querySelector<HTMLInputElement>('[role="switch"]')?.click();
    await until(isDirty);
    button("Save").click();
    await until(() => changes().length === 2);
    expect(changes()[1]).toEqual({ settings: { hourlyMessages: 0 } });
  });
});

describe("a list of texts", () => {
  test("lines are added by Enter and by a button up to their number, and taken away", async () => {
    shown = show(createElement(Lines));
    const first = await until(() => document.querySelector("input"));
    first.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
    await until(() => document.querySelectorAll("input").length === 3);
    expect(told.at(-1)).toEqual(["one", "", "two"]);
    expect(document.body.textContent).not.toContain("Add another");
    button("Remove line 1").click();
    await until(() => document.querySelectorAll("input").length === 2);
    expect(told.at(-1)).toEqual(["", "two"]);
    button("Add another line").click();
    await until(() => document.querySelectorAll("input").length === 3);
  });
});
