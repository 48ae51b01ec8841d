import { expect, test } from "bun:test";
import { createAudit } from "../../../src/sites/ingest/audit/audit.ts";

const page = (...texts: string[]) => ({ passages: texts.map((text) => ({ text })) });

test("files that docs say nothing of count where the docs are, and not what is for their authors", () => {
  const audit = createAudit();
  for (const location of ["docs/html/development/index.md", "docs/html/development/a.md", "docs/logo.html"])
    audit.page(location);
  const beside = ["docs/html/cli/run.rst", "docs/html/cli/stop.rst", "docs/man/x.md"];
  for (const location of beside) audit.beside(location);
  for (const location of [
    "packages/a/README.md",
    "news/1.md",
    "docs/README.md",
    "docs/_part.md",
    "docs/a.txt",
  ])
    audit.beside(location);
  audit.ignored(7);
  expect(audit.signs()).toMatchObject({
    files: 12,
    became: 2,
    ignored: 7,
    folders: ["docs/html/cli (2)", "docs/man (1)"],
  });
});

test("blank pages and passages that begin with the same mark are counted", () => {
  const audit = createAudit();
  audit.read(page());
  audit.read(page("  "));
  audit.read(page("r[items.fn.intro]\nA function.", "r[items.fn]\nIt is.", "[Link] to read", "Plain words."));
  audit.read(page("{{#rustdoc}}", "Words [in] it"));
  expect(audit.signs()).toMatchObject({ pages: 4, blank: 2, passages: 7, alike: 2, beginning: "r[…]" });
});
