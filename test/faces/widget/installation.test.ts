import { describe, expect, test } from "bun:test";
import { readInstallation } from "../../../src/faces/widget/installation.ts";
import { DEFAULT_LOOK, mergeLooks, readLook } from "../../../src/faces/widget/look/look.ts";

const SCRIPT = "https://docent.example.com/help/widget.js?v=1";
const PAGE = "https://docs.acme.example/guide/";
const NEEDED = { domain: "acme", key: "docent_dsc_x" };
const read = (more: Record<string, string> = {}) => readInstallation({ ...NEEDED, ...more }, SCRIPT, PAGE);

describe("the script's tag", () => {
  test("the server is where the script is from, with the prefix that it has there", () => {
    expect(read()?.server).toBe("https://docent.example.com/help/");
  });

  test("data-server names another one", () => {
    expect(read({ server: "https://other.example/docent" })?.server).toBe("https://other.example/docent/");
    expect(read({ server: "/docent/" })?.server).toBe("https://docs.acme.example/docent/");
  });

  test.each([
    ["no domain", { domain: "" }],
    ["no key", { key: "" }],
    ["a server that is no address of the web", { server: "javascript:alert(1)" }],
  ])("%s: nothing is installed", (_, more) => {
    expect(read(more)).toBeUndefined();
  });

  test("the hotkey can be changed, and turned off", () => {
    expect(read()?.hotkey).toBe("i");
    expect(read({ hotkey: "mod+J" })?.hotkey).toBe("j");
    expect(read({ hotkey: "/" })?.hotkey).toBe("/");
    expect(read({ hotkey: "off" })?.hotkey).toBeUndefined();
  });

  test("words, questions and colours are read from the attributes", () => {
    const look = read({
      starters: "How do I begin? | | What does it cost?",
      labelSend: "Senden",
      labelNewConversation: "Neu",
      labelNothing: "x",
      accent: "#E11D48",
      radius: "8",
      askAboutCode: "off",
    })?.look;
    expect(look).toEqual({
      starterQuestions: ["How do I begin?", "What does it cost?"],
      labels: { send: "Senden", newConversation: "Neu" },
      accent: [225, 29, 72],
      radius: 8,
      askAboutCode: false,
    });
  });

  test("an element to go into makes it inline", () => {
    expect(read({ target: "#ask" })?.look.variant).toBe("inline");
    expect(read({ target: "#ask", variant: "modal" })?.look.variant).toBe("modal");
  });
});

describe("a look", () => {
  test.each([
    ["theme", "neon"],
    ["variant", "popup"],
    ["position", "top"],
    ["accent", "red;} * { display: none"],
    ["radius", "wide"],
    ["radius", Number.NaN],
    ["logo", "javascript:alert(1)"],
    ["logo", "data:text/html,<script>"],
    ["starterQuestions", "one"],
    ["askAboutSelection", "perhaps"],
    ["labels", null],
  ])("%s: %p means nothing, and nothing is taken from it", (name, value) => {
    expect(readLook({ [name]: value }, PAGE)).toEqual({});
  });

  test("a radius has bounds", () => {
    expect(readLook({ radius: "900" }, PAGE).radius).toBe(24);
    expect(readLook({ radius: -4 }, PAGE).radius).toBe(0);
  });

  test("the page's word counts more than the site's, label by label", () => {
    const site = readLook({ theme: "dark", radius: 4, labels: { send: "Go", stop: "Halt" } }, PAGE);
    const page = readLook({ theme: "light", labels: { send: "Off" } }, PAGE);
    expect(mergeLooks(site, page)).toEqual({
      ...DEFAULT_LOOK,
      theme: "light",
      radius: 4,
      labels: { send: "Off", stop: "Halt" },
    });
  });

  test("a logo begins at the server that tells of it, or the page that names it", () => {
    expect(readLook({ logo: "/logo.svg" }, PAGE).logo).toBe("https://docs.acme.example/logo.svg");
    expect(readLook({ logo: "" }, PAGE).logo).toBe("");
  });
});
