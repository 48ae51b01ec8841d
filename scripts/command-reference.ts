import type { DocumentedCommand } from "../src/cli/command.ts";
import { loadCommands } from "../src/cli/commands/commands.ts";
import { jsonFields } from "./json-fields.ts";

const COMMANDS = await loadCommands();

/** Every command with its options, as Markdown for the documentation. */
export function commandReference(commands: readonly DocumentedCommand[] = COMMANDS): string {
  return commands.map(sectionOf).join("\n\n");
}

function sectionOf({ name, usage, summary, options = {}, optionHelp = {}, json }: DocumentedCommand): string {
  const lines = Object.entries(options).map(([option, { type }]) => {
    const value = type === "string" ? " <text>" : "";
    return `- \`--${option}${value}\`: ${optionHelp[option] ?? ""}`;
  });
  const parts = [
    `## ${name}`,
    summary,
    `\`\`\`sh\n${`docent ${name} ${usage}`.trimEnd()}\n\`\`\``,
    [...lines, `- \`--json\`: ${jsonFields(json)}`].join("\n"),
  ];
  return parts.join("\n\n");
}
