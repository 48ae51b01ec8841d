import { expect, test } from "bun:test";
import { keptCookies } from "../../src/doors/sign-in/kept-cookie.ts";
import { createKeptStates } from "../../src/people/identity/kept-state.ts";
import { fakeClock } from "../helpers/fake-clock.ts";
import { memoryOnce } from "../helpers/memory-once.ts";

const KEPT = {
  provider: "company",
  purpose: "member",
  state: "s".repeat(33),
  nonce: "n".repeat(33),
  codeVerifier: "v".repeat(66),
  returnTo: "/",
} as const;

function open(publicUrl: string, basePath = "") {
  const states = createKeptStates({ secret: "secret", clock: fakeClock().clock, once: memoryOnce() });
  return keptCookies(publicUrl, basePath, states);
}

const asks = (cookie: string) => new Request("http://docent/", { headers: { cookie } });

test("over https nothing beside the host can plant what a browser keeps: the name says so to browsers", () => {
  const [given = ""] = open("https://docs.example.com").give(asks(""), KEPT);
  expect(given).toMatch(
    /^__Host-docent_sign_in_ssssssssssss=\S+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  );
  const [below = ""] = open("https://docs.example.com/docent", "/docent").give(asks(""), KEPT);
  expect(below).toMatch(
    /^__Secure-docent_sign_in_s+=\S+; Max-Age=600; Path=\/docent; HttpOnly; SameSite=Lax; Secure$/,
  );
});

test("a cookie is read for its own state alone", () => {
  const cookies = open("http://127.0.0.1");
  const [given = ""] = cookies.give(asks(""), KEPT);
  const sent = asks(given.split(";")[0] ?? "");
  expect(cookies.read(sent, KEPT.state)).toMatchObject(KEPT);
  for (const state of ["", `${KEPT.state}s`, `${"s".repeat(12)}x`, "other"])
    expect(cookies.read(sent, state)).toBeUndefined();
});
