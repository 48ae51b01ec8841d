import { describe, expect, test } from "bun:test";
import { symfony } from "../../../src/reading/generators/symfony/symfony.ts";
import { openFiles, readPageOf, recognizeFiles, siteOf } from "./open-files.ts";

const BUILD = { "_build/build.php": "<?php\nuse SymfonyDocsBuilder\\DocBuilder;\n" };
const INDEX = "Docs\n====\n\n.. toctree::\n\n    mailer\n    bundles/index\n";

describe("the docs of Symfony", () => {
  const files = {
    ...BUILD,
    "_build/redirection_map":
      "/email /mailer\n/cookbook/index /index\n/old /mailer#dsn\n/api https://api.example.com\n",
    "index.rst": INDEX,
    "mailer.rst": "Mail\n====\n\n:doc:`/bundles/index` :doc:`All </bundles>`\n",
    "bundles.rst": "Bundles\n=======\n",
    "bundles/index.rst": "List of Bundles\n===============\n",
    "_includes/_note.rst.inc": "Note.\n",
    "_build/guide.rst": "Guide\n=====\n",
  };

  test("end in .html, the index of a folder too, which is another page than one of the folder's name", async () => {
    const site = await siteOf(files);
    expect(site.generator).toBe("Symfony");
    expect(site.pages.map(({ path }) => path).sort()).toEqual([
      "",
      "bundles.html",
      "bundles/index.html",
      "mailer.html",
    ]);
    expect(site.menu.map(({ label, path }) => [label, path])).toEqual([
      ["Mail", "mailer.html"],
      ["List of Bundles", "bundles/index.html"],
    ]);
    expect((await readPageOf(site, "mailer.rst")).markdown).toContain(
      "[List of Bundles](/bundles/index.html) [All](/bundles.html)",
    );
  });

  test("lead from old names to new ones", async () => {
    expect((await openFiles(symfony, files)).redirects).toEqual([
      { from: "email.html", to: "/mailer.html" },
      { from: "cookbook/index.html", to: "/" },
      { from: "old.html", to: "/mailer.html#dsn" },
    ]);
  });
});

test("a bundle's docs are those of a package that says it is one, wherever they lie in it", async () => {
  const composer = '{"name": "acme/bundle", "type": "symfony-bundle"}';
  for (const folder of ["doc", "docs", "src/Resources/doc"]) {
    const site = await siteOf({
      "composer.json": composer,
      "README.md": "# Bundle",
      [`${folder}/index.rst`]: "Bundle\n======\n",
      [`${folder}/fields/Text.rst`]: "Text\n====\n",
    });
    expect(site.pages.map(({ path }) => path).sort()).toEqual(["", "fields/Text.html"]);
  }
  const library = { "composer.json": '{"type": "library"}', "docs/index.rst": "Library\n=======\n" };
  expect(await recognizeFiles(library)).toBeUndefined();
});

test("headings have ids of their words, and repeated ones the number of those before", async () => {
  const titles = ["Mail", "2FA & Co", "Options", "Options", "Options", "Été", "Identity"];
  const text = `${titles[0]}\n====\n\n${titles
    .slice(1)
    .map((title) => `.. _label-${title.length}:\n\n${title}\n${"-".repeat(20)}\n`)
    .join("\n")}`;
  const site = await openFiles(symfony, { ...BUILD, "index.rst": text });
  const { markdown } = await readPageOf(site, "index.rst");
  expect([...markdown.matchAll(/^#.*\{#(.*)\}$/gm)].map(([, id]) => id)).toEqual([
    "mail",
    "2fa-co",
    "options",
    "options-1",
    "options-2",
    "ete",
    "identity",
  ]);
});

test("names of PHP are shown as its readers see them, and formats of a configuration are tabs", async () => {
  const text = `Home
====

:class:\`Symfony\\\\Component\\\\Form\\\\Form\` :method:\`Symfony\\\\Form\\\\Form::submit\` :phpclass:\`DateTime\`
:phpmethod:\`DateTime::format\` :phpfunction:\`strlen\` :class:\`the form <Symfony\\\\Form>\`

.. configuration-block::

    .. code-block:: yaml

        a: 1

    .. code-block:: php-attributes

        #[A(1)]
`;
  const site = await openFiles(symfony, { ...BUILD, "index.rst": text });
  const { markdown } = await readPageOf(site, "index.rst");
  expect(markdown).toContain("`Form` `submit()` `DateTime` `DateTime::format()` `strlen()` `the form`");
  expect(markdown).toContain(
    ":::tab[YAML]\n\n```yaml\na: 1\n```\n\n:::\n\n:::tab[Attributes]\n\n```php\n#[A(1)]\n```\n\n:::",
  );
});
