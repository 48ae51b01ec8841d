import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { obtain } from "./installed.ts";
import { vitepress } from "./vitepress.ts";

/*
 * Builds a site of ours that has a program of its own for ids and addresses, and records its pages as a host serves them. What
 * the theme puts around our words is left out, but for its links. `bun scripts/generators/record-published.ts` writes it anew.
 */

const FIXTURE = join(import.meta.dir, "../../test/fixtures/published/vitepress");
const BUILD_MS = 600_000;

const untilMs = Date.now() + BUILD_MS;
const installed = await obtain(vitepress, untilMs);
const work = await mkdtemp(join(tmpdir(), "docent-published-"));
try {
  const [source, into] = [join(work, "site"), join(work, "built")];
  await cp(join(FIXTURE, "site"), source, { recursive: true });
  await vitepress.build({ installed, source, into, untilMs, isForeign: false });
  const recorded = join(FIXTURE, "built");
  await rm(recorded, { recursive: true, force: true });
  for (const file of new Bun.Glob("**/*.html").scanSync({ cwd: into }))
    if (file !== "404.html")
      await Bun.write(join(recorded, file), withoutTheme(await Bun.file(join(into, file)).text()));
} finally {
  await rm(work, { recursive: true, force: true });
}

/** A page's title, its links, and its content. */
function withoutTheme(html: string): string {
  const links = new Set<string>();
  const rewriter = new HTMLRewriter()
    .on("script, style, svg, link, meta, button, footer, .VPLocalNav, .VPSkipLink, .VPDocAsideOutline", {
      element: (element) => void element.remove(),
    })
    .on("header a[href], aside a[href], footer a[href]", {
      element: (element) => void links.add(element.getAttribute("href") ?? ""),
    })
    .on("header, aside", { element: (element) => void element.remove() })
    .on("*", {
      element(element) {
        for (const [name] of [...element.attributes])
          if (!["id", "href", "class", "lang"].includes(name)) element.removeAttribute(name);
      },
      comments: (comment) => void comment.remove(),
    });
  const page = rewriter.transform(html);
  const menu = [...links]
    .filter((href) => href.startsWith("/"))
    .map((href) => `<li><a href="${href}">${href}</a></li>`);
  const whole = page.replace(/<body[^>]*>/, (body) => `${body}\n<nav><ul>${menu.join("")}</ul></nav>`);
  return `${whole.replace(/\n\s*\n/g, "\n").trim()}\n`;
}
