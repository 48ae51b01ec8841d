import { join } from "node:path";
import type { FormatJudge } from "./judge.ts";
import { isPart } from "./org.ts";

const STYLESHEETS = "/usr/share/xml/docbook/stylesheet";
/** What the stylesheets count and list is no word of the author's. */
const SETTINGS = Object.entries({
  "generate.toc": "",
  "generate.section.toc.level": "0",
  "generate.index": "0",
  "part.autolabel": "0",
  "reference.autolabel": "0",
  "chapter.autolabel": "0",
  "appendix.autolabel": "0",
  "section.autolabel": "0",
}).flatMap(([name, value]) => ["--stringparam", name, value]);

/** DocBook's own stylesheets, for version 4 and for version 5. */
export const docbook: FormatJudge = {
  name: "docbook",
  needs: "xsltproc, docbook-xml, docbook-xsl and docbook-xsl-ns, as Debian installs them",
  isPage: (file) => file.endsWith(".xml") && !isPart(file),
  async command({ page, out }) {
    const isFive = (await Bun.file(page).text()).includes("http://docbook.org/ns/docbook");
    const stylesheet = join(STYLESHEETS, isFive ? "docbook-xsl-ns" : "docbook-xsl", "xhtml/docbook.xsl");
    return ["xsltproc", "--nonet", "--xinclude", ...SETTINGS, "--output", out, stylesheet, page];
  },
  isContent: ({ tag }) => tag === "body",
};
