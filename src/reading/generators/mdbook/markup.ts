import { closesFence, type FenceOpening, fenceMarks, fenceOpening } from "@docent/kernel/text/markdown-lines";
import { languageOf } from "../../markdown/md/md.ts";

/** Marks that a page has from mdBook and its usual preprocessors, as plain Markdown. */
export function readMarkup(markdown: string, { isSmart }: { isSmart: boolean }): string {
  const out: string[] = [];
  let fence: OpenFence | undefined;
  for (const line of markdown.split("\n")) {
    if (fence !== undefined) {
      if (closesFence(line, fence.opening)) {
        out.push(...(fence.isCallout ? ["", ":::"] : [line]));
        fence = undefined;
      } else out.push(...(fence.isRust ? rustLine(line) : [line]));
      continue;
    }
    const opening = fenceOpening(line);
    if (opening === undefined) {
      out.push(...textLine(line, isSmart));
      continue;
    }
    fence = openFence(opening);
    out.push(...(fence.isCallout ? callout(opening.info) : [plainFence(line, opening)]));
  }
  return out.join("\n");
}

interface OpenFence {
  opening: FenceOpening;
  isRust: boolean;
  /** A fence of the preprocessor `admonish`, which holds Markdown. */
  isCallout: boolean;
}

const openFence = (opening: FenceOpening): OpenFence => ({
  opening,
  isRust: languageOf(opening.info) === "rust",
  isCallout: /^admonish\b/.test(opening.info),
});

/** `rust,ignore` is Rust. */
const plainFence = (line: string, { info }: FenceOpening) =>
  info === "" ? line : `${fenceMarks(line)}${languageOf(info) ?? ""}`;

/** Lines that begin with `# ` are there for the compiler, and not shown; `##` shows one. */
function rustLine(line: string): string[] {
  const [, indent = "", next, rest = ""] = /^(\s*)#(.?)(.*)$/.exec(line) ?? [];
  if (next === undefined || !/^[ #]?$/.test(next)) return [line];
  return next === "#" ? [`${indent}#${rest}`] : [];
}

const KINDS = [
  "note",
  "info",
  "tip",
  "hint",
  "success",
  "important",
  "warning",
  "attention",
  "caution",
  "danger",
];

function callout(info: string): string[] {
  const kind = /^admonish\s+(?:type=["'])?([a-z]+)/.exec(info)?.[1] ?? "note";
  const title = (
    /title=(?:"([^"]*)"|'([^']*)')/.exec(info) ?? /^admonish\s+[a-z]+\s+"([^"]*)"/.exec(info)
  )?.slice(1);
  const words = title?.find((each) => each !== undefined)?.replace(/[[\]]/g, "");
  const name = KINDS.includes(kind) ? kind : "note";
  const said = words ?? (name === kind ? "" : kind.charAt(0).toUpperCase() + kind.slice(1));
  return [`:::${name}${said === "" ? "" : `[${said}]`}`, ""];
}

/** The Rust book's own elements for its listings. */
const LISTING = /^\s*<Listing\b([^<>]{0,2000}(?:<[^<>]{0,200}>[^<>]{0,1000}){0,20})>\s*$/;

function textLine(line: string, isSmart: boolean): string[] {
  if (/^ {0,3}#{1,6}\s/.test(line)) {
    // A target within a heading is not the heading's own.
    const plain = line.replace(/<a\s+(?:id|name)=[^<>]{0,300}><\/a>/gi, "");
    return [isSmart && plain.includes("--") ? withDashes(plain) : plain];
  }
  if (!line.includes("Listing") && !line.includes("<!-- ")) return [line];
  if (/^\s*<\/Listing>\s*$/.test(line)) return [""];
  const given = LISTING.exec(line)?.[1];
  if (given === undefined) return [line];
  const attribute = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(given)?.[1] ?? "";
  const number = attribute("number");
  const words = [number === "" ? "" : `Listing ${number}`, attribute("file-name")].filter(
    (each) => each !== "",
  );
  const caption = attribute("caption");
  const label = words.length === 0 ? "" : `**${words.join(": ")}**`;
  return ["", [label, caption].filter((each) => each !== "").join(" "), ""];
}

/** `--` becomes a dash, but not in code. */
const withDashes = (line: string) =>
  line
    .split(/(`+[^`]*`+)/)
    .map((piece, index) => (index % 2 === 1 ? piece : piece.replaceAll("---", "—").replaceAll("--", "–")))
    .join("");
