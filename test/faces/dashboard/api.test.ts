import { describe, expect, test } from "bun:test";
import { createApi, withQuery } from "../../../src/faces/dashboard/api.ts";
import { ApiError, faultOf } from "../../../src/faces/dashboard/api-error.ts";
import { fakeServer, refusal, rejection } from "../../helpers/dashboard-server.ts";

const nobody = async () => false;

describe("the API, as pages use it", () => {
  test("bodies go as JSON below the base path, and replies come back as values", async () => {
    const server = fakeServer(() => ({ status: 201, body: { domain: "docs" } }));
    const api = createApi({ base: "/docent", fetch: server.fetch, signInAgain: nobody });
    expect(await api.post<unknown>("/v1/admin/sites", { domain: "docs" })).toEqual({ domain: "docs" });
    expect(server.asked).toEqual([
      { method: "POST", path: "/docent/v1/admin/sites", body: { domain: "docs" } },
    ]);
  });

  test("a reply without a body is undefined", async () => {
    const api = createApi({
      base: "",
      fetch: fakeServer(() => ({ status: 204 })).fetch,
      signInAgain: nobody,
    });
    expect(await api.delete("/v1/admin/members/1")).toBeUndefined();
  });

  test("a query leaves out what is not given, and keeps what is false or nought", () => {
    expect(withQuery("/a", { text: "b & c", none: undefined, empty: "", flag: false, count: 0 })).toBe(
      "/a?text=b+%26+c&flag=false&count=0",
    );
    expect(withQuery("/a", {})).toBe("/a");
  });

  test("a refusal rejects with what the server said, field by field", async () => {
    const details = [{ path: "name", message: "must be one line" }];
    const answer = refusal(400, "invalid_request", "name: must be one line", details);
    const api = createApi({ base: "", fetch: fakeServer(() => answer).fetch, signInAgain: nobody });
    const error = await rejection(api.post("/v1/admin/members", {}));
    if (!(error instanceof ApiError)) throw error;
    expect(error).toMatchObject({ status: 400, code: "invalid_request", requestId: "request-1" });
    expect(faultOf(error, "name")).toBe("Must be one line.");
    expect(faultOf(error, "role")).toBeUndefined();
  });

  test("a proxy's page for an error is told by its status, and none of it is shown", async () => {
    const fetch = async () =>
      new Response("<h1>Bad gateway</h1>", { status: 502, headers: { "content-type": "text/html" } });
    const error = await rejection(createApi({ base: "", fetch, signInAgain: nobody }).get("/v1/admin/sites"));
    expect(error).toMatchObject({ status: 502, message: "The server answered with 502." });
  });

  test("a server that is not there is told as that, with what to do", async () => {
    const fetch = () => Promise.reject(new TypeError("Failed to fetch"));
    const error = await rejection(createApi({ base: "", fetch, signInAgain: nobody }).get("/v1/admin/sites"));
    expect(error).toMatchObject({ status: 0, code: "offline" });
  });

  test("a session that ended: what was refused is sent once more after signing in", async () => {
    let isSignedIn = false;
    const server = fakeServer(() =>
      isSignedIn ? { status: 200, body: "saved" } : refusal(401, "unauthorized", "You are signed out."),
    );
    const signInAgain = async () => {
      isSignedIn = true;
      return true;
    };
    const api = createApi({ base: "", fetch: server.fetch, signInAgain });
    expect(await api.patch<string>("/v1/admin/sites/docs", { name: "Docs" })).toBe("saved");
    expect(server.asked.map(({ body }) => body)).toEqual([{ name: "Docs" }, { name: "Docs" }]);
  });

  test("who does not sign in again, or is refused again, learns of the refusal", async () => {
    const server = fakeServer(() => refusal(401, "unauthorized", "You are signed out."));
    for (const answer of [false, true]) {
      const api = createApi({ base: "", fetch: server.fetch, signInAgain: async () => answer });
      expect(await rejection(api.get("/v1/admin/sites"))).toMatchObject({ status: 401 });
    }
    expect(server.asked.length).toBe(3);
  });

  test("a wrong password is no session that ended", async () => {
    let asked = 0;
    const signInAgain = async () => {
      asked += 1;
      return true;
    };
    const server = fakeServer(() => refusal(401, "unauthorized", "They do not belong together."));
    const api = createApi({ base: "", fetch: server.fetch, signInAgain });
    await rejection(api.post("/v1/session", { name: "a", password: "b" }));
    await rejection(api.put("/v1/session/link", { link: "a", password: "b" }));
    await rejection(api.get("/v1/session"));
    expect({ asked, requests: server.asked.length }).toEqual({ asked: 0, requests: 3 });
    await rejection(api.get("/v1/session/sessions"));
    expect(asked).toBe(1);
  });

  test("what is stopped rejects as stopped, not as a server that is away", async () => {
    const controller = new AbortController();
    const server = fakeServer(() => {
      controller.abort();
      return { status: 200, body: 1 };
    });
    const api = createApi({ base: "", fetch: server.fetch, signInAgain: nobody });
    expect(await rejection(api.get("/v1/x", { signal: controller.signal }))).toMatchObject({
      name: "AbortError",
    });
  });
});
