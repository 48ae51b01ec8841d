import { describe, expect, test } from "bun:test";
import { cutPieces, introduces } from "../../../src/answering/answer/pieces.ts";
import { quotedAnswer } from "../../helpers/quoted-answer.ts";
import { numberedPassage as passage } from "../../helpers/responder-request.ts";

const FILLER = "The weather was fine on that day and nobody thought of anything else at all. ".repeat(8);
const CODE = "```yaml\nimage: acme:1.7\n```";
const LIST = "- Originals are never changed.\n- An export has names that people can read.";

const announced = (markdown: string) => {
  const pieces = cutPieces(markdown, "en");
  return pieces.filter((piece) => introduces(piece, pieces)).map((piece) => piece.markdown);
};

describe("a sentence that announces what stands below it", () => {
  test.each([
    ["To pin the release, edit the file and find the line that says", CODE],
    ["Here is a Docker Compose example for Traefik.", CODE],
    ["Here are a couple notes about that.", LIST],
    ["Add the following to your configuration.", CODE],
    ["Hier ist ein Beispiel für Traefik.", CODE],
    ["Voici un exemple pour Traefik.", LIST],
  ])("needs no colon: %p", (sentence, below) => {
    expect(announced(`${sentence}\n\n${below}`)).toEqual([sentence]);
    expect(announced(`${sentence}\n\nAnother paragraph of the page.\n\n${below}`)).toEqual([]);
    expect(announced(`${sentence}\n\n## Heading\n\n${below}`)).toEqual([]);
  });

  test.each([
    ["The release is pinned by its tag.", CODE],
    ["**Docker Compose**", CODE],
    ["Docker Compose", CODE],
    ["Originals are kept where the disk has room", LIST],
  ])("is none that only stands above it: %p", (sentence, below) => {
    expect(announced(`${sentence}\n\n${below}`)).toEqual([]);
  });

  test("is quoted with that, whether a sentence or a section answers", async () => {
    for (const relevance of [1, 0.6]) {
      const code = await quotedAnswer("how do I pin the release of the image", [
        passage(
          1,
          `${FILLER}\n\nTo pin the release of the image, edit the file and find the line that says\n\n${CODE}\n\n${FILLER}`,
          { relevance },
        ),
      ]);
      expect(code, `${relevance}`).toContain("find the line that says\n\n```yaml\nimage: acme:1.7\n```");
      const list = await quotedAnswer("can I move my files to another system", [
        passage(
          1,
          `${FILLER}\n\nYou can always move your files to another system. Here are a couple notes about that.\n\n${LIST}\n\n${FILLER}`,
          { relevance },
        ),
      ]);
      expect(list, `${relevance}`).toContain("about that.\n\n> - Originals are never changed.");
    }
  });

  test("is not the end of a quote where that is too long for it", async () => {
    const text = await quotedAnswer("how long is retention", [
      passage(
        1,
        `Retention lasts 90 days. ${FILLER}\n\nHere is an example of retention.\n\n\`\`\`yaml\n${"retention: 90\n".repeat(200)}\`\`\``,
      ),
    ]);
    expect(text).toContain("Retention lasts 90 days.");
    expect(text).not.toContain("Here is an example");
  });
});
