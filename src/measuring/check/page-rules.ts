import { isLeftOut, type Skipped, type SkipReason } from "@docent/reading/source-reader";
import type { CheckedDocs, CheckedPage } from "./checked-docs.ts";
import type { Found } from "./finding.ts";
import { alike } from "./sketch.ts";

/** What the files of docs are found to have, without asking the search anything. */
export function* findInPages(docs: CheckedDocs): Generator<Found, undefined> {
  yield* linkFindings(docs);
  yield* readingFindings(docs);
  for (const page of docs.pages) yield* headingFindings(page);
  yield* sameContentFindings(docs);
  yield* descriptionFindings(docs);
}

function* linkFindings({ broken, pages }: CheckedDocs): Generator<Found, undefined> {
  const files = new Map(pages.map(({ entry, file }) => [entry.id, file]));
  for (const { entry, link, lacks } of broken) {
    const { href, path, anchor } = link;
    const isPage = lacks === "page";
    yield {
      rule: isPage ? "broken-link" : "broken-anchor",
      file: files.get(entry.id) ?? entry.path,
      key: href,
      message: isPage
        ? `The link ${href} leads to no page: there is none at /${path}. Correct the link, or add a redirect from there.`
        : `The link ${href} leads to a page without a heading or place #${anchor}. Correct what stands behind the #, or give the heading that anchor.`,
      seek: { texts: hrefForms(href) },
    };
  }
}

/** How a link may stand in its file: a generator's address is not what its author wrote. */
function hrefForms(href: string): string[] {
  const [place = "", anchor] = href.split("#", 2);
  const name = place.replace(/\/+$/, "").split("/").at(-1) ?? "";
  return [
    `](${href}`,
    href,
    ...(anchor === undefined ? [] : [`#${anchor}`]),
    ...(name.length > 2 ? [`/${name}`, name] : []),
  ];
}

/** What a file was left out for that its author cannot have meant. */
const UNMEANT: readonly SkipReason[] = [
  "too_large",
  "parse_fault",
  "duplicate",
  "not_found",
  "failed",
  "outside",
];

function leftOutMessage({ location, found, reason, detail }: Skipped): string {
  if (reason === "outside") return `${location} ${detail}.`;
  if (reason === "not_found") return `${location} ${detail} (${found}). Add it, or take out what names it.`;
  return `This file is not read: it ${detail}. Mend it, or name it in a .docentignore file.`;
}

/** What only a run of the generator would give is no fault of the page. */
const OF_NO_AUTHOR =
  /^what it computes is left out|which is not done here$|^the shortcode "[^"]*" is not known/;

function* readingFindings({ report }: CheckedDocs): Generator<Found, undefined> {
  for (const skipped of report.skipped)
    if (isLeftOut(skipped) && UNMEANT.includes(skipped.reason))
      yield {
        rule: "left-out",
        file: skipped.location,
        key: skipped.reason,
        message: leftOutMessage(skipped),
      };
  for (const { location, detail: said } of report.faults) {
    const detail = said
      .split("; ")
      .filter((part) => !OF_NO_AUTHOR.test(part))
      .join("; ");
    if (detail !== "")
      yield {
        rule: "page-fault",
        file: location,
        key: detail,
        message: `The page is read, with a fault: ${detail}. Mend it; where a file is not in the source, name the folder that holds it too.`,
      };
  }
}

function* headingFindings({ file, headings }: CheckedPage): Generator<Found, undefined> {
  const anchors = Map.groupBy(
    headings.filter(({ anchor }) => anchor !== ""),
    ({ anchor }) => anchor,
  );
  for (const [anchor, [first, second]] of anchors)
    if (first !== undefined && second !== undefined)
      yield {
        rule: "repeated-anchor",
        file,
        key: anchor,
        message: `Two headings have the anchor #${anchor}, and links reach only the first. Give "${second.words}" another one.`,
        seek:
          first.words === second.words
            ? { texts: [second.source, second.words], nth: 2 }
            : { texts: [second.source, second.words, `#${anchor}`] },
      };
  const trails = Map.groupBy(
    headings.filter(({ words }) => words !== ""),
    ({ trail, level }) => JSON.stringify([level, ...trail]),
  );
  for (const [key, same] of trails) {
    const [first, second] = same;
    if (first === undefined || second === undefined || first.anchor === second.anchor) continue;
    const often = same.length > 2 ? `${same.length} times` : "twice";
    yield {
      rule: "repeated-heading",
      file,
      key,
      message: `The heading "${second.words}" stands ${often} in the same part of the page: its second anchor, #${second.anchor}, depends on their order. Word one of them differently, or give it an anchor.`,
      seek: { texts: [second.source, second.words], nth: 2 },
    };
  }
}

/** The share of runs of words from which two pages say the same. */
export const SAME_MIN = 0.8;

function* sameContentFindings({ pages }: CheckedDocs): Generator<Found, undefined> {
  const editions = Map.groupBy(pages, ({ version, language }) => JSON.stringify([version, language]));
  for (const each of editions.values())
    for (const { thing, twin, share } of alike(each, SAME_MIN))
      yield {
        rule: "same-content",
        file: thing.file,
        key: twin.path,
        line: 1,
        message: `The page says what ${twin.file} says (${Math.round(share * 100)} % of it). Keep one of them, and redirect the other or link to it.`,
      };
}

/** Fewer pages say nothing of what is usual. */
const USUAL_PAGES_MIN = 4;
const USUAL_SHARE = 0.8;

function* descriptionFindings({ pages }: CheckedDocs): Generator<Found, undefined> {
  const lacking = pages.filter(({ description = "" }) => description === "");
  const having = pages.length - lacking.length;
  if (pages.length < USUAL_PAGES_MIN || having < pages.length * USUAL_SHARE) return;
  for (const { file } of lacking)
    yield {
      rule: "missing-description",
      file,
      key: "",
      line: 1,
      message: `The page has no description, as ${having} of ${pages.length} pages have. Say in its front matter in one sentence what it is about.`,
    };
}
