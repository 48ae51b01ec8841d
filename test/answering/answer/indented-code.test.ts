import { describe, expect, test } from "bun:test";
import { createListMender } from "../../../src/answering/answer/write/mended-lists.ts";
import { linkedAnswer } from "../../helpers/linked-answer.ts";

const LINK = "[[1]](https://docs.example/install#linux)";

function mended(text: string, pieceLength = text.length): string {
  const mender = createListMender();
  let said = "";
  for (let at = 0; at < text.length; at += pieceLength)
    said += mender.write(text.slice(at, at + pieceLength));
  return said + mender.end();
}

describe("code that is told by its indent alone has a fence, and stays as it is", () => {
  test.each([
    [
      "in an item",
      "1. a\n\n       x [1]\n\n         <y>\n\n2. b",
      "1. a\n\n   ```\n   x [1]\n\n     <y>\n   ```\n\n2. b",
    ],
    ["in a list of a list", "- a\n  - b\n\n        x\n- c", "- a\n  - b\n\n    ```\n    x\n    ```\n- c"],
    ["in no list", "Run:\n\n    x `1`\n      y\n\nThen.", "Run:\n\n```\nx `1`\n  y\n```\n\nThen."],
    ["at the end", "Run:\n\n    x", "Run:\n\n```\nx\n```"],
    ["with a tab", "Run:\n\n\tx\n\ty\nThen.", "Run:\n\n```\nx\ny\n```\nThen."],
    ["before code with a fence", "Run:\n\n    x\n```sh\ny\n```", "Run:\n\n```\nx\n```\n```sh\ny\n```"],
  ])("%s", (_, written, shown) => {
    expect(mended(written)).toBe(shown);
    for (const length of [1, 2, 3]) expect(mended(written, length)).toBe(shown);
  });

  test.each([
    ["words that go on", "Made\n    by hand"],
    ["a paragraph of an item", "1. a\n\n    b [1]\n2. c"],
    ["a list that is too deep", "1. a\n\n        - b [1]\n        - c"],
    ["the beginning of an answer", "    It is 8080 [1]."],
    ["code within a fence", "```\na\n\n    b\n```"],
  ])("%s is none", (_, written) => {
    expect(mended(written)).toBe(written);
    expect(mended(written, 1)).toBe(written);
  });
});

describe("a command in the item of a list has no citation in it", () => {
  test.each([
    [
      "on the next line",
      "1. Run the installer:\n   acme up --port 8080\n2. Wait.",
      `1. Run the installer:\n   acme up --port 8080\n\n   ${LINK}\n2. Wait.`,
    ],
    [
      "deeper",
      "- Run the installer:\n    acme up --port 8080\n- Wait.",
      `- Run the installer:\n    acme up --port 8080\n\n  ${LINK}\n- Wait.`,
    ],
    [
      "behind a blank line",
      "1. Run the installer:\n\n   acme up --port 8080\n\n2. Wait.",
      `1. Run the installer:\n\n   acme up --port 8080\n\n   ${LINK}\n\n2. Wait.`,
    ],
    [
      "as indented code",
      "1. Run the installer:\n\n       acme up --port 8080\n\n2. Wait.",
      `1. Run the installer:\n\n   \`\`\`\n   acme up --port 8080\n   \`\`\`\n\n   ${LINK}\n\n2. Wait.`,
    ],
  ])("%s", async (_, written, shown) => {
    expect(await linkedAnswer(written)).toBe(shown);
    for (const length of [1, 7]) expect(await linkedAnswer(written, length)).toBe(shown);
  });

  test("and a sentence that goes on in the next line has it behind itself", async () => {
    expect(await linkedAnswer("1. Start the server:\n   start the server with acme serve.")).toEndWith(
      `acme serve. ${LINK}`,
    );
  });
});
