import type { ReactNode } from "react";
import { Card } from "../../kit/layout/card.tsx";
import { formatNumber } from "../../kit/text/format-number.ts";
import { Time } from "../../kit/text/time.tsx";
import { CALLER_WORDS, writerWords } from "../../outcome-words.ts";
import type { Turn } from "../../replies.ts";
import { Link } from "../../router.ts";
import { indexedPagePath, type SiteView } from "../../site-view.ts";
import { Timings } from "./timings.tsx";

/** Who asked, what answered, how large the prompt was and how long it took. */
export function FactsCard({ site, turn }: { site: SiteView; turn: Turn }) {
  return (
    <Card title="How it came about">
      <div className="stack">
        <dl className="facts">
          {factsOf(site, turn).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <Timings timings={turn.timings} />
      </div>
    </Card>
  );
}

function factsOf(site: SiteView, turn: Turn): [name: string, value: ReactNode][] {
  const { currentPath, filter, reader, caller, generation, cached } = turn;
  const narrowed = [
    filter.version && `version ${filter.version}`,
    filter.language && `language ${filter.language}`,
    filter.tag && `tag ${filter.tag}`,
    filter.groups.length > 0 && filter.groups.join(", "),
  ].filter((each) => each !== null && each !== "" && each !== false);
  const facts: [name: string, value: ReactNode, isKnown: boolean][] = [
    ["Asked", <Time key="at" at={turn.askedAt} isWhole />, true],
    ["From", CALLER_WORDS[caller], true],
    [
      "On the page",
      <Link key="page" to={indexedPagePath(site, currentPath ?? "")}>
        /{currentPath}
      </Link>,
      currentPath !== null,
    ],
    ["Narrowed to", narrowed.join(", "), narrowed.length > 0],
    [
      "Reader",
      <span key="reader" className="mono wrap-anywhere">
        {reader}
      </span>,
      reader !== "anonymous",
    ],
    ["Written by", writerWords(turn), writerWords(turn) !== ""],
    ["Given again", "from an earlier answer to the same question", cached],
    ["Prompt", promptWords(turn), turn.promptTokens !== null || turn.promptTokensEstimated !== null],
    ["Answer", `${formatNumber(turn.completionTokens ?? 0)} tokens`, turn.completionTokens !== null],
    ["Generation", String(generation), generation !== null],
  ];
  return facts.filter(([, , isKnown]) => isKnown).map(([name, value]) => [name, value]);
}

function promptWords({ promptTokens, promptTokensEstimated }: Turn): string {
  const counted = promptTokens === null ? "" : `${formatNumber(promptTokens)} tokens`;
  const estimated = promptTokensEstimated === null ? "" : `${formatNumber(promptTokensEstimated)} estimated`;
  return [counted, estimated].filter((words) => words !== "").join(", ");
}
