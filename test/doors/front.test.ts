import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import * as serverModule from "../../src/doors/server.ts";
import { startDocent, type TestDocent } from "../helpers/docent.ts";

let docent: TestDocent;
const made = spyOn(serverModule, "createServer");
beforeEach(async () => {
  docent = await startDocent({ settings: { base_path: "/docs", metrics: "on" } });
  made.mockClear();
});
afterEach(() => docent.close());

const ask = (path: string, init: RequestInit = {}) => fetch(docent.url + path, init);

async function said(reply: Response) {
  const { headers } = reply;
  const requestId = headers.get("x-request-id")?.length;
  return { status: reply.status, type: headers.get("content-type"), requestId, body: await reply.text() };
}

test("a server that is only asked how it is opens no doors, and answers as it does when they are open", async () => {
  const probes = ["/health/live", "/health/ready", "/health/ready?from=probe"];
  const before = await Promise.all(probes.map(async (path) => said(await ask(path))));
  expect(made).not.toHaveBeenCalled();
  expect(before[1]).toMatchObject({ status: 200, body: '{"status":"ok"}' });
  await ask("/openapi.json");
  expect(made).toHaveBeenCalledTimes(1);
  expect(await Promise.all(probes.map(async (path) => said(await ask(path))))).toEqual(before);
});

test("the first requests, however many come at once, open the doors once, and each gets its own answer", async () => {
  const paths = ["/openapi.json", "/health/ready", "/sign-in", "/nothing-here", "/v1/session", "/widget.js"];
  const replies = await Promise.all(paths.map((path) => ask(path)));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 404, 401, 200]);
  expect(made).toHaveBeenCalledTimes(1);
});

test.each<[string, RequestInit, object]>([
  ["with HEAD", { method: "HEAD" }, { status: 200, body: "" }],
  ["with POST", { method: "POST" }, { status: 405 }],
  ["from a page of another origin", { headers: { origin: "https://elsewhere.example" } }, { vary: "Origin" }],
])("whoever asks how it is %s is answered at the doors", async (_, init, expected) => {
  const reply = await ask("/health/ready", init);
  const { status, headers } = reply;
  const told = { status, vary: headers.get("vary"), body: await reply.text() };
  expect(told).toMatchObject(expected);
  expect(headers.has("access-control-allow-origin")).toBe(false);
  expect(made).toHaveBeenCalledTimes(1);
});

test("what was asked before the doors were open is counted as what comes after", async () => {
  await ask("/health/ready");
  await ask("/health/ready");
  const measured = await (await ask("/metrics")).text();
  expect(measured).toMatch(/^docent_http_requests_total\{.*route="\/health\/ready".*\} 2$/m);
});

test("doors that cannot be opened are said to be so, without why, which is in the log", async () => {
  const broken = await startDocent({ expectErrors: true });
  made.mockImplementationOnce(() => {
    throw new Error("a secret of the machine");
  });
  const reply = await fetch(`${broken.url}/sign-in`);
  const body = await reply.text();
  expect([reply.status, body]).toEqual([500, "Docent could not open its doors: its log says why.\n"]);
  expect((await fetch(`${broken.url}/health/ready`)).status).toBe(200);
  await broken.close();
  expect(broken.logged.filter((line) => line.includes("a secret of the machine"))).toHaveLength(1);
});
