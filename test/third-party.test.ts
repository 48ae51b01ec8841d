import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { PACKAGES_FILE, THIRD_PARTY_FILE } from "../scripts/docs.ts";
import { PERMISSIVE, packagesText, readCarried, thirdPartyText } from "../scripts/third-party.ts";

describe("what the binary carries of others", () => {
  test("may be carried in a program of another licence", async () => {
    const carried = await readCarried();
    expect(carried.map(({ name }) => name)).toEqual(expect.arrayContaining(["elysia", "react-dom", "zod"]));
    expect(carried.filter(({ license }) => !PERMISSIVE.includes(license))).toEqual([]);
  });

  test("is told by `docent licenses` as it is: `make docs` writes it", async () => {
    expect(await Bun.file(join(import.meta.dir, "..", THIRD_PARTY_FILE)).text()).toBe(await thirdPartyText());
  });

  test("is in bills of materials, each with the digest that the lock file has: `make docs` writes it", async () => {
    const text = await Bun.file(join(import.meta.dir, "..", PACKAGES_FILE)).text();
    expect(text).toBe(await packagesText());
    const listed: { name: string; sha512?: string }[] = JSON.parse(text);
    expect(listed.filter(({ sha512 }) => sha512 === undefined).map(({ name }) => name)).toEqual(["bun"]);
  });
});
