import { type FormEvent, useState } from "react";
import { useApi } from "../../api.ts";
import { type ApiError, toApiError } from "../../api-error.ts";
import { Field } from "../../kit/form/field.tsx";
import { TextInput } from "../../kit/form/text-input.tsx";
import { Tabs } from "../../kit/layout/tabs.tsx";
import {
  FormEnd,
  givenMarks,
  MarksFields,
  NO_MARKS,
  ScheduleField,
} from "../../kit/sources/source-fields.tsx";
import { UploadForm } from "../../kit/upload/upload-form.tsx";
import {
  type RunJob,
  type Source,
  type SourceRules,
  siteOperations,
  sourceRulesPath,
} from "../../replies.ts";
import { useResource } from "../../use-resource.ts";
import { FolderForm } from "./folder-form.tsx";
import { GitForm } from "./git-form.tsx";
import { ServerForm } from "./server-form.tsx";

const WAYS = [
  { name: "upload", label: "Upload" },
  { name: "website", label: "Website" },
  { name: "git", label: "Git" },
  { name: "server", label: "Wiki or tracker" },
  { name: "folder", label: "Folder on the server" },
] as const;
type Way = (typeof WAYS)[number]["name"];

/** A source as a form names it. */
interface NamedSource {
  place: string;
  kind?: string;
  branch?: string;
  subfolder?: string;
  version?: string;
  language?: string;
  groups?: string[];
  /** The variable that holds what it signs in with. */
  authorization?: string;
  everyMs?: number | null;
}

/** What the forms do with what is filled in. */
export interface SourceFormProps {
  /** Notes the source, and begins to read it. */
  add(source: NamedSource): void;
  isBusy: boolean;
  error: ApiError | undefined;
}

interface AddSourceProps {
  domain: string;
  /** The source is noted, and its first run has begun: docs of a generator are looked at before they are read. */
  onAdded: (source: number, run: string | null) => void;
}

/** Asks where the docs are: in this browser, on the web, in a repository, in a wiki, or on the server. */
export function AddSource({ domain, onAdded }: AddSourceProps) {
  const api = useApi();
  const [way, setWay] = useState<Way>("upload");
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const rules = useResource<SourceRules>(sourceRulesPath(domain));

  /** One that was noted is kept where its run cannot begin: it is on the list, and can be read from there. */
  async function begin(note: () => Promise<Source>): Promise<void> {
    setIsBusy(true);
    setError(undefined);
    try {
      const { number } = await note();
      const path = `${siteOperations(domain)}/sources/${number}/runs`;
      const run = await api.post<RunJob>(path, { preview: true }).catch((caught) => {
        // The source is being read already: by its schedule, or by somebody else.
        if (toApiError(caught).status === 409) return undefined;
        throw caught;
      });
      onAdded(number, run?.id ?? null);
    } catch (caught) {
      setError(toApiError(caught));
    } finally {
      setIsBusy(false);
    }
  }

  const form: SourceFormProps = {
    isBusy,
    error,
    add: (source) => void begin(() => api.post<Source>(`${siteOperations(domain)}/sources`, source)),
  };
  return (
    <div className="stack">
      <Tabs
        label="Where the docs are"
        tabs={WAYS}
        current={way}
        onChange={(name) => {
          setError(undefined);
          setWay(name);
        }}
      >
        {way === "upload" && (
          <UploadForm {...{ domain, isBusy, error }} onUploaded={(source) => begin(async () => source)} />
        )}
        {way === "website" && <WebsiteForm {...form} />}
        {way === "git" && <GitForm {...form} />}
        {way === "server" && <ServerForm {...form} rules={rules} />}
        {way === "folder" && <FolderForm {...form} rules={rules} />}
      </Tabs>
    </div>
  );
}

const DAY_MS = 86_400_000;

/** Docs that are on the web: a site with or without a sitemap, an llms.txt, an OpenAPI file. */
function WebsiteForm({ add, isBusy, error }: SourceFormProps) {
  const [address, setAddress] = useState("");
  const [everyMs, setEveryMs] = useState<number | null>(DAY_MS);
  const [marks, setMarks] = useState(NO_MARKS);
  const [fault, setFault] = useState<string>();

  function submit(event: FormEvent): void {
    event.preventDefault();
    const place = withScheme(address.trim());
    if (!URL.canParse(place)) setFault("Give the whole address, such as https://docs.example.com/.");
    else add({ place, everyMs, ...givenMarks(marks) });
  }

  return (
    <form className="form" onSubmit={submit} noValidate>
      <Field
        label="Address"
        hint="Docent reads the pages in its sitemap, or follows its links. An llms.txt or an OpenAPI file works as well."
        error={fault}
      >
        <TextInput
          type="url"
          inputMode="url"
          isMono
          value={address}
          placeholder="https://docs.example.com/"
          autoComplete="url"
          onChange={(value) => {
            setFault(undefined);
            setAddress(value);
          }}
        />
      </Field>
      <ScheduleField everyMs={everyMs} onChange={setEveryMs} />
      <MarksFields marks={marks} onChange={setMarks} />
      <FormEnd error={error} isBusy={isBusy} label="Read the website" />
    </form>
  );
}

/** Adds https:// where people write docs.example.com. */
const withScheme = (address: string) =>
  /^[a-z][a-z\d+.-]*:\/\//i.test(address) || address === "" ? address : `https://${address}`;
