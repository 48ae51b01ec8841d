import { cpus, release, totalmem, type } from "node:os";
import { $ } from "bun";

/** Describes the machine that the figures were measured on. */
export async function describeMachine(docentVersion: string): Promise<[string, string][]> {
  const cores = cpus();
  return [
    ["Docent", `${docentVersion}${(await hasChanges()) ? ", with uncommitted changes" : ""}`],
    ["Date", `${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC`],
    [
      "Processor",
      `${cores.length} cores of ${cores[0]?.model.trim() ?? "an unknown model"}, ${process.arch}`,
    ],
    ["Memory", `${Math.round(totalmem() / 2 ** 30)} GiB`],
    ["System", `${type()} ${release()}`],
    ["Bun", Bun.version],
  ];
}

async function hasChanges(): Promise<boolean> {
  const result = await $`git status --porcelain -- src migrations package.json`
    .cwd(`${import.meta.dir}/../..`)
    .quiet()
    .nothrow();
  return result.exitCode === 0 && result.text().trim() !== "";
}
