import license from "../../LICENSE" with { type: "text" };
import type { Command } from "./command.ts";
import thirdParty from "./third-party.txt" with { type: "text" };

export const licenses: Command = {
  name: "licenses",
  usage: "",
  summary: "Show the licence of Docent, and those of what it carries of others.",
  words: [0, 0],
  async run({ terminal }) {
    terminal.out(`${license}\n${thirdParty}`);
    return undefined;
  },
};
