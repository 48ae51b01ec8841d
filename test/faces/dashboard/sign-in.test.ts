import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type Answer, fakeServer, refusal } from "../../helpers/dashboard-server.ts";
import { registerDom } from "../../helpers/dom.ts";

afterAll(registerDom());
const { button, type, until } = await import("../../helpers/dashboard-page.tsx");
const { createElement } = await import("react");
const { createRoot } = await import("react-dom/client");
const { App } = await import("../../../src/faces/dashboard/app.tsx");

const SESSION = {
  member: { id: "m1", name: "Ada", isServerOwner: true, provider: null },
  organizations: [{ id: "o1", name: "Acme", role: "owner" }],
  version: "0.1.0",
  publicUrl: "http://localhost",
};
const MEMBER = {
  id: "m1",
  name: "Ada",
  isServerOwner: true,
  roles: [],
  state: "active",
  provider: null,
  lastSeenAt: null,
};
const SIGNED_OUT = refusal(401, "unauthorized", "You are signed out. Please sign in again.");
const LINK_ENDED = refusal(404, "not_found", "This link does not work any more.");

/** A Docent with one member, Ada, whose password is `right`. */
function docent() {
  const state = {
    isSignedIn: false,
    invited: 0,
    link: "good",
    ways: { providers: [] as object[], passwords: "on" },
  };
  const answers: Record<string, (body: Record<string, unknown>) => Answer> = {
    "GET /v1/session": () => (state.isSignedIn ? { status: 200, body: SESSION } : SIGNED_OUT),
    "POST /v1/session": ({ password }) => {
      if (password !== "right") return refusal(401, "unauthorized", "They do not belong together.");
      state.isSignedIn = true;
      return { status: 200, body: SESSION };
    },
    "DELETE /v1/session": () => ({ status: 204 }),
    "GET /v1/sign-in": () => ({ status: 200, body: state.ways }),
    "POST /v1/session/link": ({ link }) =>
      link === state.link ? { status: 200, body: { purpose: "first", name: null } } : LINK_ENDED,
    "PUT /v1/session/link": ({ password }) => {
      if (String(password).length < 10)
        return refusal(400, "invalid_request", "password: must have at least 10 characters", [
          { path: "password", message: "must have at least 10 characters" },
        ]);
      state.isSignedIn = true;
      state.link = "";
      return { status: 200, body: SESSION };
    },
  };
  const inside: typeof answers = {
    "GET /v1/admin/sites": () => ({ status: 200, body: [] }),
    "GET /v1/admin/members": () => ({ status: 200, body: [MEMBER] }),
    "POST /v1/admin/members": ({ name }) => {
      state.invited += 1;
      const member = { ...MEMBER, id: "m2", name, state: "invited" };
      return {
        status: 201,
        body: { member, link: "http://localhost/sign-in#link=abc", expiresAt: "2027-01-01T00:00:00Z" },
      };
    },
  };
  const server = fakeServer((method, path, body) => {
    const known = { ...(typeof body === "object" ? body : {}) };
    const name = `${method} ${path}`;
    if (inside[name]) return state.isSignedIn ? inside[name](known) : SIGNED_OUT;
    return answers[name]?.(known) ?? { status: 404 };
  });
  return { state, server };
}

let root: ReturnType<typeof createRoot> | undefined;
const realFetch = globalThis.fetch;
beforeEach(() => document.body.replaceChildren(document.createElement("div")));
afterEach(() => {
  root?.unmount();
  globalThis.fetch = realFetch;
});

function open(address: string, server: ReturnType<typeof fakeServer>) {
  history.replaceState(null, "", address);
  globalThis.fetch = Object.assign(
    (url: string | URL | Request, init?: BunFetchRequestInit | RequestInit) =>
      server.fetch(String(url), init as RequestInit),
    { preconnect() {} },
  );
  const place = document.body.firstElementChild;
  if (!place) throw new Error("there is no place");
  root = createRoot(place);
  root.render(createElement(App));
}

const heading = (text: string) =>
  until(() => [...document.querySelectorAll("h1, h2")].find((each) => each.textContent === text));
const field = (name: string) => document.querySelector(`input[name="${name}"]`);
const submit = () =>
  document.querySelector("form")?.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));

describe("signing in", () => {
  test("who is nobody is led to the page for it, and to where they wanted after it", async () => {
    const { server } = docent();
    open("/members?x=1", server);
    await heading("Sign in");
    expect(location.pathname + location.search).toBe("/sign-in?next=%2Fmembers%3Fx%3D1");
    type(field("username"), "Ada");
    type(field("password"), "right");
    submit();
    await heading("Members");
    expect(location.pathname + location.search).toBe("/members?x=1");
  });

  test("an address of elsewhere in `next` leads home", async () => {
    const { server, state } = docent();
    state.isSignedIn = true;
    open("/sign-in?next=%2F%2Fevil.example%2F", server);
    await heading("Sites");
    expect(location.href).toBe("http://localhost/");
  });

  test("a wrong password is told, and what was typed stays", async () => {
    const { server } = docent();
    open("/sign-in", server);
    await heading("Sign in");
    type(field("username"), "Ada");
    type(field("password"), "wrong");
    submit();
    await until(() =>
      document.querySelector('[role="alert"]')?.textContent?.includes("do not belong together"),
    );
    const typed = [field("username"), field("password")].map(
      (each) => each instanceof HTMLInputElement && each.value,
    );
    expect(typed).toEqual(["Ada", "wrong"]);
  });

  test("providers have a button each, beside the password, and lead back to where one was going", async () => {
    const { server, state } = docent();
    state.ways.providers = [
      { name: "company", label: "Company account", purposes: ["member"] },
      { name: "readers", label: "Readers alone", purposes: ["reader"] },
    ];
    open("/sign-in?next=%2Fmembers", server);
    await heading("Sign in");
    const links = [...document.querySelectorAll(".sign-in-providers a")];
    expect(links.map((each) => [each.textContent, each.getAttribute("href")])).toEqual([
      ["Sign in with Company account", "/v1/sign-in/company?returnTo=%2Fmembers"],
    ]);
    expect(field("password")).not.toBeNull();
  });

  test("where passwords are for emergencies, they are out of the way", async () => {
    const { server, state } = docent();
    state.ways = {
      providers: [{ name: "company", label: "Company account", purposes: ["member"] }],
      passwords: "emergency",
    };
    open("/sign-in", server);
    await heading("Sign in");
    const details = document.querySelector("details");
    expect([details?.open, details?.contains(field("password"))]).toEqual([false, true]);
    expect(document.body.textContent).not.toContain("No password yet");
  });

  test.each([
    ["unavailable", "Company account does not answer"],
    ["no_role", "none of your groups"],
    ["expired", "begun in another browser"],
    ["refused", "did not sign you in"],
    ["not_believed", "could not be verified"],
  ])("who comes back with %s is told so in words", async (reason, words) => {
    const { server, state } = docent();
    state.ways.providers = [{ name: "company", label: "Company account", purposes: ["member"] }];
    open(`/sign-in?failed=${reason}&provider=company`, server);
    await heading("Sign in");
    expect(document.querySelector('[role="alert"]')?.textContent).toContain(words);
  });

  test("a reason that nobody gives is no words of anybody's", async () => {
    const { server } = docent();
    open("/sign-in?failed=Call%20me&provider=toString", server);
    await heading("Sign in");
    expect(document.querySelector('[role="alert"]')).toBeNull();
  });

  test("the first link makes its owner a member, says what a password lacks, and leaves the history", async () => {
    const { server, state } = docent();
    open("/sign-in#link=good", server);
    await heading("Welcome to Docent");
    type(field("username"), "Ada");
    type(field("password"), "short");
    submit();
    await until(
      () => document.querySelector(".field-error")?.textContent === "Must have at least 10 characters.",
    );
    expect(document.querySelector('input[name="password"]')?.getAttribute("aria-invalid")).toBe("true");
    type(field("password"), "long enough for it");
    submit();
    await heading("Sites");
    expect({ used: state.link, hash: location.hash, path: location.pathname }).toEqual({
      used: "",
      hash: "",
      path: "/",
    });
    expect(server.asked.filter(({ path }) => path.includes("good"))).toEqual([]);
  });

  test("a link that ended says so, and how to get another one", async () => {
    const { server } = docent();
    open("/sign-in#link=old", server);
    await heading("This link opens nothing");
    expect(document.body.textContent).toContain("docent members link");
    button("Sign in with a password").click();
    await heading("Sign in");
    expect(location.hash).toBe("");
  });

  test("a session that ends in mid-work: signing in over the page goes on where it stopped", async () => {
    const { server, state } = docent();
    state.isSignedIn = true;
    open("/members", server);
    await heading("Members");
    button("Invite someone").click();
    await heading("Invite someone");
    const name = await until(() => document.querySelector('dialog input[maxlength="100"]'));
    type(name, "Grace");
    state.isSignedIn = false;
    submit();
    await heading("Please sign in again");
    expect(state.invited).toBe(0);
    expect(name instanceof HTMLInputElement && name.value).toBe("Grace");
    type(field("password"), "right");
    field("password")
      ?.closest("form")
      ?.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
    await heading("Grace is invited");
    expect(state.invited).toBe(1);
    expect(location.pathname).toBe("/members");
  });

  test("who rather leaves is led to the page to sign in at", async () => {
    const { server, state } = docent();
    state.isSignedIn = true;
    open("/members", server);
    await heading("Members");
    state.isSignedIn = false;
    button("Invite someone").click();
    type(await until(() => document.querySelector('dialog input[maxlength="100"]')), "Grace");
    submit();
    await heading("Please sign in again");
    button("Leave this page").click();
    await heading("Sign in");
    expect(location.search).toBe("?next=%2Fmembers");
  });

  test("a server that is away is told as that, not as signed out", async () => {
    const server = fakeServer(() => {
      throw new TypeError("Failed to fetch");
    });
    open("/members", server);
    await heading("Docent does not answer");
    expect(location.pathname).toBe("/members");
  });
});
