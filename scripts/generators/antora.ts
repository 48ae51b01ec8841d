import { cp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { asRecord } from "../../src/kernel/text/json.ts";
import { runBounded } from "../bounded.ts";
import { installWithNpm } from "./installed.ts";
import type { Judge } from "./judge.ts";

const PINS = JSON.stringify({
  private: true,
  dependencies: { "@antora/cli": "3.1.15", "@antora/site-generator": "3.1.15" },
});

const OWN_UI = join(import.meta.dir, "..", "..", "test/fixtures/generators/antora/site/ui");

/** Antora with a small UI of ours, which lists the menu as Antora makes it. */
export const antora: Judge = {
  name: "antora",
  pins: PINS,
  install: (folder, untilMs) => installWithNpm(folder, PINS, untilMs),
  async build({ installed, source, into, untilMs, isForeign }) {
    const playbook = join(source, isForeign ? "docent-playbook.yml" : "antora-playbook.yml");
    if (isForeign) await putOwnPlaybook(source, playbook);
    // Antora reads what git has.
    const git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.com"];
    await runBounded([...git, "init", "-q"], { untilMs, folder: source });
    await runBounded([...git, "add", "-A", "-f"], { untilMs, folder: source });
    await runBounded([...git, "commit", "-qm", "x"], { untilMs, folder: source });
    const program = join(installed, "node_modules", "@antora", "cli", "bin", "antora");
    const cache = join(source, ".antora-cache");
    await runBounded(
      ["node", program, "generate", "--to-dir", into, "--cache-dir", cache, "--log-level", "fatal", playbook],
      { untilMs, folder: source },
    );
    const isDropped =
      asRecord(asRecord(Bun.YAML.parse(await Bun.file(playbook).text()))["urls"])["html_extension_style"] ===
      "drop";
    const first = await pageWithMenu(into, (page) => isForeign || page.includes("/"));
    const home = await pageWithMenu(into, (page) => page === "about.html");
    const isMenu = ({ tag, classes }: { tag: string; classes: ReadonlySet<string> }) =>
      tag === "ul" && classes.has("nav");
    return {
      folder: into,
      generator: "Antora 3.1.15",
      base: "/",
      ...(isDropped ? { addressOf: (file: string) => file.replace(/(?:(?:^|\/)index)?\.html$/, "") } : {}),
      leaves: (file) => file === "404.html",
      isContent: ({ tag }) => tag === "main",
      isTitle: ({ tag, classes }) => tag === "h1" && classes.has("page"),
      isNoise: ({ classes, attributes }) =>
        classes.has("footnote") || /^#_footnoteref/.test(attributes["href"] ?? ""),
      // A menu's entry whose page is not there leads to "#module:page.adoc".
      isOwnLink: ({ classes, attributes }) =>
        classes.has("anchor") || classes.has("unresolved") || /^#.*\.adoc/.test(attributes["href"] ?? ""),
      menu:
        isForeign || home === undefined
          ? { page: first ?? "", isMenu }
          : [
              { page: first ?? "", isMenu, label: "The Product" },
              { page: home, isMenu, label: "Home" },
            ],
    };
  },
};

/** Pages that only lead to others have no menu. */
async function pageWithMenu(
  folder: string,
  isWanted: (page: string) => boolean,
): Promise<string | undefined> {
  for (const page of [...new Bun.Glob("**/*.html").scanSync({ cwd: folder })].sort())
    if (isWanted(page) && (await Bun.file(join(folder, page)).text()).includes('<ul class="nav">'))
      return page;
  return undefined;
}

/** A playbook for all components of a repository that is somebody's, with our UI. */
async function putOwnPlaybook(source: string, playbook: string): Promise<void> {
  await cp(OWN_UI, join(source, "docent-ui"), { recursive: true });
  const files = [...new Bun.Glob("**/antora.yml").scanSync({ cwd: source })];
  const given = await givenPlaybook(source);
  await Bun.write(
    playbook,
    JSON.stringify({
      site: { title: "Docs" },
      content: {
        sources: [
          {
            url: ".",
            branches: "HEAD",
            start_paths: files.map((file) => file.replace(/\/?antora\.yml$/, "")),
          },
        ],
      },
      ui: { bundle: { url: "./docent-ui" } },
      asciidoc: { attributes: asRecord(asRecord(given["asciidoc"])["attributes"]) },
      urls: asRecord(given["urls"]),
    }),
  );
}

async function givenPlaybook(source: string): Promise<Readonly<Record<string, unknown>>> {
  const name = (await readdir(source)).sort().find((each) => /playbook.*\.ya?ml$|^site\.ya?ml$/.test(each));
  return name === undefined ? {} : asRecord(Bun.YAML.parse(await Bun.file(join(source, name)).text()));
}
