import { describe, expect, test } from "bun:test";
import { parsePage } from "../../../src/reading/markdown/page.ts";
import { readPod } from "../../../src/reading/markdown/pod/pod.ts";

const written = (source: string) => readPod(source).markdown;

describe("what a page in POD says of itself", () => {
  test("is the name and the description below NAME, whatever else is indexed there", () => {
    const source = "=head1 NAME\nX<pod>\n\nFoo::Bar - does I<this> - and that\n\n=head1 USE\n\nWords.\n";
    expect(readPod(source)).toMatchObject({
      title: "Foo::Bar",
      description: "does this - and that",
      faults: [],
    });
    expect(written(source)).toContain("## USE {#USE}\n\nWords.");
    expect(parsePage(source, { fallbackTitle: "file", format: "pod" }).title).toBe("Foo::Bar");
  });

  test("without a name, the first heading is the title", () => {
    expect(parsePage("=head1 Start here\n\nx\n", { fallbackTitle: "file", format: "pod" }).title).toBe(
      "Start here",
    );
  });
});

describe("what is no text of the page", () => {
  test.each([
    ["the program around it", "use strict;\n\n=pod\n\nWords.\n\n=cut\n\nsub x {}\n\n=head1 More\n"],
    [
      "what is for other formats, with what is in it",
      "=begin html\n\n<b>x</b>\n\n=begin text\n\ny\n\n=end text\n\n=end html\n\nWords.\n\n=for man z\n\n=head1 More\n",
    ],
    [
      "the encoding, index entries and what nothing is shown for",
      "=encoding utf8\n\nWordsX<index>Z<>.\n\n=head1 MoreX<more|others>\n",
    ],
  ])("%s", (_, source) => {
    expect(written(source)).toBe("Words.\n\n# More {#More}");
  });

  test("what every format but one leaves out, and that as POD, is shown", () => {
    expect(written("=begin :html\n\nB<Words>.\n\n=end :html\n\n=for :html More.\n")).toBe(
      "**Words**.\n\nMore.",
    );
  });
});

describe("formatting codes", () => {
  test.each([
    ["bold, italic, code and files", "B<a> I<b> C<c_d> F</etc/x>", "**a** *b* `c_d` `/etc/x`"],
    ["codes in codes", "B<a C<b> I<c>> I<B<d>>", "**a** `b` **c** **d**"],
    [
      "longer marks, with shorter ones in them",
      "C<< $x->{y} >> C<<< a >> b >>> B<< a > b >>",
      "`$x->{y}` `a >> b` **a > b**",
    ],
    ["a code ends at its first mark", "C<$x->{y}>", "`$x-`{y}>"],
    ["characters by name and number", "E<lt>E<gt>E<sol>E<verbar>E<eacute>E<233>E<0xE9>E<0351>", "<>/|éééé"],
    ["what no code is, and what has no end", "a < b > c, x<y>, B<open", "a < b > c, x\\<y>, **open**"],
    ["marks of Markdown are characters", "a *b* `c` <b> [d](e)", "a \\*b\\* \\`c\\` \\<b> [d\\](e)"],
    ["stars between a word and a mark would be shown", "B<(a)>b aB<(b)>", "(a)b a(b)"],
    [
      "a mark that ends more than one code",
      "L<the C<isa> method|UNIVERSAL/C<< $obj->isa( TYPE ) >>>, and B<I<not >>a word less",
      "the `isa` method, and **not** a word less",
    ],
    ["a line that would begin something else", "1. one\n- two", "1\\. one - two"],
  ])("%s", (_, source, markdown) => {
    expect(written(`=pod\n\n${source}\n`)).toBe(markdown);
  });
});

describe("links", () => {
  const link = (name: string, section: string) =>
    name === "Foo::Bar" ? `bar.pod${section === "" ? "" : `#${section}`}` : undefined;
  test.each([
    ["a page", "L<Foo::Bar>", "[`Foo::Bar`](bar.pod)"],
    ["a page, in words", "L<the B<bar>|Foo::Bar>", "[the bar](bar.pod)"],
    ["a section of one", 'L<Foo::Bar/"use">', "[“use” in Foo::Bar](bar.pod#use)"],
    ["a page that is not here", "L<Other> L<x|Other/y> L<crontab(5)>", "`Other` x `crontab(5)`"],
    [
      "an address",
      "L<https://a.example/b_c> L<w|https://a.example/>",
      "[https://a.example/b_c](https://a.example/b_c) [w](https://a.example/)",
    ],
    ["an address that runs code is none", "L<w|javascript:alert(1)>", "w"],
  ])("%s", (_, source, markdown) => {
    expect(readPod(`=pod\n\n${source}\n`, link).markdown).toBe(markdown);
  });

  test("a section of the page itself, by its heading or by what a list explains", () => {
    const source =
      '=head1 In C<use>, and more\n\nL</"In use, and more"> L<"open"> L</open HANDLE> L</none>\n\n=over\n\n=item open HANDLE\n\nOpens.\n\n=back\n';
    expect(written(source)).toContain(
      "[“In use, and more”](#In-use-and-more) [“open”](#open-HANDLE) [“open HANDLE”](#open-HANDLE) “none”",
    );
  });
});

describe("blocks", () => {
  test("lines that are set in stay as they are, and are one piece over empty lines", () => {
    expect(written("=pod\n\n  my $x = 1;\n\n\tB<no code>\n\nWords.\n")).toBe(
      "```perl\nmy $x = 1;\n\n      B<no code>\n```\n\nWords.",
    );
  });

  test.each([
    ["bullets", "=over\n\n=item *\n\na\n\n=item * b\n\n=back", "- a\n- b"],
    [
      "numbers",
      "=over 4\n\n=item 1.\n\na\n\n=item 2\n\nb\n\n  c\n\n=back",
      "1. a\n\n2. b\n\n   ```\n   c\n   ```",
    ],
    [
      "terms, of which some mean the same",
      "=over\n\n=item -x\n\n=item --long\n\nDoes it.\n\n=item C<y>\n\nNo.\n\n=back",
      '- **<a id="x"></a>-x**\\\n  **<a id="long"></a>--long**\\\n  Does it.\n- **<a id="y"></a>`y`**\\\n  No.',
    ],
    ["lists in lists", "=over\n\n=item *\n\na\n\n=over\n\n=item *\n\nb\n\n=back\n\n=back", "- a\n\n  - b"],
    ["what is only set in", "=over\n\nWords.\n\n=back", "Words."],
    ["a list that nothing ends", "=over\n\n=item * a\n\n=head1 B", "- a\n\n# B {#B}"],
  ])("%s", (_, source, markdown) => {
    expect(written(`=pod\n\n${source}\n`)).toBe(markdown);
  });

  test("what a long list of the page explains are sections, each with its own place", () => {
    const items = Array.from(
      { length: 30 },
      (_, n) => `=item f${n} X\n\n=item f${n}\n\n${"Word. ".repeat(150)}`,
    );
    const markdown = written(
      `=head1 NAME\n\nx\n\n=head1 Functions\n\n=over\n\n${items.join("\n\n")}\n\n=back\n`,
    );
    expect(markdown).toContain('### f7 X {#f7-X}\n\n**<a id="f7"></a>f7**\n\nWord.');
  });

  test("of two places with one name, the later one has a number", () => {
    expect(written("=head1 A\n\n=head1 A\n")).toBe("# A {#A}\n\n# A {#A1}");
  });

  test("no page, however it is made, takes long or fails", () => {
    for (const piece of [
      "B<",
      "=over\n\n",
      "=item x\n\n",
      ">",
      "L<a|",
      "=begin x\n\n",
      "C<< ",
      "  a\n\n",
      "=head1 A\n\n",
    ])
      expect(readPod(`=pod\n\n${piece.repeat(40_000)}`).faults).toEqual([]);
    expect(readPod(`=pod\n\n${"x ".repeat(2_000_000)}`).faults).toHaveLength(1);
  });
});
