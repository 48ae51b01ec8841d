import { safeLink } from "@docent/kernel/text/safe-url";
import { placeMark } from "../../markdown/anchors.ts";
import { createLine, type LineOptions, openLink } from "../../markdown/html/html.ts";
import type { Span, WordsSpan } from "./block.ts";

interface SpanOptions extends LineOptions {
  /** Leaves out emphasis, for words that are a title already. */
  plain?: boolean;
  /** Writes links as their words. */
  unlinked?: boolean;
}

/** A paragraph as Markdown. */
export function writeSpans(spans: readonly Span[], options: SpanOptions = {}): string {
  const line = createLine(options);
  const { plain = false, unlinked = false } = options;
  let href: string | undefined;
  let closeLink: (() => void) | undefined;
  const endLink = () => {
    closeLink?.();
    closeLink = undefined;
    href = undefined;
  };
  for (const span of joined(spans)) {
    if (!("text" in span)) {
      if ("lineBreak" in span) line.lineBreak();
      else if ("note" in span) {
        endLink();
        line.note(span.note);
      } else line.place(placeMark(span.place));
      continue;
    }
    const target = unlinked ? undefined : linkOf(span.href);
    if (target !== href) endLink();
    if (target !== undefined && closeLink === undefined) {
      closeLink = openLink(line, target);
      href = target;
    }
    writeWords(span, line, plain);
  }
  endLink();
  return line.finish();
}

function writeWords(
  { text, strong, emphasis, code }: WordsSpan,
  line: ReturnType<typeof createLine>,
  plain: boolean,
) {
  if (code === true) {
    line.code(text);
    return;
  }
  const marks =
    plain || text.trim() === "" ? "" : `${strong === true ? "**" : ""}${emphasis === true ? "*" : ""}`;
  // Spaces at the ends of marked words are not marked.
  if (marks === "") line.words(text);
  else {
    if (/^\s/.test(text)) line.space();
    const close = line.open(marks);
    line.words(text.trim());
    close(marks);
    if (/\s$/.test(text)) line.space();
  }
}

/** Spans that look alike as one: programs cut words at every change and check of spelling. */
function joined(spans: readonly Span[]): Span[] {
  const out: Span[] = [];
  for (const span of spans) {
    const last = out.at(-1);
    if (last !== undefined && "text" in span && "text" in last && looksAlike(span, last))
      out[out.length - 1] = { ...last, text: last.text + span.text };
    else out.push(span);
  }
  return out;
}

const looksAlike = (a: WordsSpan, b: WordsSpan) =>
  a.href === b.href &&
  (a.code ?? false) === (b.code ?? false) &&
  // Nobody sees how a space is marked.
  (a.text.trim() === "" ||
    ((a.strong ?? false) === (b.strong ?? false) && (a.emphasis ?? false) === (b.emphasis ?? false)));

/** A target that readers can follow: an address, a mail, or a place in the page. */
export function linkOf(href: string | undefined): string | undefined {
  const written = href?.trim();
  if (written === undefined || !/^(?:https?:\/\/|mailto:|#)./i.test(written)) return undefined;
  return safeLink(written);
}

/** The words of spans, as they are. */
export function plainSpans(spans: readonly Span[]): string {
  return spans.map((span) => ("text" in span ? span.text : "lineBreak" in span ? "\n" : "")).join("");
}
