import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { shareOf, unpacked } from "./debian.ts";
import type { FormatJudge } from "./judge.ts";

/** DokuWiki's own writer of HTML. */
export const dokuwiki: FormatJudge = {
  name: "dokuwiki",
  needs: "apt-get of Debian 12, php-cli and php-xml",
  isPage: (file) => file.startsWith("data/pages/") && file.endsWith(".txt"),
  async command({ page, out }) {
    const folder = await unpacked("dokuwiki", ["dokuwiki"]);
    const wiki = `${out}.wiki`;
    await cp(shareOf(folder, "dokuwiki"), wiki, { recursive: true, verbatimSymlinks: true });
    for (const name of ["inc/preload.php", "lib/plugins", "lib/tpl", ".htaccess"])
      await rm(join(wiki, name), { force: true });
    for (const name of ["data", "lib"])
      await cp(join(folder, "var/lib/dokuwiki", name), join(wiki, name), { recursive: true });
    await cp(join(folder, "etc/dokuwiki"), join(wiki, "conf"), { recursive: true, verbatimSymlinks: true });
    await Bun.write(
      join(wiki, "conf/local.php"),
      `<?php\n$conf["savedir"] = ${JSON.stringify(join(wiki, "data"))};\n`,
    );
    return ["sh", "-c", 'php -d display_errors=0 "$1/bin/render.php" < "$2" > "$3"', "sh", wiki, page, out];
  },
  isContent: ({ tag }) => tag === "body",
  // Marks and numbers of notes.
  isNoise: ({ classes }) => classes.has("fn_top") || classes.has("fn_bot"),
};
