import { describe, expect, test } from "bun:test";
import { domainFault, suggestDomain } from "../../../src/faces/dashboard/first-run/name-step.tsx";
import {
  archiveIn,
  chooseDocs,
  DOCUMENT,
  uploadNameOf,
  whyLeft,
} from "../../../src/faces/dashboard/kit/upload/choose-docs.ts";
import { namesInPages } from "../../../src/faces/dashboard/kit/upload/included-names.ts";
import { DOCUMENT_EXTENSIONS } from "../../../src/reading/documents/documents.ts";
import { FORMATS } from "../../../src/reading/sources/files/page-file.ts";

const file = (path: string, bytes = 3) => ({ path, content: new Blob(["x".repeat(bytes)]) });
const found = (...paths: string[]) => paths.map((path) => file(path));

describe("what of a dropped folder stays", () => {
  test("is told by name and reason, but for what is hidden", () => {
    const choice = chooseDocs([
      ...found("d/a.md", "d/photo.jpg", "d/run.sh", "d/plan.doc", "d/.env"),
      file("d/long.md", 10_000_001),
    ]);
    expect(choice.named.map((each) => [each.path, whyLeft(each)])).toEqual([
      ["d/long.md", "Larger than 10 MB"],
      ["d/photo.jpg", "An image that no page shows"],
      ["d/plan.doc", "A format of Office 2003 and older: save it as .docx, .pptx or .xlsx"],
      ["d/run.sh", "No format that Docent reads"],
    ]);
  });
});

describe("what of a dropped folder is sent", () => {
  test("text that Docent reads, its ignore files, and nothing else", () => {
    const choice = chooseDocs(
      found(
        "d/z.md",
        "d/a.MDX",
        "d/b.html",
        "d/c.rst",
        "d/e.txt",
        "d/openapi.yaml",
        "d/.gitignore",
        "d/logo.png",
        "d/package.json",
        "d/video.mp4",
        "d/archive.zip",
        "d/Makefile",
        "d/.env",
        "d/.git/config.md",
        "d/node_modules/x/readme.md",
        "d/__MACOSX/a.md",
      ),
    );
    expect(choice.sent.map(({ path }) => path)).toEqual([
      "d/.gitignore",
      "d/a.MDX",
      "d/b.html",
      "d/c.rst",
      "d/e.txt",
      "d/openapi.yaml",
      "d/z.md",
    ]);
    expect(choice).toMatchObject({ pages: 6, bytes: 21, left: { other: 5, private: 4, large: 0 } });
  });

  test("the configuration of a docs generator, from folders whose names begin with a dot too", () => {
    const configuration = [
      "d/docusaurus.config.ts",
      "d/docs/_category_.json",
      "d/sidebars.js",
      "d/.vitepress/config.mts",
      "d/.vitepress/config/index.ts",
      "d/mkdocs.yml",
      "d/docs/.pages",
      "d/conf.py",
      "d/.gitbook.yaml",
      "d/next.config.js",
      "d/content/_meta.js",
      "d/config/_default/hugo.toml",
      "d/docs.json",
      "d/netlify.toml",
    ];
    const others = [
      "d/.vitepress/dist/index.html",
      "d/.env",
      "d/.git/conf.py",
      "d/node_modules/x/mkdocs.yml",
    ];
    const choice = chooseDocs(found(...configuration, ...others, "d/secrets.json", "d/a.md"));
    expect(choice.sent.map(({ path }) => path)).toEqual([...configuration, "d/a.md"].sort());
    expect(choice).toMatchObject({ pages: 1, left: { other: 1, private: 4 } });
  });

  test("no file by which only another generator is configured", () => {
    const others = [
      "package.json",
      "tsconfig.json",
      "composer.json",
      "Gemfile",
      "settings.ini",
      "_data/a.json",
    ];
    for (const configuration of ["mkdocs.yml", "book.toml", "docfx.json"]) {
      const choice = chooseDocs(found(...[...others, configuration, "a.md"].map((name) => `d/${name}`)));
      expect(choice.sent.map(({ path }) => path)).toEqual(["d/a.md", `d/${configuration}`]);
    }
  });

  test("whom pages are for: the rules of folders, and the rights of a wiki", () => {
    const rules = [
      "d/_access.yml",
      "d/ops/_access.yaml",
      "d/wiki/conf/acl.auth.php",
      "d/wiki/conf/local.php",
    ];
    const others = ["d/wiki/conf/users.auth.php", "d/wiki/conf/mysql.conf.php", "d/wiki/inc/auth.php"];
    const { sent } = chooseDocs(found(...rules, ...others, "d/wiki/data/pages/a.txt"));
    expect(sent.map(({ path }) => path)).toEqual([...rules, "d/wiki/data/pages/a.txt"].sort());
  });

  test("the scripts and the data that a configuration takes parts from, with what these take in, and no secrets", async () => {
    const text = (path: string, content: string) => ({ path, content: new Blob([content]) });
    const files = [
      text(
        "d/astro.config.mjs",
        'import { nav } from "./config/nav";\nimport key from "./secrets.json";\nimport "./.env.js";\n',
      ),
      text("d/config/nav.ts", 'import more from "../data/more.json";\n'),
      text("d/mkdocs.yml", "INHERIT: base/base.yml\nextra_css: [x.css]\n"),
      text("d/package.json", '{ "scripts": { "deploy": "node ./deploy.js --to hosts.json" } }'),
      ...found("d/data/more.json", "d/base/base.yml", "d/x.css", "d/deploy.js", "d/hosts.json"),
      ...found("d/secrets.json", "d/.env.js", "d/other.json", "d/config/other.ts", "d/a.md"),
    ];
    const { sent } = chooseDocs(files, { named: await namesInPages(files) });
    expect(sent.map(({ path }) => path)).toEqual([
      "d/a.md",
      "d/astro.config.mjs",
      "d/base/base.yml",
      "d/config/nav.ts",
      "d/data/more.json",
      "d/mkdocs.yml",
      "d/package.json",
    ]);
  });

  test("a wiki's dump, as large as a document may be, and no other XML", async () => {
    const dump = `<mediawiki xml:lang="en">[[File:Net work.png]]${" ".repeat(11_000_000)}</mediawiki>`;
    const files = [
      { path: "d/wiki.xml", content: new Blob([dump]) },
      { path: "d/pom.xml", content: new Blob(["<project/>"]) },
      ...found("d/images/a/ab/Net_work.png"),
    ];
    const { sent } = chooseDocs(files, { named: await namesInPages(files) });
    expect(sent.map(({ path }) => path)).toEqual(["d/wiki.xml", "d/images/a/ab/Net_work.png"]);
  });

  test("the programs that an API is described from, with those that they take names from", async () => {
    const text = (path: string, content: string) => ({ path, content: new Blob([content]) });
    const files = [
      text("d/docs/api.md", "# API\n\n::: harbour.Port\n"),
      text("d/harbour/__init__.py", "from .port import Port\nfrom .tokens import KEY\n"),
      ...found("d/harbour/port.py", "d/harbour/tokens.py", "d/harbour/pier.py", "d/setup.py"),
    ];
    const { sent } = chooseDocs(files, { named: await namesInPages(files) });
    expect(sent.map(({ path }) => path)).toEqual([
      "d/docs/api.md",
      "d/harbour/__init__.py",
      "d/harbour/port.py",
    ]);
  });

  test("the files of code that pages include, and no other code", async () => {
    const page = (path: string, text: string) => ({ path, content: new Blob([text]) });
    const files = [
      page("d/a.md", "<<< @/snippets/run.ts{2}\n\n![x](logo.png)\n\nSee secret.py."),
      page("d/b.md", '--8<-- "code/b.py:part"\n\n{* ../src/c.py hl[1] *}\n\n<include>./d.tsx</include>'),
      page("d/node_modules/x/readme.md", "<<< secret.py"),
      ...found("d/snippets/run.ts", "d/code/b.py", "src/c.py", "d/d.tsx", "d/secret.py", "d/logo.png"),
      file("d/large/b.py", 500_001),
    ];
    const { sent, pages } = chooseDocs(files, { named: await namesInPages(files) });
    expect(sent.map(({ path }) => path)).toEqual([
      "d/a.md",
      "d/b.md",
      "d/code/b.py",
      "d/d.tsx",
      "d/snippets/run.ts",
      "src/c.py",
      "d/logo.png",
    ]);
    expect(pages).toBe(2);
  });

  test("the images that pages show, as many as the server takes", async () => {
    const files = [
      {
        path: "d/a.md",
        content: new Blob(["![A](./img/a.png?x) ![B](<b%20b.JPG>) <img src='c.svg'>\n\n.. image:: d.webp"]),
      },
      ...found("d/img/a.png", "d/b b.JPG", "d/c.svg", "d/d.webp", "d/other.png"),
      file("d/large/a.png", 5_000_001),
    ];
    const named = await namesInPages(files);
    const choice = chooseDocs(files, { named });
    expect(choice.sent.slice(1).map(({ path }) => path)).toEqual([
      "d/b b.JPG",
      "d/c.svg",
      "d/d.webp",
      "d/img/a.png",
    ]);
    expect(choice).toMatchObject({ pages: 1, images: 4, left: { other: 2, images: 0 } });
    const room = choice.bytes - 4;
    expect(chooseDocs(files, { named, bytesMax: room })).toMatchObject({ images: 2, left: { images: 2 } });
  });

  test("no file that is larger than the server reads", () => {
    expect(chooseDocs([file("d/a.md", 10_000_001), file("d/b.md")])).toMatchObject({
      pages: 1,
      left: { other: 0, private: 0, large: 1 },
    });
  });

  test("no ignore file of a folder that is nobody's docs", () => {
    const { sent, left } = chooseDocs(found("d/node_modules/x/.gitignore", "d/.git/.gitignore", "d/a.md"));
    expect([sent.map(({ path }) => path), left.private]).toEqual([["d/a.md"], 2]);
  });

  test("an archive alone is sent as it is; among other files it is one that is not read", () => {
    for (const path of ["wiki.xar", "docs.zip", "docs.tar.gz", "DOCS.TGZ", "docs.tar"])
      expect(archiveIn(found(path))?.path).toBe(path);
    expect(archiveIn(found("docs.zip", "a.md"))).toBeUndefined();
    expect(archiveIn(found("docs.md"))).toBeUndefined();
    expect(archiveIn([])).toBeUndefined();
  });

  test.each([
    [["handbook/a.md", "handbook/b/c.md"], "handbook.zip"],
    [["a.md", "b.md"], "docs.zip"],
    [["one/a.md", "two/b.md"], "docs.zip"],
    [["guide.md"], "guide.zip"],
    [[`${"x".repeat(300)}/a.md`], `${"x".repeat(180)}.zip`],
  ])("is called after its folder: %j is %s", (paths, name) => {
    expect(uploadNameOf(found(...paths))).toBe(name);
  });
});

test("a file of a dropped folder is sent as a page whatever text the server reads as one", () => {
  const names = [...Object.keys(FORMATS).map((extension) => `d/a.${extension}`), "d/git.1", "d/git.1.gz"];
  expect(chooseDocs(found(...names))).toMatchObject({ pages: names.length, left: { other: 0 } });
});

describe("a document of a dropped folder", () => {
  test("is sent whatever the server reads as one, even one as large as no text may be", () => {
    for (const extension of Object.keys(DOCUMENT_EXTENSIONS)) expect(`a.${extension}`).toMatch(DOCUMENT);
    expect(DOCUMENT.source.split("|")).toHaveLength(Object.keys(DOCUMENT_EXTENSIONS).length);
    const choice = chooseDocs([
      file("d/manual.PDF", 12_000_000),
      file("d/guide.md", 12_000_000),
      file("d/old.doc"),
    ]);
    expect(choice.sent.map(({ path }) => path)).toEqual(["d/manual.PDF"]);
    expect(choice).toMatchObject({ pages: 1, left: { large: 1, other: 1 } });
  });
});

describe("a site's domain", () => {
  test.each([
    ["Acme Docs", "", "acme-docs"],
    ["  Café & Co. ", "", "cafe-co"],
    ["Acme", "https://www.docs.example.com/v2/", "docs.example.com"],
    ["Acme", "not an address", "acme"],
    ["文档", "", ""],
    ["a".repeat(100), "", "a".repeat(63)],
    [`${"a".repeat(62)} b`, "", "a".repeat(62)],
  ])("%j at %j is suggested as %j", (name, url, domain) => {
    expect(suggestDomain(name, url)).toBe(domain);
  });

  test.each(["", "Acme", "a b", "a/b", "a".repeat(64), "é", "..."])("%j is told to be none", (domain) => {
    expect(domainFault(domain)).toBeString();
  });

  test.each(["acme", "docs.example.com", "a-1", "a".repeat(63)])("%j is one", (domain) => {
    expect(domainFault(domain)).toBeUndefined();
  });
});
