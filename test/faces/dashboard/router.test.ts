import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { registerDom } from "../../helpers/dom.ts";

// React asks what there is when it is loaded: the page has to be there before.
afterAll(registerDom());
const { button, show, until } = await import("../../helpers/dashboard-page.tsx");
const { createElement } = await import("react");
const { currentAddress, Link, listenToLeaving, navigate, pathTo, useRoute } = await import(
  "../../../src/faces/dashboard/router.ts"
);

let shown: ReturnType<typeof show> | undefined;
afterEach(() => {
  shown?.close();
  document.head.replaceChildren();
});
beforeEach(() => {
  const meta = document.createElement("meta");
  meta.name = "docent-base";
  meta.content = "/docent";
  document.head.append(meta);
  history.replaceState(null, "", "/docent/");
});

/** Shows where the app is, with a link and a button. */
function Place() {
  const { path, query } = useRoute();
  const where = `${JSON.stringify(path)} ${query}`;
  const onClick = () => navigate("/dashboard/A%20B/docs/gaps?state=open");
  return createElement("div", null, [
    createElement("p", { key: "where" }, where),
    createElement(Link, { key: "link", to: "/members", className: "to-members" }, "Members"),
    createElement("button", { key: "go", type: "button", onClick }, "Go"),
  ]);
}

async function start() {
  shown = show(createElement(Place));
  await until(() => document.querySelector("p"));
}
const where = () => document.querySelector("p")?.textContent;
const click = (options: MouseEventInit = {}) => {
  const event = new MouseEvent("click", { bubbles: true, cancelable: true, button: 0, ...options });
  document.querySelector(".to-members")?.dispatchEvent(event);
  const wasFollowed = event.defaultPrevented;
  return wasFollowed;
};

describe("the router", () => {
  test("addresses begin below the base path, both ways", async () => {
    await start();
    expect(where()).toBe("[] ");
    button("Go").click();
    await until(() => where() === '["dashboard","A B","docs","gaps"] state=open');
    expect(location.pathname + location.search).toBe("/docent/dashboard/A%20B/docs/gaps?state=open");
    expect(currentAddress()).toBe("/dashboard/A%20B/docs/gaps?state=open");
  });

  test("a link is a link: its address is whole", async () => {
    await start();
    expect(document.querySelector(".to-members")?.getAttribute("href")).toBe("/docent/members");
  });

  test("a plain click stays in the app", async () => {
    await start();
    expect(click()).toBe(true);
    await until(() => where() === '["members"] ');
  });

  test("a click that means a new tab, a new window or a download is the browser's", async () => {
    await start();
    const others = [
      { metaKey: true },
      { ctrlKey: true },
      { shiftKey: true },
      { altKey: true },
      { button: 1 },
    ];
    // The browser would follow them elsewhere; here, nothing is to follow.
    const stop = (event: Event) => event.preventDefault();
    const seen: boolean[] = [];
    const watch = (event: Event) => {
      seen.push(event.defaultPrevented);
      stop(event);
    };
    window.addEventListener("click", watch);
    for (const options of others) click(options);
    window.removeEventListener("click", watch);
    expect(seen).toEqual(others.map(() => false));
    expect(where()).toBe("[] ");
  });

  test("replacing leaves no entry to go back to, and moving does", () => {
    const before = history.length;
    navigate("/members", { replace: true });
    expect(history.length).toBe(before);
    navigate("/account");
    expect(history.length).toBe(before + 1);
    expect(currentAddress()).toBe("/account");
  });

  test("who has something to lose may keep the page", () => {
    const asked: (() => void)[] = [];
    const stop = listenToLeaving((leave) => {
      asked.push(leave);
      return asked.length === 1;
    });
    navigate("/members");
    expect(currentAddress()).toBe("/");
    asked[0]?.();
    expect({ count: asked.length, at: currentAddress() }).toEqual({ count: 2, at: "/members" });
    stop();
  });

  test("a path is made of segments, whatever is in them", () => {
    expect(pathTo(["dashboard", "A/B ?#", "docs.acme", 3], { text: "a&b", none: "" })).toBe(
      "/dashboard/A%2FB%20%3F%23/docs.acme/3?text=a%26b",
    );
  });
});
