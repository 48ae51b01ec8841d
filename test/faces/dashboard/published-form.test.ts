import { afterAll, afterEach, expect, test } from "bun:test";
import { registerDom } from "../../helpers/dom.ts";

afterAll(registerDom());
const { button, show, type, until } = await import("../../helpers/dashboard-page.tsx");
const { createElement } = await import("react");
const { PublishedForm } = await import("../../../src/faces/dashboard/kit/sources/published-form.tsx");

let shown: ReturnType<typeof show> | undefined;
afterEach(() => {
  shown?.close();
  shown = undefined;
});

/** The form of a source, and what was saved with it. */
async function open(published: string | null, siteUrl: string | null) {
  const saved: (string | null)[] = [];
  const source = {
    number: 1,
    kind: "folder",
    place: "/srv/docs",
    version: "",
    language: "",
    authorization: null,
    groups: [],
    answers: {},
    published,
    everyMs: null,
    nextRunAt: null,
    notRead: null,
    lastRun: null,
  };
  const onSave = (address: string | null) => saved.push(address);
  shown = show(createElement(PublishedForm, { source, siteUrl, isBusy: false, label: "Save", onSave }));
  const { place } = shown;
  const field = await until(() => place.querySelector("input"));
  return { saved, field };
}

test("the site's URL is proposed, and nothing is saved before somebody says so", async () => {
  const { saved, field } = await open(null, "https://docs.example.com");
  expect([field.value, saved]).toEqual(["https://docs.example.com", []]);
  button("Save").click();
  expect(saved).toEqual(["https://docs.example.com"]);
});

test("an address is taken back by emptying the field, and saved only where it is another", async () => {
  const { saved, field } = await open("https://docs.example.com/", "https://other.example.com");
  expect([field.value, button("Save").disabled]).toEqual(["https://docs.example.com/", true]);
  type(field, "  ");
  await until(() => !button("Save").disabled);
  button("Save").click();
  expect(saved).toEqual([null]);
});
