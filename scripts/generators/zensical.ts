import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { runBounded } from "../bounded.ts";
import { installWithPip } from "./installed.ts";
import type { Judge } from "./judge.ts";
import { materialSite, mkdocsConfigIn } from "./mkdocs.ts";

const PINS = `zensical==0.0.73
markdown-include-variants==0.0.8
mdx-include==1.4.2
mkdocstrings==1.0.8
mkdocstrings-python==2.0.11
griffe==2.4.1
`;

/** Zensical, which reads the configuration of MkDocs too, and whose HTML is that of Material. */
export const zensical: Judge = {
  name: "zensical",
  pins: PINS,
  install: (folder, untilMs) => installWithPip(folder, PINS, untilMs),
  async build({ installed, source, untilMs }) {
    const own = join(source, "zensical.toml");
    const config = existsSync(own) ? own : join(source, mkdocsConfigIn(source));
    const program = join(installed, "bin", "zensical");
    const folder = dirname(config);
    await runBounded([program, "build", "-f", config], { untilMs, folder });
    return materialSite({ config, into: join(folder, "site"), generator: "Zensical 0.0.73" });
  },
};
