import type { DocsTree } from "../docs-tree.ts";
import type { Playbook } from "./playbook.ts";

const PAGES_READ = 1_000;
const REFERENCES_MIN = 3;
const GIVEN = /\[\[([\w-]{1,200})[,\]]|^\[#([\w-]{1,200})|\banchor:([\w-]{1,200})\[/gm;
const WANTED = /<<#?([\w-]{1,200})[,>]|xref:[^\s[#]{0,300}#([\w-]{1,200})\[/g;

/**
 * A playbook says how ids are made of headings. Where it lies in another repository, as it often does, the pages'
 * references to their own headings tell whether these have hyphens, and not the low lines that are usual.
 */
export async function withIdStyle(tree: DocsTree, playbook: Playbook): Promise<Playbook> {
  if (playbook.location !== undefined || !(await wantsHyphens(tree))) return playbook;
  return {
    ...playbook,
    attributes: { ...playbook.attributes, idprefix: "", idseparator: "-" },
    unknowns: [
      ...playbook.unknowns,
      {
        question: "Which idprefix and idseparator do headings have? The playbook is not in this source.",
        guess: "none and a hyphen, as the pages' own references are written",
      },
    ],
  };
}

async function wantsHyphens(tree: DocsTree): Promise<boolean> {
  const given = new Set<string>();
  const wanted = new Set<string>();
  const pages = tree.files.filter((file) => /(?:^|\/)modules\/.*\.adoc$/.test(file));
  for (const location of pages.slice(0, PAGES_READ)) {
    const text = (await tree.text(location)) ?? "";
    for (const match of text.matchAll(GIVEN)) given.add(match.slice(1).find((id) => id !== undefined) ?? "");
    for (const match of text.matchAll(WANTED))
      wanted.add(match.slice(1).find((id) => id !== undefined) ?? "");
  }
  const made = [...wanted].filter((id) => !given.has(id));
  const hyphens = made.filter((id) => /^[a-z0-9]+(?:-[a-z0-9]+)+$/.test(id)).length;
  const lowLines = made.filter((id) => /^_[a-z0-9_]+$/.test(id)).length;
  return hyphens >= REFERENCES_MIN && hyphens > lowLines;
}
