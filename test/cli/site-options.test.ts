import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createWorkplace, type Workplace } from "../helpers/program.ts";

let place: Workplace;
beforeAll(() => {
  place = createWorkplace();
});
afterAll(() => place.dispose());

const settings = async () => JSON.parse((await place.run("sites", "list", "--json")).out)[0].settings;

test("a site's model, measures, limit and widget are set, changed one by one, and left to the server again", async () => {
  writeFileSync(join(place.folder, "look.json"), JSON.stringify({ theme: "dark", labels: { open: "Frag" } }));
  const added = await place.run(
    "sites",
    "add",
    "acme",
    "--site-model",
    "llama3.2",
    "--site-relevance-min",
    "0.5",
    "--page-size",
    "8",
    "--site-curated-min",
    "0",
    "--hourly-messages",
    "100",
    "--enrichment",
    "prepare",
    "--golden-questions",
    "require",
    "--chat",
    "channel",
    "--widget-file",
    "look.json",
  );
  expect(added.code, added.err).toBe(0);
  expect(await settings()).toMatchObject({
    model: "llama3.2",
    relevanceMin: 0.5,
    curatedMin: 0,
    pageSize: 8,
    hourlyMessages: 100,
    enrichment: "prepare",
    goldenQuestions: "require",
    chat: "channel",
    widget: { theme: "dark", accent: "#2456c9", labels: { open: "Frag" } },
  });
  await place.run(
    "sites",
    "set",
    "acme",
    "--site-model",
    "",
    "--site-answer-when",
    "cautious",
    "--widget",
    '{"accent": "#ff8800"}',
  );
  expect(await settings()).toMatchObject({
    model: "",
    answerWhen: "cautious",
    relevanceMin: null,
    curatedMin: 0,
    pageSize: 8,
    widget: { theme: "dark", accent: "#ff8800", labels: { open: "Frag" } },
  });
});

test("that a site moved here is said and taken back, and stays as it is where nothing is said", async () => {
  const movedAfter = async (...words: string[]) =>
    JSON.parse((await place.run("sites", "set", "acme", ...words, "--json")).out).settings.movedFromHosted;
  expect(await movedAfter("--moved-from-hosted", "on")).toBe(true);
  expect(await movedAfter("--name", "Acme")).toBe(true);
  expect(await movedAfter("--moved-from-hosted", "off")).toBe(false);
});

test("what cannot be is refused with its reason", async () => {
  await place.run("sites", "add", "other");
  for (const [words, reason] of [
    [["--site-relevance-min", "1.5"], "--site-relevance-min is a number from 0 to 1, or server, not 1.5."],
    [["--moved-from-hosted", "yes"], "--moved-from-hosted is on or off, not yes."],
    [["--enrichment", "yes"], "--enrichment is off, prepare or on, not yes."],
    [["--page-size", "many"], "--page-size is a number, not many."],
    [["--page-size", "21"], "pageSize: "],
    [["--site-model", "two words"], "model: must be the name of a model"],
    [["--widget", "theme=dark"], "has to be a JSON object"],
    [["--widget", "[]"], "has to be a JSON object"],
    [["--widget", '{"them": "dark"}'], "them"],
    [["--widget", '{"accent": "red;}"}'], "widget.accent: must be a colour"],
    [["--widget", "{}", "--widget-file", "x"], "are two ways to say one thing"],
    [["--widget-file", "missing.json"], "There is no file missing.json."],
  ] as const) {
    const { code, err } = await place.run("sites", "set", "other", ...words);
    expect({ words, code: code !== 0, said: err.includes(reason) ? reason : err }).toEqual({
      words,
      code: true,
      said: reason,
    });
  }
});

test("links and words around the reader site are set, and taken back", async () => {
  const settingsAfter = async (...words: string[]) => {
    const { headerLinks, footerLinks, footerText } = JSON.parse(
      (await place.run("sites", "set", "acme", ...words, "--json")).out,
    ).settings;
    return { headerLinks, footerLinks, footerText };
  };
  const links = ["--header-link", "Our code https://github.com/acme", "--header-link", "Guide /guide"];
  const headerLinks = [
    { label: "Our code", href: "https://github.com/acme" },
    { label: "Guide", href: "/guide" },
  ];
  expect(await settingsAfter(...links, "--footer-text", "© Acme")).toEqual({
    headerLinks,
    footerLinks: [],
    footerText: "© Acme",
  });
  expect(
    await settingsAfter("--header-link", "none", "--footer-link", "Imprint https://a.example/i"),
  ).toEqual({
    headerLinks: [],
    footerLinks: [{ label: "Imprint", href: "https://a.example/i" }],
    footerText: "© Acme",
  });
  const { code, err } = await place.run("sites", "set", "acme", "--header-link", "Only words");
  expect([code !== 0, err.includes("headerLinks")]).toEqual([true, true]);
});
