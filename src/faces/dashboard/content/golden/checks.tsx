import { useApi } from "../../api.ts";
import { Button } from "../../kit/buttons/button.tsx";
import { Notice } from "../../kit/feedback/notice.tsx";
import { Card } from "../../kit/layout/card.tsx";
import { useConfirm } from "../../kit/overlay/confirm.tsx";
import { useToast } from "../../kit/overlay/toast.tsx";
import { Badge } from "../../kit/text/badge.tsx";
import { Time } from "../../kit/text/time.tsx";
import { type GoldenCheck, siteOperations } from "../../replies.ts";
import { Link } from "../../router.ts";
import { type SiteView, sitePath } from "../../site-view.ts";
import { useAttempt } from "../../use-attempt.ts";
import { ComparedTable } from "./compared-table.tsx";
import { becameWords, checkWords } from "./golden-words.ts";

/** As many runs as somebody looks back on. */
const CHECKS_SHOWN = 5;

/** What the latest runs made of the golden questions. */
export function Checks({ site, checks }: { site: SiteView; checks: readonly GoldenCheck[] }) {
  const [latest] = checks;
  return (
    <>
      {latest?.refused && <Refused site={site} check={latest} />}
      {checks.slice(0, CHECKS_SHOWN).map((check) => (
        <Check key={check.id} site={site} check={check} />
      ))}
    </>
  );
}

function Check({ site, check }: { site: SiteView; check: GoldenCheck }) {
  const { at, source, before, generation, worse, better } = check;
  const { label, tone } = becameWords(check);
  return (
    <Card
      title={`Run of ${source?.location ?? "a source that is gone"}`}
      description={
        <>
          <Time at={at} />, beside generation {before}: {checkWords(check)}.
        </>
      }
      actions={
        <span className="row">
          <Badge tone={tone}>{label}</Badge>
          {generation !== null && (
            <Link to={sitePath(site, "content", "generations", generation)}>What changed</Link>
          )}
        </span>
      }
    >
      {worse.length > 0 && <ComparedTable site={site} label="Questions that got worse" questions={worse} />}
      {better.length > 0 && (
        <ComparedTable site={site} label="Questions that got better" questions={better} />
      )}
    </Card>
  );
}

/** A run that is not published because of the questions, and the way to publish it all the same. */
function Refused({ site, check: { before, source } }: { site: SiteView; check: GoldenCheck }) {
  const api = useApi();
  const confirm = useConfirm();
  const toast = useToast();
  const attempt = useAttempt();
  const publish = async () => {
    if (source === null) return;
    const isAgreed = await confirm({
      title: "Publish it all the same?",
      text: "The source is read again, and readers see what changed, although golden questions get worse.",
      action: "Publish all the same",
      kind: "primary",
    });
    if (!isAgreed) return;
    await attempt(async () => {
      await api.post(`${siteOperations(site.domain)}/sources/${source.id}/runs`, { acceptWorse: true });
      toast("The source is being read.");
    });
  };
  return (
    <Notice
      tone="warn"
      action={
        site.mayChange &&
        source !== null && (
          <Button size="small" onClick={() => void publish()}>
            Publish all the same
          </Button>
        )
      }
    >
      The last run is not published: readers still see generation {before}. The next run asks again.
    </Notice>
  );
}
