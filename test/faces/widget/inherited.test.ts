import { expect, test } from "bun:test";
import { readInstallation } from "../../../src/faces/widget/installation.ts";

const SCRIPT = "https://docent.acme.example/widget.js";
const PAGE = "https://docs.acme.example/";
const TAG = { domain: "acme", key: "docent_dsc_x" };

test("what everything on a page inherits is no attribute of the tag: a fault of the page is not made worse", () => {
  const inherited = {
    server: "https://evil.example/",
    query: "q",
    search: "https://evil.example/search",
    getToken: "steal",
    target: "#evil",
  };
  Object.assign(Object.prototype, inherited);
  try {
    expect(readInstallation(TAG, SCRIPT, PAGE)).toMatchObject({
      server: "https://docent.acme.example/",
      query: undefined,
      search: undefined,
      getToken: undefined,
      target: undefined,
    });
  } finally {
    for (const name of Object.keys(inherited)) Reflect.deleteProperty(Object.prototype, name);
  }
});
