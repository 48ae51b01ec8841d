import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { LaterParts } from "../../../src/faces/widget/later.ts";
import { chooseLanguage, createTranslation } from "../../../src/faces/widget/translation.ts";
import { directionOf, spokenLanguage } from "../../../src/kernel/text/languages.ts";
import { registerDom } from "../../helpers/dom.ts";

let leave: () => Promise<void>;
beforeAll(() => {
  leave = registerDom();
});
afterAll(() => leave());
afterEach(() => {
  document.documentElement.lang = "";
});

const languageNow = (lang: string) => {
  document.documentElement.lang = lang;
};

/** A server with labels in German, and none in French. */
function labelsFrom(asked: string[]): Pick<LaterParts, "labels"> {
  return {
    async labels(language) {
      asked.push(language);
      if (language !== "de") throw new Error("offline");
      return { labels: { send: "Senden", stop: "Anhalten" } };
    },
  };
}

test.each([
  ["de-AT", "de"],
  ["ZH-cn", "zh"],
  ["zh-TW", "zh-Hant"],
  ["zh-Hant-HK", "zh-Hant"],
  ["pt-PT", "pt-BR"],
  ["en-GB", "en"],
  ["fr_CA", "fr"],
  ["tlh", undefined],
  ["", undefined],
])("%s is read as %p", (tag, language) => expect(spokenLanguage(tag)).toBe(language as never));

test("languages that are written from right to left are known", () => {
  expect(["ar-EG", "he", "fa", "de", "zh"].map(directionOf)).toEqual(["rtl", "rtl", "rtl", "ltr", "ltr"]);
});

test("the first language that there are labels in is chosen, and English where there is none", () => {
  expect(chooseLanguage([undefined, "el", "fr-CH", "de"])).toBe("fr");
  expect(chooseLanguage([undefined, "el"])).toBe("en");
});

test("the tag's word counts more than the page's, and the page's more than the browser's", async () => {
  const asked: string[] = [];
  languageNow("fr");
  await createTranslation("de", labelsFrom(asked)).follow();
  await createTranslation(undefined, labelsFrom(asked)).follow();
  expect(asked).toEqual(["de", "fr"]);
});

test("nothing is loaded for English", () => {
  languageNow("en");
  expect(createTranslation(undefined, labelsFrom([])).follow()).toBeUndefined();
});

test("the owner's words stand in the place of ours, and an empty one does not", async () => {
  languageNow("de");
  const translation = createTranslation(undefined, labelsFrom([]));
  expect(await translation.follow()).toBe(true);
  const say = translation.say({ send: "Los", stop: "" });
  expect([say("send"), say("stop"), translation.language()]).toEqual(["Los", "Anhalten", "de"]);
});

test("what cannot be had is said in English, and asked for once", async () => {
  const asked: string[] = [];
  languageNow("fr");
  const translation = createTranslation(undefined, labelsFrom(asked));
  expect(await translation.follow()).toBe(false);
  expect(translation.follow()).toBeUndefined();
  expect([translation.language(), translation.say({})("send"), asked]).toEqual(["en", "Send", ["fr"]]);
});

test("a page that changes its language is followed, and what comes too late is passed over", async () => {
  languageNow("de");
  const translation = createTranslation(undefined, labelsFrom([]));
  const late = translation.follow();
  languageNow("en");
  void translation.follow();
  expect(await late).toBe(false);
  expect(translation.language()).toBe("en");
  languageNow("de");
  expect(await translation.follow()).toBe(true);
  languageNow("en");
  expect(await translation.follow()).toBe(true);
  expect(translation.say({})("send")).toBe("Send");
});
