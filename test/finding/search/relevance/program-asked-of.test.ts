import { describe, expect, test } from "bun:test";
import { analyze } from "../../../../src/finding/search/analyze.ts";
import { readOrdinaryWords } from "../../../../src/finding/search/relevance/ordinary-words.ts";
import { programAskedOf } from "../../../../src/finding/search/relevance/program-asked-of.ts";
import { gradeOf, RELEVANCE_OF } from "../../../../src/finding/search/relevance/relevance.ts";
import { stagedPage } from "../../../helpers/page-data.ts";
import { publishedDocs } from "../../../helpers/published-docs.ts";

const ordinary = await readOrdinaryWords();
const programIn = (question: string, asked = analyze(question)) =>
  programAskedOf(question, new Set(asked), ordinary);

describe("a question is asked of a program", () => {
  test("in which something is to be done, wherever that is said", () => {
    for (const [question, program] of [
      ["How do I rename a branch in git?", "git"],
      ["In Postgres, how do I copy a table?", "Postgres"],
      ["how do I add a column in MySQL without locking the table", "MySQL"],
      ["What is a slot in Vue 3?", "Vue"],
      ["How do I cache a folder in GitHub Actions?", "GitHub"],
    ] as const)
      expect(programIn(question)).toBe(analyze(program)[0] ?? "");
  });

  test("that stands before a colon", () => {
    expect(programIn("nginx: serve two domains")).toBe("nginx");
    expect(programIn("docker compose: wait for the database")).toBe("docker");
  });

  test("not by a thing, a format, code, or a word of any English text", () => {
    for (const question of [
      "How do I change it in the browser?",
      "How do I print the list in JSON format?",
      "What does the timeout in nginx.conf do?",
      "Where in /etc/nginx is it?",
      "How do I search in files?",
      "Question: how do I start the server?",
    ])
      expect(programIn(question)).toBeUndefined();
  });

  test("not by what a program said of a fault, or by its code", () => {
    for (const question of [
      "RuntimeError: the registry is empty",
      "E12: port busy",
      "nginx: [emerg] a duplicate default server",
    ])
      expect(programIn(question)).toBeUndefined();
  });

  test("not where something of the docs is run in it", () => {
    expect(programIn("Is it ok to run it in Docker?")).toBeUndefined();
    expect(programIn("How large is a file in nginx, and where do I set it?")).toBe("nginx");
  });

  test("not by a word that was searched for as another one", () => {
    expect(programIn("How do I rename a branch in gti?", analyze("rename a branch in git"))).toBeUndefined();
  });
});

describe("how relevant docs are to a question about another program that they name", () => {
  const QUESTION = "In Postgres, how do I copy a table without blocking readers?";
  const WITHOUT = "How do I copy a table of Postgres without blocking readers?";

  /** The relevance of the best passage, in docs of these pages and many others. */
  async function opened(
    others: (at: number) => string,
    says = "Meterling copies a table of Postgres to its own server each night.",
  ) {
    const right = stagedPage("copy", says);
    const pages = Array.from({ length: 120 }, (_, at) => stagedPage(`p${at}`, others(at)));
    const docs = await publishedDocs([right, ...pages]);
    const relevanceOf = async (text: string) => {
      const { hits } = await docs.find(text, { pageSize: 5 });
      return Math.max(0, ...hits.map(({ relevance }) => relevance));
    };
    return { ...docs, relevanceOf };
  }

  test("is less where the docs are of one product", async () => {
    using docs = await opened((at) => `Meterling reads meter ${at} and another server draws its chart.`);
    expect(await docs.relevanceOf(WITHOUT)).toBeGreaterThan(0.5);
    expect(await docs.relevanceOf(QUESTION)).toBeLessThan(0.5);
    const ofProduct = "In Postgres, how do I copy a table of Meterling without blocking readers?";
    expect(await docs.relevanceOf(ofProduct)).toBeGreaterThan(0.5);
  });

  test("is not less where a passage has all of the question, and never so little that nothing is shown", async () => {
    using docs = await opened((at) => `Meterling reads meter ${at} and another server draws its chart.`);
    expect(await docs.relevanceOf("In Postgres, how do I copy a table each night?")).toBeGreaterThan(0.9);
    const { balanced } = RELEVANCE_OF;
    expect(
      [await docs.relevanceOf(WITHOUT), await docs.relevanceOf(QUESTION)].map((each) =>
        gradeOf(each, balanced),
      ),
    ).toEqual(["answers", "touches"]);
  });

  test("is not less in a collection, whose docs may be of that program", async () => {
    const names = ["Meterling", "Kafka", "Redis"];
    using docs = await opened(
      (at) => `${names[at % 3]} reads meter ${at} and another server draws its chart.`,
    );
    expect(await docs.relevanceOf(QUESTION)).toBeGreaterThan(0.5);
  });

  test("is not less in another language, which may say so of anything", async () => {
    using docs = await opened(
      (at) => `Meterling liest den Zähler ${at} und ein anderer Server zeichnet seine Kurve.`,
      "Meterling kopiert jede Nacht eine Tabelle, die in Postgres ist.",
    );
    expect(await docs.relevanceOf("Wie kopiert man jede ganze Tabelle in Postgres?")).toBeGreaterThan(0.9);
  });
});
