import { describe, expect, test } from "bun:test";
import { aliasOf, isManPage, readMan } from "../../../../src/reading/markdown/man/man.ts";
import { parsePage } from "../../../../src/reading/markdown/page.ts";

const HEAD = '.TH FOO 1 "2024-01-01"\n.SH NAME\nfoo \\- does things\n.SH DESCRIPTION\n';
const link = (name: string, section: string) => (name === "bar" ? `bar.${section}` : undefined);

/** What a page says below its description's heading. */
const described = (source: string) =>
  readMan(HEAD + source, link).markdown.split("## DESCRIPTION {#DESCRIPTION}\n\n")[1] ?? "";

describe("which texts are manual pages", () => {
  test("a page begins as roff and says its title", () => {
    expect(isManPage(HEAD)).toBe(true);
    expect(isManPage(`'\\" t\n.\\" A comment.\n${HEAD}`)).toBe(true);
    expect(isManPage(".Dd January 1, 2024\n.Dt FOO 1\n.Os\n")).toBe(true);
    expect(isManPage(".so man1/foo.1\n")).toBe(true);
  });

  test("a log, a list of dot files and a program are none", () => {
    expect(isManPage("2024-01-01 started\n.TH not\n")).toBe(false);
    expect(isManPage(".bashrc\n.profile\n")).toBe(false);
    expect(isManPage("\u007fELF\u0000\u0000")).toBe(false);
    expect(isManPage("")).toBe(false);
  });

  test("an alias says nothing but what it stands for", () => {
    expect(aliasOf('.\\" Generated.\n.so man1/foo.1\n')).toBe("man1/foo.1");
    expect(aliasOf(`.so man1/foo.1\n${HEAD}`)).toBeUndefined();
  });
});

describe("the macros of man(7)", () => {
  test("the title is written as the page's name is, and the line of names describes it", () => {
    const { title, description } = readMan(HEAD);
    expect({ title, description }).toEqual({ title: "foo(1)", description: "does things" });
    const large = readMan('.TH X11\\-SERVER 7\n.SH NAME\nX11-Server, other -- shows "windows"\n');
    expect(large.title).toBe("X11-Server(7)");
    expect(large.description).toBe('shows "windows"');
  });

  test("headings have the anchors that mandoc gives them", () => {
    const { markdown } = readMan(`${HEAD}.SH "EXIT STATUS"\nZero.\n.SS Sub part\nx\n.SS Sub part\ny\n`);
    expect(markdown).toContain("## EXIT STATUS {#EXIT_STATUS}");
    expect(markdown).toContain("### Sub part {#Sub_part}");
    expect(markdown).toContain("### Sub part {#Sub_part~2}");
  });

  test("options are a list of definitions, with the terms above one text together", () => {
    const written = described(
      '.TP\n.BR \\-f ", " \\-\\-force\nWithout asking.\n.TP\n.B \\-q\n.TQ\n.B \\-\\-quiet\nSays less.\n.RS\n.PP\nAnd more.\n.RE\n.PP\nAfter.\n',
    );
    expect(written).toBe(
      [
        '- **<a id="f"></a>`-f`, `--force`**\\\n  Without asking.',
        '- **<a id="q"></a>`-q`**\\\n  **<a id="quiet"></a>`--quiet`**\\\n  Says less.\n\n  And more.',
        "After.",
      ].join("\n\n"),
    );
  });

  test("DocBook's terms stand above what is set in", () => {
    expect(
      described(".PP\n\\-\\-onto <base>\n.RS 4\nWhere to.\n.RE\n.PP\nNote this:\n.RS 4\nA text.\n.RE\n"),
    ).toBe("- **--onto \\<base>**\\\n  Where to.\n\nNote this:\n\nA text.");
  });

  test("bullets, numbers, and what goes on below them", () => {
    const written = described(
      ".IP \\(bu 2\nOne\n.IP\nmore\n.IP \\(bu 2\nTwo\n.PP\nx\n.IP 1. 4\nFirst\n.IP 2. 4\nSecond\n",
    );
    expect(written).toBe("- One\n\n  more\n\n- Two\n\nx\n\n1. First\n2. Second");
  });

  test("a number that is explained is a term: a status that a program ends with", () => {
    expect(described(".IP 0\nAll went well.\n.IP 123\nNot all.\n")).toBe(
      "- **0**\\\n  All went well.\n- **123**\\\n  Not all.",
    );
  });

  test("fonts by macros and by escapes: what is typed is code", () => {
    expect(
      described(
        ".B foo\nreads\n.I file\nor\n.IR /etc/foo.conf ,\nand \\fB\\-\\-out\\fR=\\fIfile\\fP; \\f(CWx y\\fP.\n",
      ),
    ).toBe("**foo** reads *file* or `/etc/foo.conf`, and `--out=file`; `x y`.");
    expect(described('.BI \\-n " num"\n.br\n.RB [ \\-v ]\n')).toBe("`-n` *num*\\\n[`-v`]");
  });

  test("names of pages are links where there is such a page", () => {
    expect(described(".BR bar (1),\n\\fBbar\\fP(5) and\n.BR baz (3)\n.MR bar 8 .\n")).toBe(
      "[bar(1)](bar.1), [bar(5)](bar.5) and baz(3) [bar(8)](bar.8).",
    );
  });

  test("links", () => {
    expect(described(".UR https://example.com/a\nThe site\n.UE .\n.MT a@example.com\n.ME\n")).toBe(
      "[The site](https://example.com/a). [a@example.com](mailto:a@example.com)",
    );
    expect(described(".UR javascript:alert(1)\nclick\n.UE\n")).toBe("click");
  });

  test("lines that are not filled are code", () => {
    expect(
      described(
        "So:\n.PP\n.nf\n.RS\n\\fBfoo\\fP \\-x \\e\n  | `y`\n.RE\n.fi\n.PP\nThen.\n.EX\n#include <a.h>\n.EE\n",
      ),
    ).toBe("So:\n\n```\nfoo -x \\\n  | `y`\n```\n\nThen.\n\n```c\n#include <a.h>\n```");
  });

  test("a synopsis is what is typed", () => {
    const source =
      ".TH FOO 1\n.SH SYNOPSIS\n.SY foo\n.OP \\-a x\n.RI [ file ]\n.YS\n.B foo\n\\-\\-help\n.SH OTHER\nx\n";
    expect(readMan(source).markdown).toContain("```\nfoo [-a x] [file]\nfoo --help\n```");
    const hanging = ".TH FOO 1\n.SH SYNOPSIS\n.TP\n.B foo\n[\n.B \\-a\n]\n.TP\n.B foo\n.I file\n";
    expect(readMan(hanging).markdown).toContain("```\nfoo [ -a ]\nfoo file\n```");
  });

  test("escapes, strings and special characters", () => {
    expect(
      described(
        "a\\-b \\(em \\[u00E9] \\*(lqq\\*(rq \\e \\N'65' \\s-1small\\s0 \\0x\\c\ny \\o'ab' \\[:u] \\(+- \\h'3n'z \\\" gone\n",
      ),
    ).toBe("a-b — é “q” \\ A small xy a ü ± z");
  });

  test("a page's own macros and strings, and conditions for a terminal", () => {
    const source = [
      ".de Zz",
      "\\\\fB\\\\$1\\\\fR: \\\\$2",
      "..",
      '.ds Nn "twice',
      '.Zz "one two" \\*(Nn',
      ".ie n in a terminal",
      ".el on paper",
      ".if t \\{\\",
      "printed \\{ too \\}",
      ".\\}",
      ".if !'a'b' different.",
      ".ig",
      "ignored",
      "..",
    ].join("\n");
    expect(described(source)).toBe("**one two**: twice in a terminal different.");
  });

  test("tables", () => {
    expect(
      described(
        ".TS\ntab(|) allbox;\nlb lb\nl l.\nName|Means\n_\n\\fB\\-a\\fP|T{\nAll of\n.I them\nT}\nb|x\\[ba]y\n.TE\n",
      ),
    ).toBe("| Name | Means |\n| --- | --- |\n| `-a` | All of *them* |\n| b | x\\|y |");
  });

  test("words that macros set in a cell of a table", () => {
    const cell = [".BR policy , \\ cls ).", ".SM not", '.IP "" 2', ".MR ls 1 ,", ".br", '.SB "no more"'];
    expect(described([".TS", "l l.", "a\tT{", ...cell, "T}", ".TE", ""].join("\n"))).toBe(
      "| a | **policy**, **cls**). not ls(1), no more |\n| --- | --- |",
    );
  });

  test("what would be Markdown stays as it is written", () => {
    expect(described("a *b* <c> [d](e) `f`\n.PP\n# g\n.br\n1. h\n")).toBe(
      "a \\*b\\* \\<c> [d\\](e) \\`f\\`\n\n\\# g\\\n1\\. h",
    );
  });
});

describe("the macros of mdoc(7)", () => {
  const page = (body: string) => readMan(`.Dd January 1, 2024\n.Dt FOO 1\n.Os\n${body}`, link);
  const words = (body: string) => page(`.Sh D\n${body}`).markdown.replace("## D {#D}\n\n", "");

  test("the name, and what is typed", () => {
    const { title, description, markdown } = page(
      '.Sh NAME\n.Nm foo\n.Nd does things\n.Sh SYNOPSIS\n.Nm\n.Op Fl a | Fl -all\n.Op Fl o Ns Ar file\n.Ar ...\n.Nm\n.Fl h\n.In stdio.h\n.Ft int\n.Fn puts "const char *s"\n',
    );
    expect({ title, description }).toEqual({ title: "foo(1)", description: "does things" });
    expect(markdown).toContain(
      "```c\nfoo [-a | --all] [-ofile] ...\nfoo -h\n#include <stdio.h>\nint puts(const char *s);\n```",
    );
  });

  test("lists of all kinds", () => {
    expect(words(".Bl -tag -width x\n.It Fl a , Fl -all Ar x\nAll.\n.It Xo\n.Fl b\n.Xc\nBoth.\n.El\n")).toBe(
      '- **<a id="a"></a>`-a`, `--all` *x***\\\n  All.\n- **<a id="b"></a>`-b`**\\\n  Both.',
    );
    expect(words(".Bl -bullet\n.It\none\n.It\ntwo\n.Bl -enum\n.It\nx\n.El\n.El\n")).toBe(
      "- one\n\n- two\n\n  1. x",
    );
    expect(words('.Bl -column a b\n.It Sy Name Ta Means\n.It "x y" Ta z\n.El\n')).toBe(
      "| **Name** | Means |\n| --- | --- |\n| x y | z |",
    );
  });

  test("enclosures, spacing and punctuation", () => {
    expect(
      words(
        ".Dq Em one ,\n.Pq see Xr bar 1 .\n.Sm off\n.Ar a : b\n.Sm on\n.Ql x\n.Oo Fl c\n.Oc ;\n.Pf ( Ev HOME )\n",
      ),
    ).toBe("“*one*”, (see [bar(1)](bar.1)). *a:b* ‘x’ [`-c`]; (`HOME`)");
  });

  test("displays, functions, standards and books", () => {
    expect(
      words(
        "So:\n.Bd -literal -offset x\n  a\n    .b\n.Ed\n.Dl foo -x\n.Fn f a b\nis of\n.St -p1003.1-2008\nand\n.Fx 12.0 .\n",
      ),
    ).toBe(
      "So:\n\n```\na\n  .b\n```\n\n```\nfoo -x\n```\n\n**f**(a, b) is of IEEE Std 1003.1-2008 (“POSIX.1”) and FreeBSD 12.0.",
    );
    expect(words(".Rs\n.%A A. Author\n.%T Title\n.Re\n.Lk https://example.com here\n.Sx EXIT STATUS\n")).toBe(
      "A. Author, *Title*. [here](https://example.com) [EXIT STATUS](#EXIT_STATUS)",
    );
    expect(page(".Sh NAME\n.Nm foo\n.Sh E\n.Ex -std\n").markdown).toContain(
      "The **foo** utility exits 0 on success, and >0 if an error occurs.",
    );
  });
});

describe("pages that are no pages", () => {
  // Each would never end, or grow beyond all bounds, if nothing held it.
  const hostile: Record<string, string> = {
    "a macro that calls itself": ".de X\na\n.X\n.X\n..\n.X\n",
    "two macros that call each other": ".de X\n.Y\n..\n.de Y\n.X\n..\n.X\n",
    "strings that double": `.ds s aaaaaaaa\n${".as s \\*s\n".repeat(60)}\\*s\n`,
    "strings of themselves": ".ds s \\\\*s\\\\*s\n\\*s\n",
    "conditions in conditions": `${".if n ".repeat(20_000)}x\n`,
    "blocks that do not end": ".if t \\{\\\n".repeat(5_000),
    "a deep list": ".TP\na\nb\n.RS\n".repeat(5_000),
    "an endless loop": ".while 1 \\{\\\na\n.\\}\n",
    backslashes: "\\".repeat(50_000),
  };
  for (const [name, source] of Object.entries(hostile))
    test(name, () => {
      expect(described(source).length).toBeLessThan(5_000_000);
    });

  test("each line of a page is looked at once", () => {
    // Twice the page gives twice the Markdown: nothing is lost or said again.
    const lines = (count: number) => described(".B a\nb(1)\n.sp\n".repeat(count)).split("\n\n").length;
    expect(lines(2_000)).toBe(2_000);
  });
});

test("a page that is served by itself is read as well", () => {
  const page = parsePage(`${HEAD}Words.\n`, { fallbackTitle: "x", format: "man" });
  expect(page.title).toBe("foo(1)");
  expect(page.description).toBe("does things");
  expect(page.passages.map(({ text }) => text).join()).toContain("Words.");
});
