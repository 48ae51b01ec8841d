import { STATUS } from "../errors.ts";
import type { Operation } from "../operation.ts";
import { descriptionOf, documentedPath, errorsOf } from "./describe-operation.ts";
import type { openApiDocument } from "./document.ts";
import { createSchemaWriter, nameReferredTo, type SchemaWriter } from "./json-schema.ts";
import { WEBHOOKS, type Webhook } from "./webhooks.ts";

const KEYS = {
  assistant: "assistant key",
  public: "assistant key, or none where the site is public",
  admin: "admin key, or signed in",
  session: "signed in",
  none: "no key",
};

/** The document for people: plain HTML, made on the server, so that it needs no script. */
export function referencePage(
  { info, servers }: Pick<ReturnType<typeof openApiDocument>, "info" | "servers">,
  operations: readonly Operation[],
  styles: string,
): string {
  const writer = createSchemaWriter();
  const byTag = Map.groupBy(operations, ({ tag }) => tag);
  const menu = [...byTag].map(([tag, own]) => `<li>${text(tag)}<ul>${own.map(menuEntry).join("")}</ul></li>`);
  const sections = [...byTag].map(
    ([tag, own]) =>
      `<section><h2>${text(tag)}</h2>${own.map((each) => showOperation(each, writer)).join("")}</section>`,
  );
  const webhooks = WEBHOOKS.map((each) => showWebhook(each, writer)).join("");
  const shapes = Object.entries(writer.components)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([name, schema]) => `<article id="${shapeId(name)}"><h3>${text(name)}</h3>${code(schema)}</article>`,
    );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${text(info.title)} API</title><style>${styles}</style></head><body><a class="skip" href="#operations">Skip to the operations</a><nav aria-label="Operations"><ul>${menu.join("")}<li>Webhooks<ul>${WEBHOOKS.map(webhookEntry).join("")}</ul></li><li><a href="#shapes">Shapes</a></li></ul></nav><main id="operations"><header><h1>${text(info.title)} API <small>${text(info.version)}</small></h1><p>${text(servers[0]?.url ?? "")} · <a href="openapi.json">openapi.json</a></p></header>${sections.join("")}<section><h2>Webhooks</h2>${webhooks}</section><section id="shapes"><h2>Shapes</h2>${shapes.join("")}</section></main></body></html>`;
}

const menuEntry = ({ id, summary }: Operation) => `<li><a href="#${text(id)}">${text(summary)}</a></li>`;

function showOperation(one: Operation, { write }: SchemaWriter): string {
  const { id, method, summary, guard, deprecated, query, body, example, replies } = one;
  const description = descriptionOf(one);
  const parts = [
    `<p class="path"><b class="method ${method.toLowerCase()}">${method}</b> <code>${text(documentedPath(one))}</code></p>`,
    `<p class="key"><code>${text(id)}</code> · ${KEYS[guard.opens]}${deprecated === true ? " · <strong>deprecated</strong>" : ""}</p>`,
    description === undefined ? "" : `<p>${text(description)}</p>`,
    query === undefined ? "" : fold("Query", write(query)),
    example === undefined ? "" : `<h4>Example</h4>${code(example)}`,
    body === undefined ? "" : fold("Body", write(body)),
    ...Object.entries(replies).map(([status, { description, schema }]) => {
      const shown = schema === undefined ? "" : fold(`Reply ${status}`, write(schema, "output"));
      return `<p><b>${status}</b> ${text(description)}</p>${shown}`;
    }),
    `<p class="errors">${errorsOf(one)
      .map((error) => `<code>${STATUS[error]} ${text(error)}</code>`)
      .join(" ")}</p>`,
  ];
  return `<article id="${text(id)}"><h3>${text(summary)}</h3>${parts.join("")}</article>`;
}

const webhookId = ({ name }: Webhook) => text(`webhook-${name}`);
const webhookEntry = (one: Webhook) => `<li><a href="#${webhookId(one)}">${text(one.summary)}</a></li>`;

/** What is sent by the server, and not to it. */
const showWebhook = (one: Webhook, { write }: SchemaWriter) =>
  `<article id="${webhookId(one)}"><h3>${text(one.summary)}</h3><p>${text(one.description)}</p>${fold("Body", write(one.body, "output"))}</article>`;

const fold = (title: string, schema: unknown) =>
  `<details><summary>${title}</summary>${code(schema)}</details>`;
/** What is wider than its box is scrolled by keyboard as well. */
const code = (value: unknown) =>
  `<pre tabindex="0"><code>${linked(JSON.stringify(value, null, 2))}</code></pre>`;
/** A reference to a named shape leads to it. */
const linked = (json: string) =>
  json
    .split(/("\$ref": "[^"]+")/)
    .map((part) => {
      const name = nameReferredTo(part.slice('"$ref": "'.length, -1));
      return name === undefined ? text(part) : `<a href="#${shapeId(name)}">${text(name)}</a>`;
    })
    .join("");
const shapeId = (name: string) => text(`shape-${name}`);
const text = (raw: string) => Bun.escapeHTML(raw);
