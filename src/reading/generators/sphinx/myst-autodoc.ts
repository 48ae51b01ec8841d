import { codeAt, writeCode } from "../writing/writing.ts";
import { type AutodocSettings, asksForPrograms, createAutodoc } from "./autodoc.ts";
import { directiveAt, optionLines } from "./myst-directive.ts";

const AUTO = /^(?:py:)?auto[a-z]+$/;
const MODULE = /^(?:py:)?(?:current)?module$/;

/** Puts what programs say of themselves into the places where a page of MyST asks for it. */
export async function expandMystAutodoc(
  text: string,
  settings: AutodocSettings,
  faults: Set<string>,
): Promise<string> {
  if (!asksForPrograms(text)) return text;
  const autodoc = createAutodoc(settings, faults);
  const lines = text.split("\n");
  const out: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const found = directiveAt(lines, at);
    const length = found?.length ?? codeAt(lines, at)?.length ?? 1;
    const rst =
      found === undefined
        ? undefined
        : found.name === "eval-rst"
          ? found.lines.join("\n")
          : AUTO.test(found.name)
            ? [
                `.. ${found.name}:: ${found.argument}`,
                ...optionLines(found.lines).map((line) => `   ${line}`),
              ].join("\n")
            : undefined;
    if (found !== undefined && MODULE.test(found.name))
      autodoc.enterModule(found.argument === "None" ? "" : found.argument);
    if (found === undefined || rst === undefined) out.push(...lines.slice(at, at + length));
    else out.push(...writeCode("{eval-rst}", (await autodoc.expand(rst)).split("\n"), found.indent));
    at += length - 1;
  }
  return out.join("\n");
}
