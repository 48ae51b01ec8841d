import { describe, expect, test } from "bun:test";
import { matchRoute, segmentsOf } from "../../../src/faces/dashboard/route-match.ts";

describe("a path is compared with patterns", () => {
  test("what is variable is handed over, decoded", () => {
    const path = segmentsOf("/dashboard/N%C3%B8rd%20%2F%20S%C3%B8n/docs.acme/gaps");
    expect(matchRoute("/dashboard/:organization/:domain/gaps", path)).toEqual({
      organization: "Nørd / Søn",
      domain: "docs.acme",
    });
  });

  test("a path that is longer, shorter or other does not fit", () => {
    for (const path of ["/dashboard/a", "/dashboard/a/b/gaps/c", "/dashboard/a/b/answers", "/", "/members"])
      expect(matchRoute("/dashboard/:organization/:domain/gaps", segmentsOf(path))).toBeUndefined();
  });

  test("a star is the rest, which may be nothing", () => {
    expect(matchRoute("/a/:b/*", segmentsOf("/a/1/x/y"))).toEqual({ b: "1", "*": "x/y" });
    expect(matchRoute("/a/:b/*", segmentsOf("/a/1"))).toEqual({ b: "1", "*": "" });
    expect(matchRoute("/a/:b/*", segmentsOf("/a"))).toBeUndefined();
  });

  test("the top is matched by nothing but the top", () => {
    expect(matchRoute("/", segmentsOf("/"))).toEqual({});
    expect(matchRoute("/", segmentsOf("/x"))).toBeUndefined();
  });

  test("what cannot be decoded stands as it was written", () => {
    expect(segmentsOf("/a/%E0%A4%A/b%20c")).toEqual(["a", "%E0%A4%A", "b c"]);
  });
});
