import { useEffect, useRef, useState } from "react";
import { isAbort, useApi, withQuery } from "../../api.ts";
import { ApiError, toApiError } from "../../api-error.ts";
import { type Source, type SourceRules, siteOperations, sourceRulesPath } from "../../replies.ts";
import { useResource } from "../../use-resource.ts";
import { Button } from "../buttons/button.tsx";
import { Progress } from "../feedback/progress.tsx";
import { FormEnd, givenMarks, type Marks, MarksFields, NO_MARKS } from "../sources/source-fields.tsx";
import { type Column, Table } from "../table/table.tsx";
import { counted, formatBytes } from "../text/format-number.ts";
import {
  archiveIn,
  chooseDocs,
  type DocsChoice,
  type FoundFile,
  type LeftFile,
  uploadNameOf,
  whyLeft,
} from "./choose-docs.ts";
import { DropArea } from "./drop-area.tsx";
import { TooManyFiles } from "./dropped-files.ts";
import { namesInPages } from "./included-names.ts";
import { ZIP_FILES_MAX, zipFiles } from "./zip.ts";

interface UploadFormProps {
  domain: string;
  isBusy: boolean;
  error: ApiError | undefined;
  onUploaded: (source: Source) => Promise<void>;
  /** The source whose archive is replaced; undefined to add a source. */
  replaces?: number;
}

/** What is to be sent. */
interface Parcel {
  name: string;
  bytes: number;
  choice: DocsChoice | undefined;
  pack(options: { onProgress: (files: number) => void; signal: AbortSignal }): Promise<Blob>;
}

type Doing = { step: "packing"; files: number } | { step: "sending"; share: number };

/** Uploads a folder, files or an archive. A folder is packed in the browser, and only its docs leave the machine. */
export function UploadForm({ domain, isBusy, error, onUploaded, replaces }: UploadFormProps) {
  const rules = useResource<SourceRules>(sourceRulesPath(domain));
  const [parcel, setParcel] = useState<Parcel>();
  const [marks, setMarks] = useState(NO_MARKS);
  const [fault, setFault] = useState<string>();
  const path = `${siteOperations(domain)}/uploads${replaces === undefined ? "" : `/${replaces}`}`;
  const method = replaces === undefined ? "POST" : "PUT";
  const { doing, send, stop, sendError, setSendError } = useSending(method, path, onUploaded);

  const taking = useRef(0);

  async function take(found: readonly FoundFile[]): Promise<void> {
    setSendError(undefined);
    taking.current += 1;
    const own = taking.current;
    const named = await namesInPages(found).catch(() => new Set<string>());
    const next = parcelOf(found, { named, bytesMax: rules.data?.uploadBytesMax });
    // Something else was dropped while this was looked at.
    if (own !== taking.current) return;
    const wrong = faultOf(next, rules.data?.uploadBytesMax);
    setFault(wrong);
    setParcel(wrong === undefined ? next : undefined);
  }

  if (doing) return <Sending doing={doing} parcel={parcel} onStop={stop} />;
  return (
    <form
      className="form content-upload"
      onSubmit={(event) => {
        event.preventDefault();
        if (parcel) void send(parcel, replaces === undefined ? sentMarks(marks) : {});
        else setFault("Drop or choose your docs first.");
      }}
    >
      <DropArea
        fault={fault}
        onFiles={(found) => void take(found)}
        onFailed={(caught) => {
          setParcel(undefined);
          setFault(caught instanceof TooManyFiles ? TOO_MANY : UNREADABLE);
        }}
      >
        {parcel && <ParcelText parcel={parcel} />}
      </DropArea>
      {replaces === undefined && <MarksFields marks={marks} onChange={setMarks} />}
      {parcel && (
        <FormEnd error={sendError ?? error} isBusy={isBusy} label={`Upload ${formatBytes(parcel.bytes)}`} />
      )}
    </form>
  );
}

/** The marks as the fields of an address. */
function sentMarks(marks: Marks): Record<string, string> {
  const { groups = [], ...others } = givenMarks(marks);
  return { ...others, ...(groups.length === 0 ? {} : { groups: groups.join(",") }) };
}

/** Packs and sends what was chosen, with how far that is; whoever closes the form does not want it any more. */
function useSending(method: "POST" | "PUT", path: string, onUploaded: UploadFormProps["onUploaded"]) {
  const api = useApi();
  const [doing, setDoing] = useState<Doing>();
  const [sendError, setSendError] = useState<ApiError>();
  const sending = useRef<AbortController>(undefined);
  const stop = () => sending.current?.abort();
  useEffect(() => () => sending.current?.abort(), []);

  async function send({ name, choice, pack }: Parcel, given: Record<string, string>): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    sending.current = controller;
    setSendError(undefined);
    setDoing(choice && { step: "packing", files: 0 });
    try {
      const onProgress = (files: number) => setDoing({ step: "packing", files });
      const content = await pack({ onProgress, signal });
      setDoing({ step: "sending", share: 0 });
      const source = await api.upload<Source>(withQuery(path, { name, ...given }), content, {
        method,
        signal,
        onProgress: (share) => setDoing({ step: "sending", share }),
      });
      await onUploaded(source);
    } catch (caught) {
      if (!isAbort(caught)) setSendError(isGone(caught) ? goneError() : toApiError(caught));
    } finally {
      setDoing(undefined);
    }
  }

  return { doing, send, stop, sendError, setSendError };
}

interface SendingProps {
  doing: Doing;
  parcel: Parcel | undefined;
  onStop: () => void;
}

function Sending({ doing, parcel, onStop }: SendingProps) {
  // The server has all of it: what it makes of it is no longer stopped from here.
  if (doing.step === "sending" && doing.share >= 1)
    return <Progress label="The server looks at the archive" text="" />;
  return (
    <div className="stack">
      {doing.step === "packing" ? (
        <Progress
          label="Packing your docs"
          value={doing.files / Math.max(1, parcel?.choice?.sent.length ?? 1)}
          text={counted(doing.files, "file")}
        />
      ) : (
        <Progress label="Uploading" value={doing.share} />
      )}
      <div>
        <Button icon="stop" onClick={onStop}>
          Stop
        </Button>
      </div>
    </div>
  );
}

/** What will be sent, and what stays here. */
function ParcelText({ parcel: { name, bytes, choice } }: { parcel: Parcel }) {
  if (choice === undefined)
    return (
      <p className="content-parcel">
        <strong>{name}</strong>, {formatBytes(bytes)}
      </p>
    );
  const { other, private: hidden, large, images } = choice.left;
  const stays = [
    ...(images > 0 ? [`${counted(images, "image")}, which would be more than this server takes`] : []),
    ...(other > 0 ? [`${counted(other, "file")} that no page shows`] : []),
    ...(hidden > 0 ? [`${counted(hidden, "hidden file")}`] : []),
    ...(large > 0 ? [`${counted(large, "large file")}`] : []),
  ];
  return (
    <>
      <p className="content-parcel">
        <strong>{name.replace(/\.zip$/, "")}</strong>: {counted(choice.pages, "page")},{" "}
        {choice.images > 0 && `${counted(choice.images, "image")}, `}
        {formatBytes(bytes)}
        {stays.length > 0 && <span className="quiet small"> Stays on your machine: {stays.join(", ")}.</span>}
      </p>
      <LeftFiles files={choice.named} />
    </>
  );
}

const LEFT_SHOWN = 100;
const LEFT_COLUMNS: readonly Column<LeftFile>[] = [
  { title: "File", cell: ({ path }) => <span className="mono wrap-anywhere">{path}</span> },
  { title: "Why", cell: (file) => <span className="small">{whyLeft(file)}</span> },
];

/** The files that stay, each with why. */
function LeftFiles({ files }: { files: readonly LeftFile[] }) {
  if (files.length === 0) return null;
  const more = files.length - LEFT_SHOWN;
  return (
    <details className="more-fields content-left">
      <summary>What stays on your machine, and why</summary>
      <Table
        label="Files that stay on your machine"
        rows={files.slice(0, LEFT_SHOWN)}
        columns={LEFT_COLUMNS}
        keyOf={({ path }) => path}
      />
      {more > 0 && <p className="quiet small">And {counted(more, "more file", "more files")}.</p>}
    </details>
  );
}

function parcelOf(found: readonly FoundFile[], options: Parameters<typeof chooseDocs>[1]): Parcel {
  const archive = archiveIn(found);
  if (archive)
    return {
      name: archive.path,
      bytes: archive.content.size,
      choice: undefined,
      pack: async () => archive.content,
    };
  const choice = chooseDocs(found, options);
  return {
    name: uploadNameOf(choice.sent.length > 0 ? choice.sent : found),
    bytes: choice.bytes,
    choice,
    pack: (options) => zipFiles(choice.sent, options),
  };
}

function faultOf({ choice, bytes }: Parcel, bytesMax: number | undefined): string | undefined {
  if (choice?.pages === 0)
    return "There is nothing in it that Docent reads: Markdown, HTML, text, PDF, Office, LibreOffice, books or mails.";
  if (choice && choice.sent.length > ZIP_FILES_MAX) return TOO_MANY;
  if (bytesMax !== undefined && bytes > bytesMax)
    return `That is ${formatBytes(bytes)}; this server takes ${formatBytes(bytesMax)} at a time.`;
  return undefined;
}

const TOO_MANY = "That is more files than docs have. Choose the folder that holds the docs alone.";
const UNREADABLE = "Your browser could not read that. Choose the folder with the button instead.";

/** Says that a file was changed or moved since it was chosen. */
const isGone = (error: unknown) => error instanceof DOMException;
const goneError = () =>
  new ApiError({
    status: 0,
    code: "gone",
    message: "A file has changed since you chose it. Choose the docs again.",
  });
