import { describe, expect, test } from "bun:test";
import { analyze } from "../../../src/finding/search/analyze.ts";
import {
  areOfOneProduct,
  productNames,
  withoutNames,
} from "../../../src/finding/search/asking/product-names.ts";
import { readOrdinaryWords } from "../../../src/finding/search/relevance/relevance.ts";
import { publishedTexts } from "../../helpers/published-docs.ts";

const ordinary = await readOrdinaryWords();
const namesIn = (terms: string[], passages: number, of: Record<string, number>) => [
  ...productNames(terms, { passages, of: new Map(Object.entries(of)) }, ordinary),
];

describe("the product's own name", () => {
  test("is what half of the passages have and no other text: neither a frequent word nor a number", () => {
    const of = { meterl: 600, set: 700, "1": 800, mqtt: 200 };
    expect(namesIn(["meterl", "set", "1", "mqtt", "kafka"], 1000, of)).toEqual(["meterl"]);
  });

  test("is what nearly all have where there are few passages", () => {
    expect(namesIn(["meterl", "sudo"], 6, { meterl: 6, sudo: 4 })).toEqual(["meterl"]);
  });

  test("is left out of a question where it stands by itself, and nowhere else", () => {
    const names = new Set(analyze("Meterling"));
    expect(withoutNames("Can Meterling's charts show Meterling data?", names)).toBe("Can charts show data?");
    expect(withoutNames("what does meterling-export do in meterling.toml", names)).toBe(
      "what does meterling-export do in meterling.toml",
    );
  });

  test("stays in a question that asks about nothing else", () => {
    expect(withoutNames("What is Meterling?", new Set(analyze("Meterling")))).toBe("What is Meterling?");
  });
});

test("docs are of one product where half of all passages have a name that a few of those looked at have", async () => {
  const texts = ["Meterling draws charts.", "Set the meter.", "Meterling uses MQTT.", "Open MQTT."];
  const isOfOne = (meterl: number, some = texts) => {
    const of = new Map([
      ["meterl", meterl],
      ["mqtt", 200],
      ["the", 900],
    ]);
    return areOfOneProduct(some, { passages: 1000, frequencies: async () => of }, ordinary);
  };
  expect(await isOfOne(600)).toBe(true);
  expect(await isOfOne(400)).toBe(false);
  expect(await isOfOne(600, [])).toBe(false);
});

test("the product's name makes a question neither more relevant nor less", async () => {
  using docs = await publishedTexts([
    "Meterling draws charts of readings.",
    "Install Meterling with the package.",
    "Meterling alerts by mail.",
  ]);
  const [named, plain] = [
    "How do I install Meterling with the package?",
    "How do I install it with the package?",
  ];
  expect(await docs.relevanceOf(named)).toBeCloseTo(await docs.relevanceOf(plain), 6);
  expect(await docs.relevanceOf("Does Meterling predict the weather?")).toBeLessThan(0.2);
});

test("in docs of many passages, of which each has it, too", async () => {
  using docs = await publishedTexts(
    Array.from({ length: 120 }, (_, at) => `Meterling reads meter ${at} and draws its chart.`),
  );
  const [named, plain] = ["Can Meterling draw the weather chart?", "Can it draw the weather chart?"];
  expect(await docs.relevanceOf(named)).toBeCloseTo(await docs.relevanceOf(plain), 6);
});
