import { Field } from "../kit/form/field.tsx";
import { type Option, Select } from "../kit/form/select.tsx";
import { Card } from "../kit/layout/card.tsx";
import { formatNumber } from "../kit/text/format-number.ts";
import { type Enrichment, siteOperations } from "../replies.ts";
import type { SiteView } from "../site-view.ts";
import { useResource } from "../use-resource.ts";

type Mode = SiteView["settings"]["enrichment"];

const MODES: Option<Mode>[] = [
  { value: "off", label: "Off" },
  { value: "prepare", label: "Written and measured, not used" },
  { value: "on", label: "Used by search, where nothing is lost by it" },
];

interface EnrichmentCardProps {
  domain: string;
  value: Mode;
  onChange(mode: Mode): void;
  error: string | undefined;
}

/** Whether the model writes questions for passages, and what that was worth so far. */
export function EnrichmentCard({ domain, value, onChange, error }: EnrichmentCardProps) {
  const { data: state } = useResource<Enrichment>(`${siteOperations(domain)}/enrichment`);
  return (
    <Card title="Questions that the model writes for search">
      <div className="form">
        <Field
          label="For each passage"
          hint="In the background, while nobody asks, the model writes what readers might ask. Nobody sees these questions; they only help to find the passage."
          error={error}
        >
          <Select value={value} options={MODES} onChange={onChange} />
        </Field>
        {state !== undefined && (state.mode !== "off" || state.written > 0) && (
          <ul>
            {enrichmentLines(state).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  );
}

/** What there is to know, in sentences. */
export function enrichmentLines(state: Enrichment): string[] {
  const { written, refused, passages, minutesToday, minutesPerDay, isCounted, measure, questionsMin } = state;
  return [
    `Questions are written for ${formatNumber(written)} of ${formatNumber(passages)} passages.`,
    ...(refused > 0 ? [`Of ${formatNumber(refused)} the model wrote nothing that can be used.`] : []),
    `Models have written for ${minutesToday} of ${minutesPerDay} minutes today, for all sites.`,
    ...measuredLines(measure, questionsMin),
    isCounted ? "Search uses them." : "Search does not use them.",
  ];
}

function measuredLines(measure: Enrichment["measure"], questionsMin: number): string[] {
  if (measure === null) return ["Not measured yet."];
  const { questions, better, worse } = measure;
  if (questions === 0) return ["No questions are kept for evaluation: what they are worth is not known."];
  const said = `Of ${questions} kept questions, ${better} find their pages higher with them, and ${worse} lower.`;
  return questions < questionsMin ? [said, `Fewer than ${questionsMin} questions show little.`] : [said];
}
