import { expect, test } from "bun:test";
import { quotedAnswer } from "../../helpers/quoted-answer.ts";
import { numberedPassage as passage } from "../../helpers/responder-request.ts";

const SERVER = passage(1, "Set the timeout of a request with `ACME_TIMEOUT` in the environment.", {
  path: "docs/server/configuration",
  title: "Configuration",
});
const CLI = passage(2, "Set the timeout of a request with the flag `--timeout`.", {
  path: "docs/cli/configuration",
  title: "Configuration",
  relevance: 0.95,
});

test("of two products in one site, the one that the question names is quoted first", async () => {
  for (const passages of [
    [SERVER, CLI],
    [
      { ...SERVER, relevance: 0.65 },
      { ...CLI, relevance: 0.6 },
    ],
  ]) {
    const cli = await quotedAnswer("How do I set the timeout of a request in the CLI?", passages);
    expect(cli).toContain("--timeout");
    expect(cli.indexOf("--timeout")).toBeLessThan((cli.indexOf("ACME_TIMEOUT") + 1 || 9999) - 1);
  }
  const server = await quotedAnswer("How do I set the timeout of a request in the server?", [CLI, SERVER]);
  expect(server).toContain("ACME_TIMEOUT");
  expect(server.indexOf("ACME_TIMEOUT")).toBeLessThan((server.indexOf("--timeout") + 1 || 9999) - 1);
});

test("where a question names both products or none, their order is that of the search", async () => {
  for (const question of [
    "How do I set the timeout of a request?",
    "How do I set the timeout of a request in the server and in the CLI?",
  ]) {
    const text = await quotedAnswer(question, [SERVER, CLI]);
    expect(text, question).toMatch(/^Quoted:\n\n> [^\n]*ACME_TIMEOUT/);
  }
});
