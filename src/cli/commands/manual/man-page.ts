import type { Setting } from "@docent/kernel/config/setting";
import { flagOf, SETTINGS } from "@docent/kernel/config/settings";
import type { CommandTable, TableCommand, TableOption } from "./table.ts";

/** The page docent(1), in the language of man. */
export function manPage(table: CommandTable, version: string): string {
  return `${[
    `.TH DOCENT 1 "" "Docent ${text(version)}" "Docent"`,
    ".SH NAME",
    "docent \\- a documentation assistant in one file",
    ".SH SYNOPSIS",
    ".B docent",
    ".I command",
    "[options]",
    ".SH DESCRIPTION",
    ...paragraphs(DESCRIPTION),
    ".SH COMMANDS",
    ...table.commands.flatMap(command),
    ".SH OPTIONS",
    "Every command takes these. They may stand before its name.",
    ...table.common.flatMap(option),
    ".SH SETTINGS",
    ...paragraphs([
      "Settings are options of every command, and environment variables. The value of a variable with _FILE behind its name is read from the file that it names. docent config shows what is in effect.",
    ]),
    ...Object.entries<Setting>(SETTINGS).flatMap(setting),
    ".SH FILES",
    ...FILES.flatMap(([name, meaning]) => [".TP", `.I ${text(name)}`, text(meaning)]),
    ".SH EXIT STATUS",
    ...EXITS.flatMap(([code, meaning]) => [".TP", `.B ${code}`, text(meaning)]),
    ".SH EXAMPLES",
    ...EXAMPLES.flatMap(([meaning, line]) => [
      ".PP",
      text(meaning),
      ".PP",
      ".RS 4",
      ".EX",
      text(line),
      ".EE",
      ".RE",
    ]),
    ".SH SEE ALSO",
    "The documentation is inside the program:",
    ".B docent serve \\-\\-demo",
    "serves it, and answers questions about it.",
  ].join("\n")}\n`;
}

const DESCRIPTION = [
  "Docent answers questions from documentation, with a link for every statement. It reads folders, websites, git repositories and more into a site, and serves an assistant for it over HTTP.",
  "Nothing leaves the machine: everything is kept in one data directory, and the model is the local Ollama. Where there is none, Docent quotes the docs.",
];

const FILES: [name: string, meaning: string][] = [
  ["./docent-data", "The data directory, unless --data or DOCENT_DATA names another one."],
  ["/var/lib/docent", "The data directory of the service that a package installs."],
  ["/etc/docent/docent.env", "The settings of that service: environment variables, one on a line."],
];

const EXITS: [code: number, meaning: string][] = [
  [0, "The command did what it was asked to do."],
  [1, "It failed, and said why."],
  [130, "It was interrupted."],
  [141, "The reader of its output left."],
];

const EXAMPLES: [meaning: string, line: string][] = [
  [
    "Read the docs in a folder, and ask them:",
    'docent sites add acme\ndocent ingest acme ./docs\ndocent ask acme "How do I install it?"',
  ],
  ["Serve the assistant to other machines:", "docent serve --host 0.0.0.0"],
];

const paragraphs = (texts: readonly string[]) =>
  texts.flatMap((each, index) => (index === 0 ? [text(each)] : [".PP", text(each)]));

function command({ name, usage, summary, options }: TableCommand): string[] {
  return [
    `.SS "${text(`docent ${name} ${usage}`.trimEnd()).replaceAll('"', "\\(dq")}"`,
    text(summary),
    ...options.flatMap(option),
  ];
}

function option({ flag, takesValue, help, values }: TableOption): string[] {
  const value = takesValue ? " \\fItext\\fR" : "";
  const only = values.length > 0 ? ` One of ${values.join(", ")}.` : "";
  return [".TP", `\\fB${text(flag)}\\fR${value}`, text(`${help}${only}`)];
}

function setting([name, { env, help, default: fallback }]: [string, Setting]): string[] {
  const hasDefault = fallback !== null && String(fallback) !== "";
  const shown = hasDefault ? ` The default is ${String(fallback)}.` : "";
  return [".TP", `\\fB${text(flagOf(name))}\\fR, \\fB${text(env)}\\fR`, text(`${help}${shown}`)];
}

/** Text as man shows it: a hyphen that can be copied, and no line that is taken for a request. */
function text(plain: string): string {
  return plain
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^(?=[.'])/gm, "\\&");
}
