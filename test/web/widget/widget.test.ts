import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { readInstallation } from "../../../src/web/widget/installation.ts";
import { createWidget, type Widget } from "../../../src/web/widget/widget.ts";
import { registerDom } from "../../helpers/dom.ts";

const SERVER = "http://docent.test/";

let leave: () => Promise<void>;
let requests: string[] = [];
let root: ShadowRoot | undefined;
let widgets: Widget[] = [];

beforeAll(() => {
  leave = registerDom();
  // What is in a closed root is for nobody else to see; a test looks where it is made.
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (this: Element, init: ShadowRootInit) {
    root = attach.call(this, init);
    return root;
  };
});
afterAll(() => leave());
beforeEach(() => {
  requests = [];
  serve(async (url) => {
    requests.push(url);
    return new Response("{}", { status: 404 });
  });
});
afterEach(() => {
  for (const widget of widgets) widget.destroy();
  widgets = [];
  localStorage.clear();
  sessionStorage.clear();
  document.body.replaceChildren();
  history.replaceState(null, "", "/");
});

function serve(reply: (url: string) => Promise<Response>): void {
  window.fetch = Object.assign((url: RequestInfo | URL) => reply(String(url)), { preconnect() {} });
}

function install(attributes: Record<string, string> = {}): Widget {
  const data = { domain: "acme", key: "docent_dsc_x", ...attributes };
  const installation = readInstallation(data, `${SERVER}widget.js`, location.href);
  const widget = createWidget(installation ?? expect.unreachable());
  widgets.push(widget);
  return widget;
}

const find = (selector: string) => root?.querySelector(selector) ?? null;
const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

test("nothing is asked before it is opened, and then once", async () => {
  const widget = install();
  await settle();
  expect(requests).toEqual([]);
  widget.open();
  widget.close();
  widget.open();
  await settle();
  expect(requests).toEqual([`${SERVER}v1/widget/acme`]);
});

test("the pass of the built-in reader's pages stands behind what is asked", async () => {
  install({ query: "pass=1.x" }).open();
  await settle();
  expect(requests).toEqual([`${SERVER}v1/widget/acme?pass=1.x`]);
});

test("it opens and closes, and says so to those who do not see it", () => {
  const widget = install();
  const launcher = find(".launcher");
  expect(launcher?.getAttribute("aria-expanded")).toBe("false");
  widget.open();
  expect(launcher?.getAttribute("aria-expanded")).toBe("true");
  expect(find(".panel")?.hasAttribute("open")).toBe(true);
  widget.close();
  expect(launcher?.getAttribute("aria-expanded")).toBe("false");
  expect(find(".panel")?.hasAttribute("open")).toBe(false);
});

test("a page that replaced its body has it again", async () => {
  install();
  const host = document.querySelector("docent-widget");
  expect(host?.parentNode).toBe(document.body);
  host?.remove();
  document.body.append("a new page");
  await settle();
  expect(document.querySelectorAll("docent-widget")).toHaveLength(1);
  expect(document.querySelector("docent-widget")).toBe(host);
});

test("nothing of it is left when it is destroyed", async () => {
  const widget = install();
  widget.destroy();
  document.body.append("more");
  await settle();
  expect(document.querySelector("docent-widget")).toBeNull();
  widget.open();
  widget.ask("How?");
  await settle();
  expect(requests).toEqual([]);
});

test("a reader who comes back sees the owner's button at once", async () => {
  serve(async () =>
    Response.json({
      name: "Acme",
      starterQuestions: [],
      widget: { labels: { open: "Frag uns" }, position: "left" },
    }),
  );
  install().open();
  await settle();
  await settle();
  for (const widget of widgets) widget.destroy();
  serve(async () => expect.unreachable());
  install();
  expect(find(".launcher")?.textContent).toBe("Frag uns");
  expect(find(".docent")?.getAttribute("data-position")).toBe("left");
});

test("what is being written stays when the owner's look arrives", async () => {
  let reply: (response: Response) => void = () => {};
  serve(
    () =>
      new Promise((resolve) => {
        reply = resolve;
      }),
  );
  install().open();
  const field = find(".composer textarea");
  if (field instanceof HTMLTextAreaElement) field.value = "How do I";
  reply(Response.json({ name: "Acme", widget: { radius: 2 } }));
  await settle();
  await settle();
  const after = find(".composer textarea");
  expect(after).not.toBe(field);
  expect(after instanceof HTMLTextAreaElement && after.value).toBe("How do I");
  expect(find(".disclaimer")?.textContent).toContain("Acme’s docs");
});
