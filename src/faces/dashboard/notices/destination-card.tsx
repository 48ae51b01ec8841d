import "./notices.css";
import { type ReactNode, useState } from "react";
import { useApi } from "../api.ts";
import { type ApiError, toApiError } from "../api-error.ts";
import { Button } from "../kit/buttons/button.tsx";
import { Failed } from "../kit/feedback/failed.tsx";
import { Notice } from "../kit/feedback/notice.tsx";
import { Card } from "../kit/layout/card.tsx";
import { useConfirm } from "../kit/overlay/confirm.tsx";
import { Menu } from "../kit/overlay/menu.tsx";
import { useToast } from "../kit/overlay/toast.tsx";
import { Badge } from "../kit/text/badge.tsx";
import { counted } from "../kit/text/format-number.ts";
import { Time } from "../kit/text/time.tsx";
import { NOTICES, type NoticeDestination, type TriedNotice } from "../replies.ts";
import { useSession } from "../session-context.ts";
import { useAttempt } from "../use-attempt.ts";
import { ChangeDestinationDialog } from "./change-destination-dialog.tsx";
import { channelLabel, deliveryWords, KIND_WORDS, kindsFor, triedWords } from "./notice-words.ts";
import { ownerName } from "./owners.ts";

interface DestinationCardProps {
  destination: NoticeDestination;
  mayChange: boolean;
  reload: () => Promise<void>;
}

/** Somewhere that notices go: what is told there, whether it arrives, and what may be done about it. */
export function DestinationCard({ destination, mayChange, reload }: DestinationCardProps) {
  const { name, channel, leadsTo } = destination;
  const session = useSession();
  const [isChanging, setIsChanging] = useState(false);
  const sample = useSample(destination);
  const remove = useRemoveDestination(reload);
  return (
    <Card
      title={name}
      description={
        <>
          {channelLabel(channel)} · <span className="mono wrap-anywhere">{leadsTo}</span>
        </>
      }
      actions={
        mayChange && (
          <>
            <Button icon="send" busy={sample.isTrying} aria-label={`Try ${name}`} onClick={sample.send}>
              Try
            </Button>
            <Menu
              label={`Actions for ${name}`}
              items={[
                { label: "Change", icon: "edit", onSelect: () => setIsChanging(true) },
                { label: "Remove", icon: "trash", tone: "bad", onSelect: () => void remove(destination) },
              ]}
            />
          </>
        )
      }
    >
      <div className="stack">
        <dl className="destination-facts">
          <Fact name="Told of">{ownerName(session, destination)}</Fact>
          <Fact name="When">
            <Kinds kinds={destination.kinds} />
          </Fact>
        </dl>
        <Delivery destination={destination} />
      </div>
      <Sample {...sample} />
      {isChanging && (
        <ChangeDestinationDialog
          destination={destination}
          onClose={() => setIsChanging(false)}
          onChanged={() => {
            setIsChanging(false);
            void reload();
          }}
        />
      )}
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="destination-fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Kinds({ kinds }: Pick<NoticeDestination, "kinds">) {
  if (kinds.length === 0) return <span className="quiet">Never: nothing is chosen.</span>;
  return (
    <ul className="row destination-kinds">
      {kindsFor(true)
        .filter((kind) => kinds.includes(kind))
        .map((kind) => (
          <li key={kind}>
            <Badge>{KIND_WORDS[kind].label}</Badge>
          </li>
        ))}
    </ul>
  );
}

/** Whether what was sent arrived. */
function Delivery({ destination }: { destination: NoticeDestination }) {
  const { tone, sentences, tried } = deliveryWords(destination);
  const said = (
    <>
      {tried && (
        <>
          {tried.before} <Time at={destination.last?.at} />
          {tried.after}{" "}
        </>
      )}
      {sentences.join(" ")}
    </>
  );
  if (tone === "quiet") return <p className="small quiet destination-delivery">{said}</p>;
  return <Notice tone={tone}>{said}</Notice>;
}

interface SampleState {
  isTrying: boolean;
  outcome: TriedNotice | undefined;
  error: ApiError | undefined;
}

/** Sends a sample, and keeps what came of it until the next one. */
function useSample({ id }: NoticeDestination): SampleState & { send: () => void } {
  const api = useApi();
  const [state, setState] = useState<SampleState>({ isTrying: false, outcome: undefined, error: undefined });
  const send = async () => {
    setState({ isTrying: true, outcome: undefined, error: undefined });
    try {
      const outcome = await api.post<TriedNotice>(`${NOTICES}/${encodeURIComponent(id)}/try`);
      setState({ isTrying: false, outcome, error: undefined });
    } catch (error) {
      setState({ isTrying: false, outcome: undefined, error: toApiError(error) });
    }
  };
  return { ...state, send: () => void send() };
}

/** What came of a sample. It is spoken, too. */
function Sample({ isTrying, outcome, error }: SampleState) {
  const words = outcome && triedWords(outcome);
  return (
    <div role="status" className="destination-sample">
      {isTrying && <p className="small quiet">A sample is being sent.</p>}
      {words && (
        <Notice tone={outcome.sent ? "good" : "bad"}>
          <strong>{words.title}</strong> {words.text}
        </Notice>
      )}
      {error && <Failed error={error} />}
    </div>
  );
}

/** Removes a destination, once that is agreed to. */
function useRemoveDestination(
  reload: () => Promise<void>,
): (destination: NoticeDestination) => Promise<void> {
  const api = useApi();
  const confirm = useConfirm();
  const toast = useToast();
  const attempt = useAttempt();
  return async ({ id, name, waiting }) => {
    const lost =
      waiting === 0
        ? ""
        : ` ${counted(waiting, "notice")} that still ${waiting === 1 ? "waits is" : "wait are"} not sent.`;
    const isAgreed = await confirm({
      title: `Remove ${name}?`,
      text: `Nothing is told there from then on.${lost}`,
      action: `Remove ${name}`,
    });
    if (!isAgreed) return;
    await attempt(async () => {
      await api.delete(`${NOTICES}/${encodeURIComponent(id)}`);
      toast(`${name} is removed.`);
    });
    await reload();
  };
}
