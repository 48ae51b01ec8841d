import { join } from "node:path";
import { loadCommands } from "../../src/cli/commands/commands.ts";
import { manPage } from "../../src/cli/commands/manual/man-page.ts";
import { completionScript } from "../../src/cli/commands/manual/shells/shells.ts";
import { commandTable } from "../../src/cli/commands/manual/table.ts";
import { type Entry, file } from "./archive/entry.ts";
import type { Companions } from "./packages/tree.ts";
import { ROOT } from "./release-facts.ts";

/** Makes the texts that go with every binary. */
export async function makeCompanions(version: string): Promise<Companions> {
  const table = commandTable(await loadCommands());
  const read = (path: string) => Bun.file(join(ROOT, path)).text();
  return {
    license: await read("LICENSE"),
    thirdParty: await read("src/cli/third-party.txt"),
    readme: await read("README.md"),
    changelog: await read("CHANGELOG.md"),
    man: manPage(table, version),
    completions: {
      bash: completionScript("bash", table),
      zsh: completionScript("zsh", table),
      fish: completionScript("fish", table),
      powershell: completionScript("powershell", table),
    },
  };
}

/** The files of an archive besides the binary, below its folder. */
export function archiveTree(folder: string, { completions, ...texts }: Companions): Entry[] {
  return [
    file(`${folder}/LICENSE`, texts.license),
    file(`${folder}/THIRD-PARTY.txt`, texts.thirdParty),
    file(`${folder}/README.md`, texts.readme),
    file(`${folder}/CHANGELOG.md`, texts.changelog),
    file(`${folder}/docent.1`, texts.man),
    file(`${folder}/completions/docent.bash`, completions.bash),
    file(`${folder}/completions/_docent`, completions.zsh),
    file(`${folder}/completions/docent.fish`, completions.fish),
    file(`${folder}/completions/docent.ps1`, completions.powershell),
  ];
}
