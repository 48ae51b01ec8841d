import { expect, test } from "bun:test";
import { Readable } from "node:stream";
import { printTable } from "../../src/cli/output.ts";
import { createTerminal } from "../../src/cli/terminal/terminal.ts";
import { bold, link, red } from "../../src/cli/terminal/text.ts";
import { pretendStream } from "../helpers/run-in-process.ts";

function open(columns: number | undefined, environment: Record<string, string> = {}) {
  const printed = { out: "", err: "" };
  const { terminal, ended } = createTerminal({
    stdout: pretendStream(columns, (text) => {
      printed.out += text;
    }),
    stderr: pretendStream(columns, (text) => {
      printed.err += text;
    }),
    stdin: () => Readable.from([]),
    environment,
    onGone: () => {},
  });
  return { terminal, ended, printed };
}

test("an escape that comes in two pieces is none, and a character that does is whole", async () => {
  const { terminal, ended, printed } = open(80);
  for (const piece of ["a\u001b", "]0;title\u0007", " 👍".slice(0, 2), "👍".slice(1), "\r", "\nb", "\r", "c"])
    terminal.out(piece);
  terminal.out([bold("d")]);
  await ended();
  expect(printed.out).toBe("a\\u001b]0;title\\u0007 👍\nb\\u000dc\u001b[1md\u001b[22m");
});

test("what is printed in a style is text all the same", async () => {
  const { terminal, ended, printed } = open(80);
  terminal.out([bold("\u001b[2J"), red("\u009b"), link("a\u001b\\b", "https://x.example/\u001b]8;;\u0007")]);
  await ended();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the orders of the styles are what is taken away.
  expect(printed.out.replace(/\u001b\[\d+m|\u001b]8;;[!-~]*\u001b\\/g, "")).toBe(
    "\\u001b[2J\\u009ba\\u001b\\b",
  );
});

test.each([["javascript:alert(1)"], ["file:///etc/passwd"], ["not an address"]])(
  "%s is no link, and stands beside its text",
  async (url) => {
    const { terminal, ended, printed } = open(80);
    terminal.out(link("page", url));
    await ended();
    expect(printed.out).toBe(`page (${url})`);
  },
);

test.each<[string, number | undefined, Record<string, string>]>([
  ["in a pipe", undefined, {}],
  ["with NO_COLOR", 80, { NO_COLOR: "1" }],
  ["at a dumb terminal", 80, { TERM: "dumb" }],
])("%s there are no styles", async (_, columns, environment) => {
  const { terminal, ended, printed } = open(columns, environment);
  terminal.out([bold("a"), link("b", "https://x.example/")]);
  terminal.err(red("c"));
  await ended();
  expect(printed).toEqual({ out: "ab (https://x.example/)", err: "c" });
});

test("an empty NO_COLOR is none", async () => {
  const { terminal, ended, printed } = open(80, { NO_COLOR: "" });
  terminal.err(red("c"));
  await ended();
  expect(printed.err).toBe("\u001b[31mc\u001b[39m");
});

test("data is as it is in a pipe, and text at a terminal", async () => {
  for (const [columns, shown] of [
    [undefined, "a\u001b[0m\r\n"],
    [80, "a\\u001b[0m\n"],
  ] as const) {
    const { terminal, ended, printed } = open(columns);
    terminal.data("a\u001b[0m\r\n");
    await ended();
    expect(printed.out).toBe(shown);
  }
});

test("a line of progress fits, and can neither end nor move", async () => {
  const { terminal, ended, printed } = open(20);
  terminal.progress(`${"漢".repeat(30)}`);
  terminal.progress("a\n\u001b[A\rb");
  terminal.progress();
  terminal.progress();
  await ended();
  expect(printed.err).toBe(`\r\u001b[2K${"漢".repeat(10)}\r\u001b[2Ka \\u001b[A b\r\u001b[2K`);
});

const COLUMNS = {
  NAME: ({ name }: { name: string }) => name,
  PLACE: ({ place }: { place: string }) => place,
};
const shown = async (columns: number | undefined, rows: { name: string; place: string }[]) => {
  const { terminal, ended, printed } = open(columns, { NO_COLOR: "1" });
  printTable(terminal, rows, COLUMNS);
  await ended();
  return printed.out;
};

test("a cell stays in its row, whatever is in it", async () => {
  const rows = [{ name: "a\nb\tc", place: "\u001b[1A" }];
  expect(await shown(undefined, rows)).toBe("NAME   PLACE\na b c  \\u001b[1A\n");
});

test("a table that is too wide is shown as lists, and one whose last column is long stays a table", async () => {
  const [long, short] = ["x".repeat(70), "y"];
  expect(await shown(80, [{ name: short, place: long }])).toBe(`NAME  PLACE\ny     ${long}\n`);
  expect(await shown(40, [{ name: short, place: long }])).toBe(`NAME  PLACE\ny     ${long}\n`);
  const lists = `NAME   ${long}\nPLACE  ${long}\n\nNAME   y\nPLACE  y\n`;
  const rows = [
    { name: long, place: long },
    { name: short, place: short },
  ];
  expect(await shown(80, rows)).toBe(lists);
  expect(await shown(undefined, rows)).toStartWith(`NAME${" ".repeat(68)}PLACE\n`);
});
