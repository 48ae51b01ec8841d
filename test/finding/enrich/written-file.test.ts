import { describe, expect, test } from "bun:test";
import { readWrittenLines } from "../../../src/finding/enrich/enrich.ts";

const line = (change: object) =>
  JSON.stringify({ page: "guide", headings: ["Keys"], questions: ["How do I swap it?"], ...change });
const passage = (key: string, path = "guide", headings = ["Keys"]) => ({ key, path, headings });

describe("a file of questions for passages", () => {
  test("gives a line with a hash to that content alone, wherever it stands", () => {
    const lines = readWrittenLines(line({ hash: "abc" }));
    expect(lines.of(passage("abc", "elsewhere", []))?.questions).toEqual(["How do I swap it?"]);
    expect(lines.of(passage("other"))).toBeUndefined();
  });

  test("gives a line without one to the passage at that page and heading, as people write it", () => {
    const lines = readWrittenLines(line({ page: "/guide/" }));
    expect(lines.of(passage("any"))?.words).toEqual([]);
    expect(lines.of(passage("any", "guide", ["Other"]))).toBeUndefined();
  });

  test("gives it to a page of that name, too, whose address ends in an extension", () => {
    const lines = readWrittenLines([line({}), line({ page: "a.html" })].join("\n"));
    expect(lines.of(passage("any", "guide.html"))?.page).toBe("guide");
    expect(lines.of(passage("any", "a"))).toBeUndefined();
  });

  test("has nothing of lines without questions; of two lines for the same, the later one", () => {
    const lines = readWrittenLines(
      [
        line({ hash: "a" }),
        "",
        line({ hash: "a", questions: ["Later?"] }),
        line({ hash: "b", questions: [] }),
      ].join("\n"),
    );
    expect(lines.count).toBe(2);
    expect(lines.of(passage("a"))?.questions).toEqual(["Later?"]);
    expect(lines.of(passage("b"))).toBeUndefined();
  });

  test("names the lines that cannot be read, and takes the others", () => {
    const lines = readWrittenLines(
      ["no JSON", line({}), '{"page": 1}', line({ questions: "one" })].join("\n"),
    );
    expect(lines.unreadable).toEqual([1, 3, 4]);
    expect(lines.count).toBe(1);
  });
});
