import { afterAll, beforeAll, expect, test } from "bun:test";
import { filledPath, readDocument } from "../helpers/api-document.ts";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { addSiteWithPages } from "../helpers/public-site.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "PROPFIND"];

let docent: TestDocent;
beforeAll(async () => {
  docent = await startDocent({ settings: { metrics: "on" } });
  await addSiteWithPages(docent, "open", { "guide.md": "# Guide\n\nText." });
  await docent.app.parts.people.sites.set("open", { hostNames: ["open.example"] });
});
afterAll(() => docent.close());

const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
  fetch(docent.url + path, { method, headers });

test("every documented path says what it answers where the method is another one", async () => {
  const document = readDocument(await (await ask("GET", "/openapi.json")).json());
  const byPath = Map.groupBy(document.operations, (operation) => filledPath(operation, { domain: "acme" }));
  expect(byPath.size).toBeGreaterThan(50);
  for (const [path, operations] of byPath) {
    const known = operations.map(({ method }) => method);
    for (const method of METHODS.filter((each) => !known.includes(each))) {
      for (const prefix of operations[0]?.servers.length === 2 ? ["", "/discovery"] : [""]) {
        const reply = await ask(method, prefix + path);
        const text = await reply.text();
        expect([method, prefix + path, reply.status]).toEqual([method, prefix + path, 405]);
        const allow = reply.headers.get("allow")?.split(", ") ?? [];
        expect(allow).toEqual(expect.arrayContaining(known));
        for (const named of allow)
          expect([path, (await ask(named, prefix + path)).status]).not.toEqual([path, 405]);
        expect(allow).not.toContain(method);
        expect(text).toContain(`"code":"method_not_allowed"`);
      }
    }
  }
});

test("each door says it in its own shape", async () => {
  const error = { message: "This address answers POST alone.", param: null, code: "method_not_allowed" };
  expect(await (await ask("GET", "/v1/chat/completions")).json()).toEqual({
    error: { ...error, type: "invalid_request_error" },
  });
  const message = "This address answers GET, HEAD, POST alone.";
  expect(await (await ask("PUT", "/v1/assistant/acme/message")).json()).toMatchObject({
    error: message,
    message,
    code: error.code,
    requestId: expect.any(String),
  });
});

test("pages of the dashboard, the reader and public texts say it as well", async () => {
  for (const path of [
    "/",
    "/sign-in",
    "/dashboard/x/y",
    "/widget.js",
    "/reference",
    "/sites/open/guide",
    "/metrics",
  ]) {
    const reply = await ask("POST", path);
    expect([path, reply.status, reply.headers.get("allow")]).toEqual([path, 405, "GET, HEAD"]);
  }
  for (const path of ["/llms.txt", "/llms-full.txt", "/guide.md"]) {
    const reply = await ask("DELETE", path, { host: "open.example" });
    expect([path, reply.status, reply.headers.get("allow")]).toEqual([path, 405, "GET, HEAD"]);
  }
});

test("it tells nothing: the same for what is there and what is not, and nothing where a route is hidden", async () => {
  const told = async (method: string, path: string, headers?: Record<string, string>) => {
    const reply = await ask(method, path, headers);
    return [reply.status, reply.headers.get("allow"), (await reply.text()).replace(/"requestId":"\w+"/, "")];
  };
  for (const path of ["/sites/*/guide", "/v1/assistant/*/message", "/v1/admin/sites/*", "/sites/*/llms.txt"])
    for (const method of ["PROPFIND"])
      expect(await told(method, path.replace("*", "acme"))).toEqual(
        await told(method, path.replace("*", "none")),
      );
  const missing = await told("POST", "/none", { host: "open.example" });
  expect(missing[0]).toBe(404);
  const hidden = ["/", "/sign-in", "/dashboard/x", "/sites/acme/guide", "/hidden.md", "/sites/none"];
  for (const path of hidden)
    expect([path, ...(await told("POST", path, { host: "open.example" }))]).toEqual([path, ...missing]);
  expect((await told("POST", "/llms.txt"))[0]).toBe(404);
});
