import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadCommands } from "../../src/cli/commands/commands.ts";
import { manPage } from "../../src/cli/commands/manual/man-page.ts";
import { completionScript, SHELLS } from "../../src/cli/commands/manual/shells/shells.ts";
import { commandTable } from "../../src/cli/commands/manual/table.ts";
import { ended } from "../helpers/ended.ts";

const TABLE = commandTable(await loadCommands());
const folder = mkdtempSync(join(tmpdir(), "docent-manual-"));
beforeAll(() => {
  for (const shell of SHELLS) writeFileSync(join(folder, `docent.${shell}`), completionScript(shell, TABLE));
  writeFileSync(join(folder, "docent.1"), manPage(TABLE, "1.2.3"));
  mkdirSync(join(folder, "zsh"));
  writeFileSync(join(folder, "zsh", "_docent"), completionScript("zsh", TABLE));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(program: string[], input = ""): Promise<{ code: number; out: string; err: string }> {
  const child = Bun.spawn(program, {
    cwd: folder,
    stdin: Buffer.from(input),
    stdout: "pipe",
    stderr: "pipe",
    env: { PATH: Bun.env["PATH"], HOME: folder, TERM: "dumb", LC_ALL: "C.UTF-8", MANWIDTH: "200" },
  });
  return ended(child);
}

const isHere = (program: string) => Bun.which(program) !== null;
const flags = [...TABLE.common, ...TABLE.settings, ...TABLE.commands.flatMap(({ options }) => options)].map(
  ({ flag }) => flag,
);

/** What each line offers, and what it does not. */
const LINES: [line: string, offered: string[], not: string[]][] = [
  ["docent ", ["serve", "sites", "doctor", "help"], ["add", "--data"]],
  ["docent si", ["sites"], ["serve"]],
  ["docent sites ", ["add", "list", "set", "remove"], ["serve", "revoke"]],
  ["docent sites add --", ["--name", "--url", "--data", "--json"], ["--demo"]],
  ["docent serve --d", ["--demo", "--data"], ["--host"]],
  ["docent --json sites ", ["add", "list"], ["serve"]],
  ["docent --data elsewhere sites ", ["add", "list"], ["serve"]],
  ["docent sites add --name list --u", ["--url"], ["--name"]],
  ["docent serve --log-format ", ["auto", "json", "text"], ["serve"]],
  ["docent serve --log-format j", ["json"], ["auto", "text"]],
  ["docent backup ver", ["verify"], ["docent.zsh"]],
  ["docent backup docent.z", ["docent.zsh"], ["docent.bash"]],
];

describe("completion", () => {
  test.each(SHELLS)("for %s has every command and every option", (shell) => {
    const script = completionScript(shell, TABLE);
    const words = TABLE.commands.flatMap(({ name }) => name.split(" "));
    expect(words.filter((word) => !script.includes(word))).toEqual([]);
    expect(flags.filter((flag) => !script.includes(flag))).toEqual([]);
  });

  const offers = {
    bash: async (line: string) => {
      const words = line.split(" ");
      const call = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}`;
      // As the shell does: names of files where the function offers nothing.
      const rest = `_docent; printf '%s\\n' "\${COMPREPLY[@]:-$(compgen -f -- '${words.at(-1)}')}"; complete -p docent`;
      return run(["bash", "--norc", "-c", `source docent.bash; ${call}; ${rest}`]);
    },
    zsh: async (line: string) => run(["zsh", "-f", "-c", atTerminal(line)]),
    fish: async (line: string) => run(["fish", "-N", "-c", `source docent.fish; complete -C '${line}'`]),
  };
  for (const shell of ["bash", "zsh", "fish"] as const) {
    describe.skipIf(!isHere(shell))(`in a real ${shell}`, () => {
      test("loads without a fault", async () => {
        expect(await run([shell, "-n", `docent.${shell}`])).toEqual({ code: 0, out: "", err: "" });
      });

      test.each(LINES)("%p offers what fits", async (line, offered, not) => {
        const { code, out, err } = await offers[shell](line);
        expect({ code, err }).toEqual({ code: 0, err: "" });
        // In fish, what a word means stands behind it.
        const words = new Set(out.split("\n").map((offer) => offer.split("\t")[0]));
        expect(offered.filter((word) => !words.has(word))).toEqual([]);
        expect(not.filter((word) => words.has(word))).toEqual([]);
      });
    });
  }
});

/** Types a line into an interactive zsh, and prints the words that its completion adds, once it says that it has ended. */
function atTerminal(line: string): string {
  return `
zmodload zsh/zpty
rm -f ${folder}/offered ${folder}/ended
zpty z zsh -f -i
zpty -w z 'PS1=; stty -echo cols 400; fpath=(${folder}/zsh $fpath); autoload -Uz compinit; compinit -u -D'
zpty -w z 'compadd() { local -a kept; builtin compadd -O kept "$@"; (( \${#kept} )) && print -rl -- $kept >> ${folder}/offered; builtin compadd "$@" }'
zpty -w z 'offer() { zle complete-word; : > ${folder}/ended }; zle -N offer; bindkey "^I" offer; LISTMAX=0; print rea""dy'
zpty -r -m z text '*ready*'
zpty -w -n z $'${line}\\t'
# What it shows is taken off the terminal, which holds little.
for ((looks = 0; looks < 2000; looks++)); do
  [[ -e ${folder}/ended ]] && break
  zpty -r -t z text || sleep .01
done
zpty -d z
cat ${folder}/offered`;
}

describe("the manual page", () => {
  const page = manPage(TABLE, "1.2.3").replaceAll("\\-", "-");

  test("has every command, every option, and every setting with its variable", () => {
    const names = TABLE.commands.map(({ name }) => `docent ${name}`);
    expect(names.filter((name) => !page.includes(name))).toEqual([]);
    expect(flags.filter((flag) => !page.includes(flag))).toEqual([]);
    expect(page).toContain("DOCENT_LOG_FORMAT");
  });

  test("does not take text for a request of its own", () => {
    const command = { name: "x", usage: '"a\\b"', summary: ".TH is no request\n'nor this", options: [] };
    const lines = manPage({ commands: [command], common: [], settings: [] }, "1").split("\n");
    expect(lines).toContain("\\&.TH is no request");
    expect(lines).toContain("\\&'nor this");
    expect(lines).toContain('.SS "docent x \\(dqa\\eb\\(dq"');
  });

  test.skipIf(!isHere("groff"))("is set by groff without a warning", async () => {
    const set = await run(["groff", "-z", "-ww", "-K", "utf8", "-T", "utf8", "-man", "docent.1"]);
    expect(set).toEqual({ code: 0, out: "", err: "" });
  });

  test.skipIf(!isHere("man"))("is shown by man", async () => {
    const { code, out, err } = await run(["man", "--warnings", "-l", join(folder, "docent.1")]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("docent sites add <domain>");
  });
});
