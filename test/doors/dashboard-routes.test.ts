import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startDocent, type TestDocent } from "../helpers/docent.ts";

const PAGES = [
  "/",
  "/new",
  "/sign-in",
  "/members",
  "/account",
  "/notices",
  "/audit",
  "/server",
  "/dashboard",
  "/dashboard/Acme/docs.acme",
  "/dashboard/Acme/docs.acme/content/pages/a/b.md",
];

let docent: TestDocent;
let below: TestDocent;
beforeAll(async () => {
  [docent, below] = await Promise.all([
    startDocent({ docs: null, settings: { admin_hosts: "docs-server.example" } }),
    startDocent({ docs: null, settings: { base_path: "/docent" } }),
  ]);
  const { people } = docent.app.parts;
  await people.sites.add({ domain: "guide", hostNames: ["guide.example.com"], settings: { public: true } });
});
afterAll(() => Promise.all([docent.close(), below.close()]));

/** What the document loads, by the attributes that name it. */
const assetsOf = (html: string) =>
  [...html.matchAll(/<(?:script|link)[^>]*?(?:src|href)="([^"]+)"/g)]
    .map(([, address = ""]) => address)
    .filter((address) => !address.startsWith("data:"));
const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(`${docent.url}${path}`, { method, headers, redirect: "manual" });

describe("the dashboard's document", () => {
  test("is at each of the app's addresses, for whoever asks", async () => {
    const first = await (await ask("/")).text();
    expect(first).toStartWith("<!doctype html>");
    for (const path of PAGES) {
      const reply = await ask(path);
      expect({ path, status: reply.status, type: reply.headers.get("content-type") }).toEqual({
        path,
        status: 200,
        type: "text/html; charset=utf-8",
      });
      expect(await reply.text()).toBe(first);
    }
  });

  test("HEAD tells the same headers and sends nothing", async () => {
    for (const path of PAGES) {
      const [got, head] = await Promise.all([ask(path), ask(path, {}, "HEAD")]);
      expect(head.status).toBe(200);
      expect(await head.text()).toBe("");
      for (const name of ["content-type", "content-security-policy", "x-frame-options"])
        expect(head.headers.get(name)).toBe(got.headers.get(name));
    }
  });

  test("what it loads is there, with its type, and is Docent's own", async () => {
    const addresses = assetsOf(await (await ask("/")).text());
    expect(addresses.map((address) => address.replace(/-[^.]+/, ""))).toEqual([
      "/assets/dashboard.css",
      "/assets/dashboard.js",
    ]);
    const types = await Promise.all(
      addresses.map(async (address) => {
        const reply = await ask(address);
        expect(reply.status).toBe(200);
        expect((await reply.text()).length).toBeGreaterThan(1000);
        return reply.headers.get("content-type");
      }),
    );
    expect(types).toEqual(["text/css; charset=utf-8", "text/javascript; charset=utf-8"]);
  });

  test("below a base path, its files and its links are below it, too", async () => {
    for (const path of ["", "/", "/members", "/dashboard/Acme/docs.acme"]) {
      const reply = await fetch(below.url + path);
      expect({ path, status: reply.status }).toEqual({ path, status: 200 });
      const html = await reply.text();
      expect(html).toContain('<meta name="docent-base" content="/docent">');
      for (const address of assetsOf(html)) {
        expect(address).toStartWith("/docent/assets/dashboard-");
        expect((await fetch(new URL(address, below.url))).status).toBe(200);
      }
    }
    expect((await fetch(new URL("/members", below.url))).status).toBe(404);
  });

  test("without JavaScript it says what is needed", async () => {
    const html = await (await ask("/")).text();
    expect(html).toContain("<noscript>");
    expect(html.slice(html.indexOf("<noscript>"))).toContain("needs JavaScript");
  });
});

describe("errors", () => {
  test("an address that is none of the app's is not found", async () => {
    for (const path of ["/nothing", "/members/1", "/sign-in/x", "/index.html", "/dashboards"])
      expect({ path, status: (await ask(path)).status }).toEqual({ path, status: 404 });
  });

  test("a file that is not among its own is not found, whatever it is called", async () => {
    const names = ["dashboard-none.js", "main.tsx", "..%2f..%2fpackage.json", "%2e%2e/server.ts", ""];
    for (const name of names)
      expect({ name, status: (await ask(`/assets/${name}`)).status }).toEqual({ name, status: 404 });
  });

  test("nothing is posted to it", async () => {
    for (const method of ["POST", "PUT", "DELETE"])
      expect((await ask("/members", {}, method)).status).toBeGreaterThanOrEqual(400);
  });
});

describe("security", () => {
  test("nothing runs or loads but its own, no page frames it, and its address is told to nobody", async () => {
    const { headers } = await ask("/dashboard/Acme/docs.acme");
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; font-src 'none'; frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    const expected = {
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
      "referrer-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
      "cache-control": "no-cache",
      "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    };
    for (const [name, value] of Object.entries(expected))
      expect({ name, value: headers.get(name) }).toEqual({ name, value });
    expect(headers.get("access-control-allow-origin")).toBeNull();
    expect(headers.get("set-cookie")).toBeNull();
  });

  test("no script and no style stands in the document: its policy would refuse them", async () => {
    const html = await (await ask("/")).text();
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)/);
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=/);
  });

  test("under a host that the operator did not name it says so, and shows nothing else", async () => {
    for (const host of ["evil.example", "evil.example:4747", "127.0.0.1.evil.example"]) {
      const reply = await ask("/", { host });
      expect({ host, status: reply.status }).toEqual({ host, status: 403 });
      const html = await reply.text();
      expect(html).toContain("--admin-hosts");
      expect(html).not.toContain("/assets/");
    }
    expect((await ask("/", { host: "docs-server.example:4747" })).status).toBe(200);
  });

  test("a host's name is text in what is said of it", async () => {
    const reply = await ask("/", { host: "<img/src=x>.example" });
    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(await reply.text()).not.toContain("<img");
  });

  test("under a site's own host name there is no dashboard", async () => {
    for (const path of ["/", "/sign-in", "/dashboard/Acme/guide"]) {
      const reply = await ask(path, { host: "guide.example.com" });
      expect({ path, status: reply.status }).toEqual({ path, status: 404 });
      expect(await reply.text()).not.toContain("<html");
    }
  });

  test("a page of another origin gets none of it", async () => {
    const reply = await ask("/", { origin: "https://evil.example" });
    expect(reply.status).toBe(403);
    expect(reply.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("what an address asks for is not written into the document", async () => {
    const html = await (await ask('/dashboard/%3Cscript%3Ealert(1)%3C/script%3E/x?a="><b>')).text();
    expect(html).toBe(await (await ask("/")).text());
  });
});
