import { describe, expect, test } from "bun:test";
import { linkSecret, nextPath, signInPath } from "../../../src/faces/dashboard/sign-in/sign-in-page.tsx";

describe("where signing in leads", () => {
  test("a path of the app is gone back to, with its query", () => {
    expect(nextPath("/dashboard/Acme/docs.acme/gaps?state=open")).toBe(
      "/dashboard/Acme/docs.acme/gaps?state=open",
    );
  });

  test("nothing, or the page to sign in at, leads home", () => {
    for (const asked of [null, "", "/", "/sign-in", "/sign-in?next=/members"])
      expect(nextPath(asked)).toBe("/");
  });

  test("no address of elsewhere is followed, however it is written", () => {
    const addresses = [
      "https://evil.example/",
      "//evil.example",
      "///evil.example",
      "/\\evil.example",
      "\\\\evil.example",
      "/\t/evil.example",
      "/\n//evil.example",
      "javascript:alert(1)",
      "data:text/html,x",
      "evil.example",
      "@evil.example",
      "/.//evil.example",
      "/x/..//evil.example",
      " //evil.example",
    ];
    for (const asked of addresses) expect({ asked, next: nextPath(asked) }).toEqual({ asked, next: "/" });
  });

  test("the page that was asked for comes back from the address of the page to sign in at", () => {
    const asked = "/dashboard/A%26B/docs/conversations?text=a%20b&outcome=answered";
    const query = new URLSearchParams(signInPath(asked).split("?")[1]);
    expect(nextPath(query.get("next"))).toBe(asked);
    expect(signInPath("/")).toBe("/sign-in");
  });

  test("the secret of a link is what stands behind the #", () => {
    expect(linkSecret("#link=abc")).toBe("abc");
    for (const hash of ["", "#", "#link=", "#other=abc"]) expect(linkSecret(hash)).toBeUndefined();
  });
});
