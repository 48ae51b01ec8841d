import { directionOf } from "@docent/kernel/text/languages";
import type { Site } from "@docent/sites/site/sites";
import { PLAIN_HEADERS } from "../headers.ts";
import { type Html, html } from "../html.ts";
import { fill, readerLabels } from "../labels.ts";
import type { SignInWay } from "./access.ts";

/** What programs read of a site: they are told what to send, where people are shown where to sign in. */
export const isForPrograms = (path: string) =>
  /(?:^|\/)(?:llms(?:-full)?\.txt|robots\.txt|sitemap(?:-\d+)?\.xml|search\.json)$|\.md$/.test(path);

interface SignInPage {
  ways: readonly SignInWay[];
  /** Where one comes back to. */
  returnTo: string;
  /** Somebody came back from a provider and was not let in. */
  hasFailed: boolean;
  /** Where members sign in. */
  members: string;
  style: string;
}

/**
 * The page in place of every page of a site whose readers sign in: the same one whatever was asked for, there or not. Of the
 * site it says where else one signs in, and nothing that is in it.
 */
export function showSignIn(
  { url, host, settings }: Site,
  { ways, returnTo, hasFailed, members, style }: SignInPage,
): Response {
  const labels = readerLabels(settings.language);
  const buttons = ways.map(
    ({ label, href }) =>
      html`<p><a class="sign-in" href="${href(returnTo)}">${fill(labels.signInWith, { provider: label })}</a></p>`,
  );
  const elsewhere: Html | undefined =
    ways.length === 0 && url !== undefined && host !== undefined
      ? html`<p><a href="${url}">${fill(labels.signInAt, { place: host })}</a></p>`
      : undefined;
  const document = html`<!doctype html>
<html lang="${settings.language}" dir="${directionOf(settings.language)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${labels.signIn}</title><link rel="stylesheet" href="${style}"></head>
<body class="alone"><main><h1>${labels.signIn}</h1><p role="status">${hasFailed ? labels.signInFailed : labels.signInNeeded}</p>${buttons}${elsewhere}<p class="small"><a href="${members}">${labels.forMembers}</a></p></main></body>
</html>`.html;
  return new Response(document, { status: 401, headers: HEADERS });
}

/** A page that leads to a provider: links may leave the sandbox, as those of every page of the reader site. */
const HEADERS = {
  ...PLAIN_HEADERS,
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-top-navigation-by-user-activation",
};
