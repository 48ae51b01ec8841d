import { describe, expect, test } from "bun:test";
import { readHtml, sharedByPages } from "../../../src/reading/markdown/html/html.ts";

const NAMES = ["Logs", "Keys", "Ports", "Users", "Mails", "Disks"];
type Layout = (name: string, index: number) => string;

/** The third of some pages that are alike, read beside the others. */
function read(layout: Layout, names: readonly string[] = NAMES) {
  const pages = names.map((name, index) => layout(name, index));
  const { title, markdown } = readHtml(pages[2] ?? "", { shared: sharedByPages(pages) });
  return { title, markdown };
}

const html = (title: string, body: string) =>
  `<html><head><title>${title}</title></head><body>${body}</body></html>`;
const words = (name: string) =>
  `<p>All about ${name.toLowerCase()}, in a few words that no other page has.</p>`;
const OWN = "All about ports, in a few words that no other page has.";
const others = (name: string, index: number) =>
  `<a href="${index - 1}.html">&lt;-previous</a><a href="${index + 1}.html">next-&gt;</a><p hidden>${name}</p>`;

describe("beside others like it, a page is read without", () => {
  test.each<[string, Layout]>([
    [
      "what all begin and end with, wherever its links lead",
      (name, index) =>
        `<div>${others(name, index)}</div>${words(name)}<div>${others(name, index)}</div><p>Copyright of somebody</p>`,
    ],
    [
      "a menu, though it marks the page itself",
      (name) =>
        `<ul>${NAMES.map((each) => `<li>${each === name ? `<b>${each} (here)</b>` : `<a href="${each}">${each}</a>`}</li>`).join("")}</ul>${words(name)}`,
    ],
    [
      "links before its first words, and those again at its end",
      (name, index) =>
        `<p><a href="${index}">${name} one</a> <a href="x${index}">${name} two</a></p>${words(name)}<p><a href="${index}">${name} one</a> <a href="x${index}">${name} two</a></p>`,
    ],
    [
      "a heading at its end with nothing below it",
      (name) => `${words(name)}<h2>Suite</h2><p>Part of the suite</p>`,
    ],
  ])("%s", (_, layout) => {
    expect(read((name, index) => html(name, layout(name, index))).markdown).toBe(OWN);
  });

  test("a heading that is the name of the whole: its title is what stands in the head, or its first heading", () => {
    const body = (name: string) => `<h1>The Manual</h1><h2>About ${name.toLowerCase()}</h2>${words(name)}`;
    const markdown = `## About ports\n\n${OWN}`;
    expect(read((name) => html(`${name} | The Manual 1.2`, body(name)))).toEqual({
      title: "Ports",
      markdown,
    });
    expect(read((name) => html("The Manual 1.2", body(name)))).toEqual({ title: "About ports", markdown });
  });
});

describe("beside others like it, a page keeps", () => {
  test("headings that all have, as pages of one form do", () => {
    const layout: Layout = (name) =>
      html(name, `<h1>NAME</h1>${words(name)}<h1>SEE ALSO</h1><p>${name}(1)</p>`);
    expect(read(layout)).toEqual({ title: "Ports", markdown: `# NAME\n\n${OWN}\n\n# SEE ALSO\n\nPorts(1)` });
  });

  test("code whole, though others have a part of it between its empty lines", () => {
    const code = (name: string) =>
      `<pre>/* Copyright of somebody\n\n   for ${name} */\nrun(${name});\n\n\nend();</pre>`;
    const fenced = "```\n/* Copyright of somebody\n\n   for Ports */\nrun(Ports);\n\n\nend();\n```";
    const { markdown } = read((name) => html(name, code(name) + words(name) + code(name)));
    expect(markdown).toBe(`${fenced}\n\n${OWN}\n\n${fenced}`);
  });

  test("what others have, too, among its own words", () => {
    const note = "<p>This is deprecated.</p>";
    expect(read((name) => html(name, words(name) + note + words(`${name} again`))).markdown).toContain(
      "deprecated",
    );
  });

  test("all that it has, where that is the same on every page, or links alone", () => {
    expect(read(() => html("x", "<p>Nothing is here.</p>")).markdown).toBe("Nothing is here.");
    const links = (name: string) =>
      `<p><a href="${name}">${name}</a></p><p><a href="${name}2">${name} 2</a></p>`;
    expect(read((name) => html(name, links(name))).markdown).toContain("[Ports 2](Ports2)");
  });

  test("everything, where so few lie together that nothing is told", () => {
    const layout: Layout = (name) => html(`${name} | Manual`, `<p>Copyright of somebody</p>${words(name)}`);
    expect(read(layout, NAMES.slice(0, 3)).markdown).toContain("Copyright");
  });
});

test("what pages share is left out though its links lead nowhere on the page that is read", () => {
  const pages = NAMES.map((name) =>
    html(name, `${words(name)}<p>See the <a href="all.html">list of all</a>.</p>`),
  );
  const around = { shared: sharedByPages(pages), leadsNowhere: (href: string) => href === "all.html" };
  expect(readHtml(pages[2] ?? "", around).markdown).toBe(OWN);
});

test.each<[string, Layout]>([
  ["Chapter 2: Ports", (name, index) => `GAP (ref) - Chapter ${index}: ${name}`],
  ["Ports", (name) => `${name} — CMake 3.25 Documentation`],
  ["Ports", (name) => `${name}: GIO Reference Manual`],
  ["Ports", (name) => `Docs | Guide | ${name}`],
  ["Ports: the list", (name) => `${name}: ${name === "Ports" ? "the list" : `a list of ${name}`}`],
])("a page is called %p where others have the rest of its title, too", (title, titleOf) => {
  expect(read((name, index) => html(titleOf(name, index), words(name))).title).toBe(title);
});
