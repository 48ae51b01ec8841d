import { describe, expect, test } from "bun:test";
import { readAsciidoc } from "../../../src/reading/markdown/asciidoc/asciidoc.ts";
import { parsePage } from "../../../src/reading/markdown/page.ts";
import { imageReferences } from "../../../src/reading/markdown/render/render.ts";

type Format = "md" | "mdx" | "html";

const markdownOf = (source: string, format: Format, keepsImages = true) =>
  parsePage(source, { fallbackTitle: "x", format, keepsImages }).markdown.trim();

describe("an image", () => {
  const WRITTEN: [string, Format, string, string][] = [
    [
      "that an MDX page imports",
      "mdx",
      'import Shot from \'@site/static/a.png\';\nimport logo from "./b.svg"\n\n<img src={Shot} alt="A" width={300} />\n\n<Image src={logo.src} alt="B" />',
      "![A](@site/static/a.png#width=300)\n\n![B](./b.svg)",
    ],
    [
      "that is required, or based on the site's address",
      "mdx",
      "<img src={require('./a.png').default} alt='A'/>\n\n<img src={useBaseUrl(\"/b.png\")} alt=\"B\"/>",
      "![A](./a.png)\n\n![B](/b.png)",
    ],
    [
      "of a theme is the one for light pages",
      "mdx",
      '<ThemedImage alt="A" sources={{ dark: useBaseUrl(\'/d.png\'), light: useBaseUrl(\'/l.png\') }} />\n\n<img className="block dark:hidden" src="/l2.png" />\n<img className="hidden dark:block" src="/d2.png" />',
      "![A](/l.png)\n\n![](/l2.png)",
    ],
    [
      "has its width from attributes, and links have none of theirs",
      "md",
      "![A](a.png){ width=300 } and [b](c){ .button target=_blank }, [d](e_(f)){:.x #g}, [h](i) {j}, `[k](l){.m}`.\n\n## [H](n){.o}",
      '![A](a.png#width=300) and [b](c), [d](e_(f))<a id="g"></a>, [h](i) {j}, `[k](l){.m}`.\n\n## [H](n){.o}',
    ],
    [
      "of a component has its caption",
      "mdx",
      '<Figure src="/a.png" caption="What it shows" />',
      "![](/a.png)\n\n**What it shows**",
    ],
    ["whose address only a run would tell is its description", "mdx", '<img src={images[0]} alt="A" />', "A"],
    [
      "for dark pages is left out beside one for light pages",
      "md",
      'a ![A](d.png#gh-dark-mode-only)![A](l.png#gh-light-mode-only) b\n\n<img class="only-dark" src="d.png"><img class="only-light" src="l.png">',
      "a ![A](l.png#gh-light-mode-only) b\n\n![](l.png)",
    ],
    [
      "of several in a picture is the one that all browsers know",
      "md",
      '<picture>\n  <source media="(prefers-color-scheme: dark)" srcset="d.png">\n  <img alt="A" src="l.png">\n</picture>',
      "![A](l.png)",
    ],
    [
      "has no attributes but its width behind it",
      "md",
      '![A](a.png){ width=300 } ![B](b.png "T"){: .c #d loading=lazy style="height: 1em" } ![C](c.png =200x100) ![D](d.png){not attributes}',
      '![A](a.png#width=300) ![B](b.png "T") ![C](c.png#width=200) ![D](d.png){not attributes}',
    ],
    [
      "in code stays",
      "md",
      "`![A](a.png){ width=300 }`\n\n```\n![A](d.png#only-dark)\n```",
      "`![A](a.png){ width=300 }`\n\n```\n![A](d.png#only-dark)\n```",
    ],
    [
      "of a page in HTML",
      "html",
      "<main><h1>T <img src=i.png alt=I></h1><p>a <img src='a b.png' alt='A | [b]' width=20></p><figure><img src=c.png><figcaption>Cap</figcaption></figure><img src='data:image/png;base64,AA' alt=E><table><tr><th>H<th>I<tr><td><img src=d.png alt='x|y'><td>1</table></main>",
      "# T I\n\na ![A | \\[b\\]](a%20b.png#width=20)\n\n![](c.png)\n\nCap\n\nE\n\n| H | I |\n| --- | --- |\n| ![x\\|y](d.png) | 1 |",
    ],
  ];
  for (const [name, format, page, written] of WRITTEN)
    test(name, () => expect(markdownOf(page, format)).toBe(written));

  test("of a website, whose files cannot be had, is its description", () => {
    expect(markdownOf("<main><p>a <img src=a.png alt=A></p></main>", "html", false)).toBe("a A");
  });

  test("in a line of AsciiDoc has its folder, and the description that its author gave", async () => {
    const { markdown } = await readAsciidoc(
      ':imagesdir: img\n\nAn image:i.png["Icon"] and image:j.png[width=20].\n\n|===\n|image:k.png[K]\n|===\n',
      { location: "p.adoc", include: async () => "is not there" },
    );
    expect(markdown).toContain("An ![Icon](img/i.png) and ![](img/j.png#width=20).");
    expect(imageReferences(markdown)).toEqual(["img/i.png", "img/j.png#width=20", "img/k.png"]);
  });

  test("is looked for in bounded time, whatever stands around it", () => {
    for (const piece of ["![a](b", "![a](b){ c", "![", "![a](b =1", '![a](b "', "import a from 'b.png'\n"])
      expect(markdownOf(piece.repeat(50_000), "md").length).toBeGreaterThan(0);
    expect(
      markdownOf(`import a from './a.png'\n\n${"<img src={a}".repeat(20_000)}`, "mdx").length,
    ).toBeGreaterThan(0);
  });
});
