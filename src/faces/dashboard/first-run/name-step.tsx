import { type FormEvent, useState } from "react";
import { useApi } from "../api.ts";
import { type ApiError, toApiError } from "../api-error.ts";
import { Button } from "../kit/buttons/button.tsx";
import { Notice } from "../kit/feedback/notice.tsx";
import { Field } from "../kit/form/field.tsx";
import { Select } from "../kit/form/select.tsx";
import { TextInput } from "../kit/form/text-input.tsx";
import { mayChange, useSession } from "../session-context.ts";
import type { SiteReply } from "../site-view.ts";

/** Asks what the site is called. Its domain follows from that, until somebody writes another one. */
export function NameStep({ onNamed }: { onNamed: (domain: string) => Promise<void> }) {
  const api = useApi();
  const session = useSession();
  const organizations = session.organizations.filter(({ id }) => mayChange(session, id));
  const [organization, setOrganization] = useState(organizations[0]?.id ?? "");
  const [name, setName] = useState("");
  const [url, setUrl] = useState("");
  const [written, setWritten] = useState<string>();
  const [faults, setFaults] = useState<Faults>({});
  const [error, setError] = useState<ApiError>();
  const [isBusy, setIsBusy] = useState(false);
  const domain = written ?? suggestDomain(name, url);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const found = faultsOf(name, url, domain);
    setFaults(found);
    if (Object.keys(found).length > 0 || isBusy) return;
    setIsBusy(true);
    setError(undefined);
    try {
      const published = url.trim() === "" ? {} : { url: url.trim() };
      const site = { domain, name: name.trim(), organization, ...published };
      await onNamed((await api.post<SiteReply>("/v1/admin/sites", site)).domain);
    } catch (caught) {
      const failed = toApiError(caught);
      if (failed.status === 409) setFaults({ domain: "Another site has this domain: choose another one." });
      else setError(failed);
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <form className="form" onSubmit={(event) => void submit(event)} noValidate>
      <SiteFields {...{ name, url, domain, faults, setName, setUrl }} setDomain={setWritten} />
      {organizations.length > 1 && (
        <Field label="Organization" hint="Its owners and viewers see the site.">
          <Select
            value={organization}
            options={organizations.map((each) => ({ value: each.id, label: each.name }))}
            onChange={setOrganization}
          />
        </Field>
      )}
      {error && (
        <div role="alert">
          <Notice tone="bad">
            {error.message} {error.hint}
          </Notice>
        </div>
      )}
      <div>
        <Button type="submit" kind="primary" busy={isBusy}>
          Continue
        </Button>
      </div>
    </form>
  );
}

interface SiteFieldsProps {
  name: string;
  url: string;
  domain: string;
  faults: Faults;
  setName: (name: string) => void;
  setUrl: (url: string) => void;
  setDomain: (domain: string) => void;
}

function SiteFields({ name, url, domain, faults, setName, setUrl, setDomain }: SiteFieldsProps) {
  return (
    <>
      <Field label="Name" hint="What your readers know it as." error={faults.name}>
        <TextInput
          value={name}
          maxLength={200}
          placeholder="Acme Docs"
          autoComplete="off"
          onChange={setName}
        />
      </Field>
      <Field
        label="Where your docs are published"
        isOptional
        hint="Citations lead there. Without it, they lead to the reader site."
        error={faults.url}
      >
        <TextInput
          type="url"
          inputMode="url"
          isMono
          value={url}
          placeholder="https://docs.example.com"
          autoComplete="url"
          onChange={setUrl}
        />
      </Field>
      <Field
        label="Domain"
        hint="The site's name in addresses. It cannot be changed later."
        error={faults.domain}
      >
        <TextInput
          isMono
          value={domain}
          maxLength={63}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(value) => setDomain(value.trim().toLowerCase())}
        />
      </Field>
    </>
  );
}

/** What is wrong with a field, in words to stand beside it. */
type Faults = Partial<Record<"name" | "url" | "domain", string>>;

function faultsOf(name: string, url: string, domain: string): Faults {
  const wrong = name.trim() === "" ? undefined : domainFault(domain);
  const isAddress = url.trim() === "" || /^https?:$/.test(URL.parse(url.trim())?.protocol ?? "");
  return {
    ...(name.trim() === "" ? { name: "Give it a name, such as Acme Docs." } : {}),
    ...(isAddress ? {} : { url: "An address begins with https:// or http://." }),
    ...(wrong === undefined ? {} : { domain: wrong }),
  };
}

const CHARACTERS_MAX = 63;

/** The domain that a site's name suggests: the host of its address where it has one, else the name in small letters. */
export function suggestDomain(name: string, url: string): string {
  const host = URL.parse(url.trim())?.hostname;
  if (host) return fit(host.replace(/^www\./, ""));
  return fit(
    name
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .replace(/[^a-z0-9.]+/g, "-"),
  );
}

/** What is wrong with a domain, in words; undefined where it may be one. */
export function domainFault(domain: string): string | undefined {
  if (domain === "") return "Give it a domain, such as docs.example.com or handbook.";
  if (domain.length > CHARACTERS_MAX) return `At most ${CHARACTERS_MAX} characters.`;
  if (!/^[a-z0-9.-]+$/.test(domain)) return "Only a to z, 0 to 9, dots and hyphens.";
  if (/^\.+$/.test(domain)) return "At least one letter or digit.";
  return undefined;
}

const fit = (text: string) => text.slice(0, CHARACTERS_MAX).replace(/^[-.]+|(?<![-.])[-.]+$/g, "");
