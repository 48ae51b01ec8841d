import { proveSeal, type SealProof } from "@docent/kernel/lib/seal/prove";
import { type Egress, listEgress } from "@docent/running/app/egress";
import { openSeal } from "@docent/running/app/seal";
import { z } from "zod";
import type { Context } from "../../command.ts";
import { printJson, printTable } from "../../output.ts";
import { red, type Text, yellow } from "../../terminal/text.ts";

/** What `docent doctor --egress --json` prints. */
export const EGRESS_SHAPE = z.object({
  sealed: z.boolean(),
  /** What the kernel does besides; null where the process is not sealed. */
  kernel: z.object({ isHeld: z.boolean(), says: z.string() }).nullable(),
  egress: z.array(
    z.object({ what: z.string(), where: z.string(), named: z.string(), refused: z.string().nullable() }),
  ),
  /** What became of the attempts to connect all the same; null where the process is not sealed. */
  proof: z.object({ guardRefused: z.boolean(), kernelRefused: z.boolean(), arrived: z.int() }).nullable(),
});

const COLUMNS: Record<string, (row: Egress) => string> = {
  WHAT: ({ what }) => what,
  WHERE: ({ where }) => where,
  "NAMED BY": ({ named }) => named,
  "MAY BE DIALLED": ({ refused }) => (refused === undefined ? "yes" : "no: sealed"),
};

/** Lists what this server may connect to, and tries whether a sealed one is held back. The exit code says whether it is. */
export async function showEgress(context: Context): Promise<number> {
  const { surroundings } = context;
  const seal = openSeal(surroundings);
  const egress = await listEgress(surroundings, await context.openParts());
  const proof = seal.isSealed ? await proveSeal(seal) : undefined;
  const { kernelSeal: kernel } = surroundings;
  if (context.options["json"] === true)
    printJson(context, {
      sealed: seal.isSealed,
      kernel: kernel ?? null,
      egress: egress.map((each) => ({ ...each, refused: each.refused ?? null })),
      proof: proof ?? null,
    });
  else show(context, egress, proof);
  return proof !== undefined && !isHeld(proof, kernel?.isHeld === true) ? 1 : 0;
}

/** What the kernel lets through where it holds nothing back is no fault of the seal's. */
const isHeld = ({ guardRefused, kernelRefused }: SealProof, byKernel: boolean) =>
  guardRefused && (kernelRefused || !byKernel);

function show(
  { terminal, surroundings: { kernelSeal } }: Context,
  egress: Egress[],
  proof: SealProof | undefined,
): void {
  printTable(terminal, egress, COLUMNS);
  terminal.out("\n");
  if (proof === undefined) {
    terminal.out(
      "Docent is not sealed (the setting sealed): what is named above may be dialled, and nothing else.\n",
    );
    return;
  }
  const byKernel = kernelSeal?.isHeld === true;
  terminal.out(
    line(proof.guardRefused, "Docent's guard", "refused a port of this machine that nothing names"),
  );
  terminal.out(
    byKernel
      ? line(proof.kernelRefused, "The kernel", "refused the same port past the guard")
      : [yellow("warn"), `  ${kernelSeal?.says ?? "the kernel was not asked"}\n`],
  );
}

function line(holds: boolean, who: string, what: string): Text {
  return holds ? [`ok    ${who} ${what}.\n`] : [red("FAIL"), `  ${who} should have ${what}, and did not.\n`];
}
