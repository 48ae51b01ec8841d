import { describe, expect, test } from "bun:test";
import { createUnwrapper } from "../../../src/answering/answer/reply/wrapped-answer.ts";

function unwrapped(written: string): string {
  const read = (pieces: readonly string[]) => {
    const unwrapper = createUnwrapper();
    return pieces.map((piece) => unwrapper.write(piece)).join("") + unwrapper.end();
  };
  const said = read([written]);
  expect(read([...written])).toBe(said);
  for (let at = 1; at < written.length; at++)
    expect(read([written.slice(0, at), written.slice(at)])).toBe(said);
  return said;
}

describe("the fence around a whole answer goes, and code within stays in its own", () => {
  test.each([
    ["an answer", "```markdown\nRun it [1].\n```", "Run it [1].\n"],
    ["one that cites nothing", "```md\n# Install\n\nRun it.\n```\n", "# Install\n\nRun it.\n"],
    [
      "with code",
      "```markdown\nRun:\n\n```sh\nacme up\n```\n\nDone [1].\n```",
      "Run:\n\n```sh\nacme up\n```\n\nDone [1].\n",
    ],
    [
      "with code of no language",
      "```markdown\nRun [1]:\n```\nacme up\n```\nDone.\n```",
      "Run [1]:\n```\nacme up\n```\nDone.\n",
    ],
    ["with a longer fence", "````markdown\n```sh\nacme up\n```\n````", "```sh\nacme up\n```\n"],
    ["of tildes", "~~~markdown\nRun it.\n~~~", "Run it.\n"],
    ["that is never closed", "```markdown\nRun it [1].\nDo", "Run it [1].\nDo"],
    [
      "and words behind it, where it cites",
      "```markdown\nRun it [1].\n```\n\nAsk me more.",
      "Run it [1].\n\nAsk me more.",
    ],
  ])("%s", (_, written, said) => {
    expect(unwrapped(written)).toBe(said);
  });
});

describe("what is no wrapped answer stays", () => {
  test.each([
    ["an example of Markdown", "```markdown\n# Title\n```\n\nPut this into README.md [1]."],
    ["code first", "```sh\nacme up\n```\n\nDone [1]."],
    ["code of no language first", "```\nacme up\n```"],
    ["words first", "Write this:\n\n```markdown\n# Title\n```"],
    ["white space", "  \n"],
    ["marks", "``a`` b"],
  ])("%s", (_, written) => {
    expect(unwrapped(written)).toBe(written);
  });
});

test("an answer in a fence is told from where it cites on", () => {
  const unwrapper = createUnwrapper();
  expect(unwrapper.write("```markdown\nRun")).toBe("");
  expect(unwrapper.write(" it [1]")).toBe("Run it [1]");
  expect(unwrapper.write(" and")).toBe(" and");
});
