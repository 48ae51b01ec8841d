import { useEffect, useMemo, useRef, useState } from "react";
import { Select } from "../../kit/form/select.tsx";
import { basePath } from "../../router.ts";
import type { SiteView } from "../../site-view.ts";
import { createTrialFetch } from "../../trial-fetch.ts";
import { createPreviewFrame, isOwnPicture, type PreviewFrame } from "./preview-frame.ts";
import type { WidgetLook } from "./widget-look.ts";

const SHADES = [
  { value: "light", label: "On a light page" },
  { value: "dark", label: "On a dark page" },
] as const;
const WIDTHS = [
  { value: "wide", label: "Desktop" },
  { value: "phone", label: "Phone" },
] as const;
/** A range that is dragged says a lot of values in a moment. */
const SETTLED_MS = 200;

interface WidgetPreviewProps {
  site: SiteView;
  look: WidgetLook;
}

/** The widget itself, as it would be on a page. It answers; nothing of what is asked is kept. */
export function WidgetPreview({ site, look }: WidgetPreviewProps) {
  const [shade, setShade] = useState<"light" | "dark">("light");
  const [width, setWidth] = useState<"wide" | "phone">("wide");
  const element = useRef<HTMLIFrameElement>(null);
  const [preview, setPreview] = useState<PreviewFrame>();
  const { domain, name, url, settings } = site;
  const base = basePath();
  const fetchPreview = useMemo(() => {
    const ask = createTrialFetch({ fetch: (url, init) => fetch(url, init), base, domain });
    const told = {
      domain,
      name,
      url,
      versions: [],
      languages: [],
      starterQuestions: settings.starterQuestions,
    };
    return (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> =>
      answerPreview(String(input), init, { ask, told });
  }, [base, domain, name, url, settings.starterQuestions]);

  const begin = () => {
    const frame = element.current;
    if (frame) setPreview(createPreviewFrame(frame, fetchPreview));
  };
  useEffect(() => () => preview?.end(), [preview]);
  useEffect(() => {
    const { starterQuestions } = settings;
    const show = () =>
      preview?.show({ look, starterQuestions, domain, siteName: name, siteUrl: url, base, shade });
    const timer = setTimeout(show, SETTLED_MS);
    return () => clearTimeout(timer);
  }, [preview, look, settings, domain, name, url, base, shade]);

  return (
    <section className="preview" aria-label="Preview">
      <div className="preview-bar">
        <Select aria-label="Width of the preview" value={width} options={WIDTHS} onChange={setWidth} />
        <Select aria-label="Page of the preview" value={shade} options={SHADES} onChange={setShade} />
      </div>
      <div className={`preview-stage preview-${width}`}>
        <iframe
          ref={element}
          title="Preview of the widget"
          className="preview-frame"
          srcDoc="<!doctype html><html lang=en><title>Preview</title><body>"
          onLoad={begin}
        />
      </div>
      <p className="small quiet">
        It is the widget itself: ask it something. Nothing that is asked here is kept.
        {look.logo !== "" && !isOwnPicture(look.logo) && " A logo at an address is seen on your pages alone."}
      </p>
    </section>
  );
}

interface Answers {
  ask: (url: string, init: RequestInit) => Promise<Response>;
  told: object;
}

/** What the widget in the frame asks for: what the site says of itself, answers, and nothing that would be counted. */
async function answerPreview(url: string, init: RequestInit, { ask, told }: Answers): Promise<Response> {
  const { pathname } = new URL(url, window.location.href);
  if (pathname.includes("/v1/widget/")) return Response.json(told);
  if (pathname.endsWith("/message")) return ask(url, init);
  return new Response(null, { status: 204 });
}
