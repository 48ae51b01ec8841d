import { describe, expect, test } from "bun:test";
import { dokuwiki } from "../../../src/reading/generators/dokuwiki/dokuwiki.ts";
import { ownMs } from "../../helpers/own-time.ts";
import { openFiles, readPageOf, recognizeFiles } from "./open-files.ts";

type Files = Readonly<Record<string, string>>;

const OPEN_TO_ALL = "# acl.auth.php\n# <?php exit()?>\n*\t@ALL\t1\n";

/** A wiki's folder as DokuWiki leaves it. */
const wikiOf = (pages: Files, acl = OPEN_TO_ALL): Files => ({
  "doku.php": "<?php",
  "conf/acl.auth.php": acl,
  "conf/local.php": "<?php\n$conf['useacl'] = 1;\n",
  "data/meta/start.meta": "a:0:{}",
  ...Object.fromEntries(Object.entries(pages).map(([name, text]) => [`data/pages/${name}.txt`, text])),
});

const open = (pages: Files, acl?: string) => openFiles(dokuwiki, wikiOf(pages, acl));

async function markdownOf(text: string, others: Files = {}, media: Files = {}) {
  const site = await openFiles(dokuwiki, { ...wikiOf({ "ops/one": text, ...others }), ...media });
  return readPageOf(site, "data/pages/ops/one.txt");
}

describe("a folder", () => {
  test("has its pages at addresses made of their names, and DokuWiki's own left out", async () => {
    const site = await open({
      start: "====== Home ======",
      "ops/start": "====== Operations ======",
      "ops/db_backup": "====== Backup ======",
      sidebar: "Words",
      "playground/playground": "====== Play ======",
      "wiki/syntax": "====== Syntax ======",
      "ops/_template": "====== @PAGE@ ======",
    });
    expect(site.pages).toEqual([
      { location: "data/pages/ops/db_backup.txt", path: "ops/db-backup" },
      { location: "data/pages/ops/start.txt", path: "ops" },
      { location: "data/pages/start.txt", path: "" },
    ]);
    expect(site.leftOut.map(({ location, detail }) => `${location} ${detail}`)).toEqual([
      "data/pages/ops/_template.txt is a template for new pages",
      "data/pages/playground/playground.txt belongs to DokuWiki itself",
      "data/pages/sidebar.txt is a part of all pages",
      "data/pages/wiki/syntax.txt belongs to DokuWiki itself",
    ]);
    const backup = { label: "Backup", path: "ops/db-backup", children: [] };
    expect(site.menu).toEqual([
      { label: "Home", path: "", children: [] },
      { label: "Operations", path: "ops", children: [backup] },
    ]);
    expect(site.unknowns).toEqual([]);
  });

  test("has the menu of its sidebar first", async () => {
    const site = await open({
      a: "====== A ======",
      b: "====== B ======",
      sidebar: "  * [[b|The B]]\n    * [[a]]",
    });
    expect(site.menu).toEqual([
      { label: "The B", path: "b", children: [{ label: "A", path: "a", children: [] }] },
    ]);
  });

  test("is told from other folders of text", async () => {
    expect(
      await recognizeFiles({ "data/pages/a.txt": "Plain words", "data/media/a.png": "" }),
    ).toBeUndefined();
    expect(await recognizeFiles({ "data/pages/a.txt": "====== A ======" })).toBeUndefined();
  });
});

describe("rights", () => {
  const acl = "*  @ALL  1\nsecret:*  @ALL  0\nsecret:*  @staff  8\nsecret:shown  @ALL  1\nhidden  @ALL  0\n";

  test("leave out what is not for everyone, and say so", async () => {
    const heading = "====== A ======";
    const site = await open(
      { a: heading, hidden: heading, "secret/x": heading, "secret/in/y": heading, "secret/shown": heading },
      acl,
    );
    expect(site.pages.map(({ path }) => path)).toEqual(["a", "secret/shown"]);
    expect(site.leftOut).toEqual(
      ["hidden", "secret/in/y", "secret/x"].map((name) => ({
        location: `data/pages/${name}.txt`,
        detail: "is not for everyone: the rights of the wiki let only some read it",
        isRestricted: true,
      })),
    );
    expect(site.holdsRestricted).toBe(true);
  });

  test("of a wiki that is closed leave no page, and no file as it lies", async () => {
    const site = await recognizeFiles(wikiOf({ a: "====== A ======" }, "* @ALL 0\n* @user 8\n"));
    expect(site?.pages).toEqual([]);
    expect(site?.holdsRestricted).toBe(true);
  });

  test("that say nothing of a page let nobody read it", async () => {
    expect((await open({ a: "====== A ======", "b/c": "====== C ======" }, "b:*  @ALL  1\n")).pages).toEqual([
      { location: "data/pages/b/c.txt", path: "b/c" },
    ]);
  });

  test("are asked for where they are not in the source", async () => {
    const site = await openFiles(dokuwiki, { "data/pages/a.txt": "====== A ======", "data/media/b.png": "" });
    expect(site.unknowns[0]?.question).toContain("conf/acl.auth.php is not in this source");
  });

  test("hold for images as well", async () => {
    const image = { "data/media/secret/p.png": "", "data/media/ops/p.png": "" };
    const files = { ...wikiOf({ a: "{{secret:p.png|Hidden}} {{ops:p.png?200|Shown}}" }, acl), ...image };
    const { markdown } = await readPageOf(await openFiles(dokuwiki, files), "data/pages/a.txt");
    expect(markdown).toBe("Hidden ![Shown](/data/media/ops/p.png)");
  });
});

describe("markup", () => {
  test("has headings, emphasis, lists, quotes and code", async () => {
    const text =
      "===== A b =====\n**strong** //soft// ''code'' <del>gone</del>\\\\ next\n\n  * One\n    - Two\n  * Three\n\n> said\n>> more\n\n  indented\n\n<code bash>\nls **x**\n</code>\n%%**plain**%% https://a.example/b//c.\n~~NOTOC~~";
    expect((await markdownOf(text)).markdown).toBe(
      "## A b {#a_b}\n\n**strong** *soft* `code` gone\\\nnext\n\n- One\n  1. Two\n- Three\n\n> said\n>\n> > more\n\n```\nindented\n```\n\n```bash\nls **x**\n```\n\n\\*\\*plain\\*\\* [https://a.example/b//c](https://a.example/b//c).",
    );
  });

  test("has links within its namespace, above it and elsewhere", async () => {
    const others = {
      "ops/two": "====== Second ======",
      "ops/deep/three": "Text",
      top: "Text",
      groesse: "Text",
    };
    const text =
      "[[two]] [[.deep:three|3]] [[..:top]] [[:top#A b|x]] [[Größe]] [[missing|gone]] [[https://a.example|out]] [[wp>Wiki]] [[#a b]]";
    expect((await markdownOf(text, others)).markdown).toBe(
      "[Second](/ops/two) [3](/ops/deep/three) [top](/top) [x](/top#a_b) Größe gone [out](https://a.example) Wiki [a b](#a_b)",
    );
  });

  test("has tables with spans, footnotes and tags", async () => {
    const text =
      '^ A ^ B ^\n| 1 | [[two|x]] |\n| 2 | ::: |\n| both ||\n\nWords((A //note//)). {{tag>ops "two words"}}';
    const { data, markdown } = await markdownOf(text);
    expect(markdown).toBe(
      "| A | B |\n| --- | --- |\n| 1 | x |\n| 2 | x |\n| both |  |\n\nWords[^1].\n\n[^1]: A *note*",
    );
    expect(data["tags"]).toEqual(["ops", "two words"]);
  });

  test.each(["[[a|", "{{", "((", "<code>", "%%", "**a", "//", "^ a ", "  * ", ">", "= "])(
    "that repeats %s without end is read in bounded time",
    async (text) => {
      const took = await ownMs(async () => {
        await markdownOf(text.repeat(20_000));
        await markdownOf(`${text}\n`.repeat(5_000));
      });
      expect(took).toBeLessThan(10_000);
    },
  );
});
