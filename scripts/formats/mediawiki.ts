import { cp, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { runPhp, shareOf, unpacked } from "./debian.ts";
import type { FormatJudge } from "./judge.ts";

const EXTENSIONS = ["Cite", "ParserFunctions", "Poem"];

/** MediaWiki itself, which reads the dump into an empty wiki, and shows each page of it. */
export const mediawiki: FormatJudge = {
  name: "mediawiki",
  needs: "apt-get of Debian 12, php-cli, php-xml, php-mbstring, php-intl and php-sqlite3",
  isPage: (file) => file.endsWith(".xml"),
  async command({ page, out }) {
    const folder = await unpacked("mediawiki", ["mediawiki", "mediawiki-classes"]);
    const wiki = `${out}.wiki`;
    await cp(shareOf(folder, "mediawiki"), wiki, { recursive: true, verbatimSymlinks: true });
    for (const name of ["LocalSettings.php", "extensions", "images", "config"])
      await rm(join(wiki, name), { force: true });
    await symlink("extensions-core", join(wiki, "extensions"));
    await runPhp(
      [
        "maintenance/install.php",
        "--dbtype=sqlite",
        `--dbpath=${join(wiki, "data")}`,
        `--pass=${crypto.randomUUID()}`,
        "--server=http://site.invalid",
        "--scriptpath=/w",
        "Harbour",
        "Nobody",
      ],
      { folder: wiki },
    );
    const settings = join(wiki, "LocalSettings.php");
    const loaded = EXTENSIONS.map((name) => `wfLoadExtension("${name}");\n`).join("");
    await Bun.write(settings, `${await Bun.file(settings).text()}\n${loaded}`);
    await runPhp(["maintenance/importDump.php", "--quiet", page], { folder: wiki });
    return ["php", join(import.meta.dir, "render-mediawiki.php"), wiki, page, out];
  },
  isContent: ({ tag }) => tag === "body",
  // Marks of notes, and arrows back to them.
  isNoise: ({ classes }) => classes.has("reference") || classes.has("mw-cite-backlink"),
  isMade: ({ id }) => id === "toc",
};
