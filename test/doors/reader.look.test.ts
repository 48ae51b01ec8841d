import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { addSiteWithPages } from "../helpers/public-site.ts";
import { appErrorOf } from "../helpers/rejection.ts";
import { hrefs, select } from "../helpers/select-html.ts";

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const LOGO = `data:image/svg+xml;base64,${btoa(SVG)}`;

let docent: TestDocent;
beforeAll(async () => {
  docent = await startDocent({ docs: null, settings: { base_path: "/docs" } });
  await addSiteWithPages(docent, "plain", { "index.md": "# Start\n\nText." });
  await addSiteWithPages(docent, "own", { "index.md": "# Start\n\nText.", "guide.md": "# Guide" });
  await addSiteWithPages(docent, "closed", { "index.md": "# Start" }, { isPublic: false });
  const widget = { accent: "#ff8800", logo: LOGO };
  await docent.app.parts.people.sites.set("closed", { settings: { widget } });
  await docent.app.parts.people.sites.set("own", {
    settings: {
      widget,
      headerLinks: [
        { label: "Code <b>", href: "https://github.com/acme?a=1&b=2" },
        { label: "Guide", href: "/guide#part" },
      ],
      footerLinks: [{ label: "Write to us", href: "mailto:docs@example.com" }],
      footerText: "© <i>Acme</i>",
    },
  });
});
afterAll(() => docent.close());

const get = (path: string) => fetch(`${docent.url}/sites/${path}`);
const read = async (path: string) => (await get(path)).text();
const texts = async (html: string, selector: string) =>
  (await select(html, selector)).map(({ text }) => text);

describe("the look of the reader site", () => {
  test("has the widget's accent, readable on light and dark ground, under the page's own policy", async () => {
    const reply = await get("own/");
    const nonce = /style-src 'self' 'nonce-([^']+)'/.exec(
      reply.headers.get("content-security-policy") ?? "",
    )?.[1];
    const [style] = await select(await reply.text(), "style");
    expect(style?.attributes["nonce"]).toBe(nonce ?? "none");
    expect(style?.text).toMatch(/^:root\{--accent:light-dark\(#[0-9a-f]{6},#[0-9a-f]{6}\);--accent-soft:/);
    expect(await select(await read("plain/"), "style")).toEqual([]);
  });

  test("shows the logo, and has it in the browser's tab; it is a picture that runs nothing", async () => {
    const html = await read("own/");
    const [logo] = await select(html, "a.name img.logo");
    const address = logo?.attributes["src"] ?? "";
    expect(await hrefs(html, 'link[rel="icon"]')).toEqual([address]);
    const picture = await fetch(new URL(address, docent.url));
    expect(picture.headers.get("content-type")).toBe("image/svg+xml");
    expect(picture.headers.get("content-security-policy")).toContain("sandbox");
    expect(await picture.text()).toBe(SVG);
    expect((await get("own/~look/other.svg")).status).toBe(404);
    expect((await get("plain/~look/other.svg")).status).toBe(404);
  });

  test("without a logo, the tab has the first letter of the site's name", async () => {
    const [icon = ""] = await hrefs(await read("plain/"), 'link[rel="icon"]');
    expect(icon).toStartWith("data:image/svg+xml,");
    expect(decodeURIComponent(icon)).toContain(">P</text>");
  });

  test("a logo at an address is not loaded", async () => {
    await docent.app.parts.people.sites.set("plain", {
      settings: { widget: { logo: "https://elsewhere.example/logo.svg" } },
    });
    expect(await read("plain/")).not.toContain("elsewhere.example");
  });

  test("has the owner's links and words, as text", async () => {
    const html = await read("own/?theme=dark");
    expect(await texts(html, ".top .site-links a")).toEqual(["Code <b>", "Guide"]);
    expect(await hrefs(html, ".top .site-links a")).toEqual([
      "https://github.com/acme?a=1&b=2",
      "/docs/sites/own/guide?theme=dark#part",
    ]);
    expect(await hrefs(html, ".menu .site-links a")).toHaveLength(2);
    expect(await texts(html, ".site-footer p")).toEqual(["© <i>Acme</i>"]);
    expect(await hrefs(html, ".site-footer a")).toEqual(["mailto:docs@example.com"]);
    expect(await select(await read("plain/"), ".site-links, .site-footer")).toEqual([]);
  });

  test("of a site that is not public, nothing is told", async () => {
    const [logo] = await select(await read("own/"), "a.name img.logo");
    const name = logo?.attributes["src"]?.split("/").at(-1);
    const nothing = await get("nothing/~look/x.svg");
    expect((await get("closed/~look/x.svg")).status).toBe(404);
    expect(await (await get("closed/~look/x.svg")).text()).toBe(await nothing.text());
    // Whoever knows a picture's hash has the picture.
    expect((await get(`closed/~look/${name}`)).status).toBe(200);
  });

  test.each([
    { label: "x", href: "javascript:alert(1)" },
    { label: "x", href: "//elsewhere.example" },
    { label: "x", href: "/\\elsewhere.example" },
    { label: "x", href: 'https://a.example/"onclick="' },
    { label: "x", href: "https://docs.example.com@elsewhere.example/" },
    { label: "x", href: "guide" },
    { label: "", href: "https://a.example" },
    { label: "two\nlines", href: "https://a.example" },
    { label: "x".repeat(41), href: "https://a.example" },
  ])("refuses a link that would lead astray or take more room than it may: %j", async (link) => {
    const { sites } = docent.app.parts.people;
    for (const settings of [{ headerLinks: [link] }, { footerLinks: [link] }])
      expect((await appErrorOf(() => sites.set("plain", { settings }))).message).toContain("Links");
  });
});
