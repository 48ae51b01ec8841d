import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { widgetShape } from "../../src/doors/site-api/widget.ts";
import { startDocent, type TestDocent } from "../helpers/docent.ts";

let docent: TestDocent;
beforeAll(async () => {
  docent = await startDocent();
});
afterAll(() => docent.close());

const ask = (
  path = "/v1/widget/acme",
  { key = docent.key, headers = {} }: { key?: string | null; headers?: Record<string, string> } = {},
) =>
  fetch(docent.url + path, {
    headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...headers },
  });
const told = async () => widgetShape.parse(await (await ask()).json());
const set = (settings: object) => docent.app.parts.people.sites.set("acme", { settings });

describe("what the widget is told", () => {
  test("is the site's name, questions, contact and look, and nothing that only owners may know", async () => {
    await set({
      starterQuestions: ["How?"],
      contact: "help@acme.example",
      instructions: "secret words",
      widget: { theme: "dark", labels: { open: "Frag uns" } },
    });
    const reply = await ask();
    expect(reply.status).toBe(200);
    const text = await reply.text();
    expect(JSON.parse(text)).toEqual({
      domain: "acme",
      name: "Acme",
      url: "https://docs.acme.example",
      readerUrl: null,
      starterQuestions: ["How?"],
      contact: "help@acme.example",
      language: "en",
      handOver: false,
      versions: [],
      languages: [],
      widget: expect.objectContaining({ theme: "dark", accent: "#2456c9", labels: { open: "Frag uns" } }),
    });
    expect(text).not.toContain("secret words");
  });

  test("may be kept for a minute by that reader's browser alone", async () => {
    const { headers } = await ask();
    expect(headers.get("cache-control")).toBe("private, max-age=60");
    expect(headers.get("vary")?.toLowerCase()).toContain("authorization");
  });

  test("names the built-in reader where the pages are public", async () => {
    await set({ public: true });
    expect((await told()).readerUrl).toBe(`${docent.url}/sites/acme`);
    await set({ public: false });
    expect((await told()).readerUrl).toBeNull();
  });

  test("a logo's path is one of the site, wherever the widget stands", async () => {
    await set({ widget: { logo: "/img/logo.svg" } });
    expect((await told()).widget.logo).toBe("https://docs.acme.example/img/logo.svg");
  });

  test("a change of one setting of the look leaves the others", async () => {
    await set({ widget: { accent: "#ff8800" } });
    expect((await told()).widget).toMatchObject({
      theme: "dark",
      accent: "#ff8800",
      labels: { open: "Frag uns" },
    });
  });
});

describe("who is told", () => {
  test.each(["/v1/widget/acme", "/discovery/v1/widget/acme"])("%s needs a key of the site", async (path) => {
    expect((await ask(path)).status).toBe(200);
    expect((await ask(path, { key: null })).status).toBe(401);
    expect((await ask(path, { key: "docent_dsc_unknown" })).status).toBe(401);
  });

  test("another organization's site is answered for as one that does not exist", async () => {
    const { people } = docent.app.parts;
    const { id } = await people.sites.addOrganization("other");
    await people.sites.add({ domain: "rival", organization: id });
    const { key } = await people.keys.create({ organizationId: id, name: "theirs" });
    const plain = async (reply: Response) => (await reply.text()).replace(/"requestId":"\w+"/, "");
    const foreign = await ask("/v1/widget/acme", { key });
    const missing = await ask("/v1/widget/nowhere", { key });
    expect([foreign.status, await plain(foreign)]).toEqual([404, await plain(missing)]);
  });

  test("pages of any origin, and only those that the site lists where it lists some", async () => {
    const from = (origin: string) => ask("/v1/widget/acme", { headers: { origin } });
    expect((await from("https://a.example")).headers.get("access-control-allow-origin")).toBe(
      "https://a.example",
    );
    await set({ origins: ["https://docs.acme.example"] });
    const refused = await from("https://a.example");
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([403, null]);
    const taken = await from("https://docs.acme.example");
    expect([taken.status, taken.headers.get("access-control-allow-credentials")]).toEqual([200, null]);
    await set({ origins: [] });
  });

  test("it counts to the pages that an organization may read, and not to its messages", async () => {
    const own = await startDocent({ settings: { organization_pages_per_hour: "1" } });
    const status = async () =>
      (await fetch(`${own.url}/v1/widget/acme`, { headers: { authorization: `Bearer ${own.key}` } })).status;
    expect([await status(), await status()]).toEqual([200, 429]);
    expect(
      (await own.post({ fp: "f", messages: [{ id: "1", role: "user", content: "install", parts: [] }] }))
        .status,
    ).toBe(200);
    await own.close();
  });
});

describe("questions to begin with, where the owner has set none", () => {
  let own: TestDocent;
  let now = Date.now();
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), "docent-starters-"));
    const section = (heading: string) => `## ${heading}\n\nThis says how.\n\n`;
    await Bun.write(
      join(folder, "guide/jobs.md"),
      `# Jobs\n\nAll about jobs.\n\n${["Overview", "Submit a job", "Stopping a job", "Why is my job late?", "See also"].map(section).join("")}`,
    );
    await Bun.write(join(folder, "plain.md"), "# Using acme\n\nNo sections here.\n");
    own = await startDocent({ docs: folder, clock: () => now });
    await rm(folder, { recursive: true });
  });
  afterAll(() => own.close());

  const starters = async (path?: string) => {
    const query = path === undefined ? "" : `?path=${encodeURIComponent(path)}`;
    const headers = { authorization: `Bearer ${own.key}` };
    const reply = await fetch(`${own.url}/v1/widget/acme${query}`, { headers });
    return widgetShape.parse(await reply.json()).starterQuestions;
  };

  test("are what the sections of the reader's page answer", async () => {
    const asked = ["How do I submit a job?", "How do I stop a job?", "Why is my job late?"];
    expect(await starters("/guide/jobs")).toEqual(asked);
    expect(await starters("/guide/jobs.html")).toEqual(asked);
  });

  test("are from the titles of the site where the page has no such section, or is unknown", async () => {
    for (const path of ["/plain", "/nowhere", undefined])
      expect(await starters(path)).toEqual(["How do I use acme?"]);
  });

  test("are also what several readers asked, and never what one or two did", async () => {
    const asks = (fp: string, content: string) =>
      own
        .post({ fp, messages: [{ id: `${fp}${content}`, role: "user", content, parts: [] }] })
        .then((reply) => reply.text());
    for (const fp of ["ann", "bob"]) await asks(fp, "How late is a job at most?");
    for (const fp of ["ann", "bob"]) await asks(fp, "When is my job late?");
    now += 24 * 3600_000;
    await asks("cy", "When is my job late?");
    expect(await starters("/guide/jobs")).toEqual([
      "How do I submit a job?",
      "How do I stop a job?",
      "When is my job late?",
      "Why is my job late?",
    ]);
  });

  test("are the owner's alone as soon as there are any", async () => {
    await own.app.parts.people.sites.set("acme", { settings: { starterQuestions: ["What is new?"] } });
    expect(await starters("/guide/jobs")).toEqual(["What is new?"]);
  });
});

test("the versions and languages of the pages are told, and follow a new generation", async () => {
  const { sources, people } = docent.app.parts;
  const site = await people.sites.get("acme");
  const folder = `${import.meta.dir}/../fixtures/docs`;
  await sources.ingest.run({
    source: { siteId: site.id, kind: "folder", location: `${folder}/guide`, version: "2.0", language: "de" },
    reader: sources.readFolder(`${folder}/guide`),
    generation: site.generation,
    signal: new AbortController().signal,
  });
  expect(await told()).toMatchObject({ versions: ["2.0"], languages: ["de"] });
});
