import { describe, expect, test } from "bun:test";
import { quotedAnswer } from "../../helpers/quoted-answer.ts";
import { numberedPassage as passage } from "../../helpers/responder-request.ts";

const FILLER = "The weather was fine on that day and nobody thought of anything else at all. ".repeat(5);
const EXAMPLE = `${FILLER}\n\nMatch WebSocket requests by their \`Upgrade\` header:\n\n\`\`\`acme\n@websocket header Upgrade websocket\n\`\`\`\n\n${FILLER}`;

const ask = (question: string, said: string, example = EXAMPLE) =>
  quotedAnswer(question, [
    passage(1, example, { title: "Matchers", headings: ["Header"] }),
    passage(2, `${FILLER}${said} ${FILLER}`, {
      title: "Upgrade to Acme 2",
      headings: ["Proxy"],
      relevance: 0.95,
    }),
  ]);

describe("that nothing is to be done for what is asked", () => {
  test.each([
    "WebSocket proxying just works in the new version.",
    "There is no need to enable websockets in the new version.",
    "A websocket does not need to be enabled in the new version.",
    "Für einen WebSocket ist in der neuen Version kein Header nötig.",
  ])("stands before an example of how something is set: %s", async (said) => {
    const text = await ask("acme websocket upgrade", said);
    expect(text.indexOf(said)).toBeGreaterThan(0);
    expect(text.indexOf(said)).toBeLessThan(text.indexOf("@websocket header"));
  });

  test("stays behind the example where it says less of what is asked", async () => {
    const restart = "There is no need to restart for the upgrade of a websocket.";
    const text = await ask("websocket upgrade matchers", restart);
    expect(text).toContain(restart);
    expect(text.indexOf(restart)).toBeGreaterThan(text.indexOf("@websocket header"));
  });
});
