import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { readInstallation } from "../../../src/faces/widget/installation.ts";
import { createWidget, type Widget } from "../../../src/faces/widget/widget.ts";
import { registerDom } from "../../helpers/dom.ts";

/** The parts that a server has, from the sources. */
const PARTS = {
  turns: () => import("../../../src/faces/widget/panel/turn/turn.ts"),
  token: () => import("../../../src/faces/widget/reader-token.ts"),
  palette: () => import("../../../src/faces/palette/palette.ts"),
  labels: () => Promise.reject(new Error("offline")),
};
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
  const widget = createWidget(installation ?? expect.unreachable(), PARTS);
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
  expect(requests).toEqual([`${SERVER}v1/widget/acme?path=%2F`]);
});

test("what there is to begin with is asked for on each page, until something was asked", async () => {
  const widget = install();
  widget.open();
  await settle();
  history.pushState(null, "", "/guide/a b");
  document.body.append("a new page");
  await settle();
  widget.close();
  widget.open();
  await settle();
  const asked = [`${SERVER}v1/widget/acme?path=%2F`, `${SERVER}v1/widget/acme?path=%2Fguide%2Fa%20b`];
  expect(requests).toEqual(asked);
  answerWith(...ANSWER);
  widget.ask("How?");
  await settle();
  history.pushState(null, "", "/other");
  widget.open();
  await settle();
  expect(requests.filter((url) => !url.includes("/v2/"))).toEqual(asked);
});

test("the pass of the built-in reader's pages stands behind what is asked", async () => {
  install({ query: "pass=1.x" }).open();
  await settle();
  expect(requests).toEqual([`${SERVER}v1/widget/acme?path=%2F&pass=1.x`]);
});

describe("a browser that calls itself offline", () => {
  let isOnLine = false;
  beforeEach(() => {
    isOnLine = false;
    Object.defineProperty(navigator, "onLine", { configurable: true, get: () => isOnLine });
  });
  // What the prototype says comes out again.
  afterEach(() => void Reflect.deleteProperty(navigator, "onLine"));
  const isSaid = () => find(".offline")?.hasAttribute("hidden") === false;

  test("is not believed where the server answers: it may be on the same machine", async () => {
    install().open();
    await settle();
    expect(requests).toHaveLength(1);
    expect(isSaid()).toBe(false);
  });

  test("is believed where nothing answers, until an answer comes", async () => {
    serve(() => Promise.reject(new TypeError("Failed to fetch")));
    const widget = install();
    widget.open();
    await settle();
    expect(isSaid()).toBe(true);
    answerWith(...ANSWER);
    widget.ask("How?");
    await settle();
    expect(isSaid()).toBe(false);
  });

  test("is believed again when it says so of a network that was there", async () => {
    isOnLine = true;
    install().open();
    await settle();
    isOnLine = false;
    window.dispatchEvent(new Event("offline"));
    expect(isSaid()).toBe(true);
    isOnLine = true;
    window.dispatchEvent(new Event("online"));
    expect(isSaid()).toBe(false);
  });
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

test("a character that is being put together is not cut off by the owner's look", async () => {
  let reply: (response: Response) => void = () => {};
  serve(
    () =>
      new Promise((resolve) => {
        reply = resolve;
      }),
  );
  install().open();
  const field = find(".composer textarea");
  field?.dispatchEvent(new CompositionEvent("compositionstart"));
  reply(Response.json({ name: "Acme", widget: { radius: 2 } }));
  await settle();
  await settle();
  expect(find(".composer textarea")).toBe(field);
  field?.dispatchEvent(new CompositionEvent("compositionend"));
  expect(find(".composer textarea")).not.toBe(field);
  expect(find(".disclaimer")?.textContent).toContain("Acme’s docs");
});

/** A server that knows the site, and answers at once with these parts. */
function answerWith(...parts: object[]): void {
  const stream = parts.map((part) => `data: ${JSON.stringify(part)}\n\n`).join("");
  serve(async (url) => {
    requests.push(url);
    return url.includes("/v2/") ? new Response(stream) : Response.json({});
  });
}

const ANSWER = [
  { type: "start", messageId: "m1", messageMetadata: { threadId: "t1" } },
  { type: "text-delta", id: "1", delta: "So." },
  { type: "finish", messageMetadata: { threadId: "t1", outcome: "answered" } },
];
const posted = () => requests.filter((url) => url.includes("/v2/"));
const until = async (isSo: () => boolean) => {
  while (!isSo()) await settle();
};

test("nothing is asked any more when it is destroyed before the site has said what it says of itself", async () => {
  let reply: (response: Response) => void = () => {};
  serve((url) => {
    requests.push(url);
    return new Promise((resolve) => {
      reply = resolve;
    });
  });
  const widget = install();
  widget.ask("How?");
  widget.destroy();
  reply(Response.json({}));
  await settle();
  await settle();
  expect(posted()).toEqual([]);
});

test("a starter question that is pressed twice is asked once", async () => {
  let reply: (response: Response) => void = () => {};
  serve((url) => {
    requests.push(url);
    if (url.includes("/v2/")) return new Promise(() => {});
    return new Promise((resolve) => {
      reply = resolve;
    });
  });
  install({ starters: "How?" }).open();
  const starter = find(".starter");
  for (let press = 0; press < 2; press++) starter?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  reply(Response.json({}));
  await until(() => posted().length > 0);
  await settle();
  expect(posted()).toHaveLength(1);
});

test("what the page says of the reader while it is told of a question goes with that question", async () => {
  const bodies: unknown[] = [];
  window.fetch = Object.assign(
    async (_: RequestInfo | URL, init?: RequestInit) => {
      if (init?.body !== undefined) bodies.push(JSON.parse(String(init.body)));
      return Response.json({}, { status: 404 });
    },
    { preconnect() {} },
  );
  const widget = install();
  widget.setContext({ context: [{ type: "textSelection", value: "sudo make me a sandwich" }] });
  widget.on("ask", () => widget.setContext({ currentPath: "/said/late", language: "fr" }));
  widget.ask("How?");
  await until(() => bodies.length > 0);
  expect(bodies).toMatchObject([
    {
      currentPath: "/said/late",
      filter: { language: "fr" },
      context: [{ type: "textSelection", value: "sudo make me a sandwich" }],
    },
  ]);
});

test("the page hears of an answer that is there before anything is drawn", async () => {
  const frames: FrameRequestCallback[] = [];
  const real = globalThis.requestAnimationFrame;
  globalThis.requestAnimationFrame = (run) => frames.push(run);
  answerWith(...ANSWER);
  const widget = install();
  const heard: unknown[] = [];
  widget.on("answer", (detail) => heard.push(detail));
  widget.open();
  for (const frame of frames.splice(0)) frame(0);
  widget.ask("How?");
  await until(() => posted().length > 0);
  await Bun.sleep(20);
  // On a busy machine the answer comes later than that, and is drawn later.
  await until(() => {
    for (const frame of frames.splice(0)) frame(0);
    return heard.length > 0;
  });
  globalThis.requestAnimationFrame = real;
  expect(heard).toEqual([{ question: "How?", answer: "So.", outcome: "answered" }]);
});

test("the last answer offers questions to go on with, which are asked when they are pressed", async () => {
  const followUps = ["How do I go on?", "What is <b>next</b>?", 3, "A third?", "A fourth?"];
  const [start = {}, text = {}] = ANSWER;
  answerWith(start, text, {
    type: "finish",
    messageMetadata: { threadId: "t1", outcome: "answered", followUps },
  });
  const widget = install();
  widget.ask("How?");
  await until(() => find(".follow-ups") !== null);
  const buttons = () => [...(root?.querySelectorAll<HTMLButtonElement>(".follow-ups button") ?? [])];
  expect(buttons().map(({ textContent }) => textContent)).toEqual([
    "How do I go on?",
    "What is <b>next</b>?",
    "A third?",
  ]);
  answerWith(...ANSWER);
  buttons()[0]?.click();
  await until(() => root?.querySelectorAll(".turn[aria-busy=false]").length === 2);
  expect([...(root?.querySelectorAll(".question") ?? [])].at(-1)?.textContent).toContain("How do I go on?");
  expect(buttons()).toEqual([]);
});

test("a thumb is told of once, whether a reason follows or not", async () => {
  answerWith(...ANSWER);
  const widget = install();
  const heard: unknown[] = [];
  widget.on("feedback", (detail) => heard.push(detail));
  widget.ask("How?");
  await until(() => find("article .actions:not([hidden])") !== null);
  const press = (selector: string) =>
    find(selector)?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  const send = () => press(".feedback button");
  const told = () => requests.filter((url) => url.includes("/v1/feedback/")).length;
  press('[aria-label="Not helpful"]');
  send();
  await settle();
  expect([heard.length, told()]).toEqual([1, 1]);
  const field = find(".feedback textarea");
  if (field instanceof HTMLTextAreaElement) field.value = "It is for another version.";
  send();
  await settle();
  expect([heard.length, told()]).toEqual([1, 2]);
});

test("closing it takes the focus from nothing else of the page", () => {
  const field = document.createElement("input");
  document.body.append(field);
  const widget = install();
  widget.open();
  field.focus();
  widget.close();
  expect(document.activeElement).toBe(field);
});

test("what another page of the site has kept is shown, once it was opened", async () => {
  answerWith(...ANSWER);
  const widget = install();
  widget.ask("How?");
  await until(() => find("article .actions:not([hidden])") !== null);
  const name = `docent:thread:${SERVER}acme`;
  const saved = localStorage.getItem(name) ?? "";
  localStorage.setItem(name, saved.replace('"How?"', '"Why?"').replace(/"id":"\w+"/, '"id":"q2"'));
  window.dispatchEvent(new Event("storage"));
  await until(() => find(".question")?.textContent?.includes("Why?") === true);
  expect(root?.querySelectorAll("article")).toHaveLength(1);
});

test("a page whose address cannot be changed asks once, and has its widget", async () => {
  history.replaceState(null, "", "/?assistant=How");
  const real = history.replaceState;
  history.replaceState = () => {
    throw new DOMException("denied", "SecurityError");
  };
  answerWith(...ANSWER);
  install();
  await until(() => posted().length > 0);
  location.hash = "#top";
  window.dispatchEvent(new PopStateEvent("popstate"));
  await settle();
  history.replaceState = real;
  expect(posted()).toHaveLength(1);
});

test("a copy of its element, from a page that was kept to come back to, is taken away", async () => {
  install();
  document.body.append(document.createElement("docent-widget"));
  document.querySelector("docent-widget")?.remove();
  await settle();
  expect(document.querySelectorAll("docent-widget")).toHaveLength(1);
});

test("a page that is written from right to left has the widget so, whatever says it", () => {
  document.body.style.direction = "rtl";
  install();
  document.body.style.direction = "";
  expect(find(".docent")?.getAttribute("dir")).toBe("rtl");
});
