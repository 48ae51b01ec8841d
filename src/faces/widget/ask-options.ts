import { asList, asRecord, asText } from "@docent/kernel/text/json";
import type { AskOptions, QuestionContext, QuestionFilter } from "../conversation/state.ts";
import type { PageFacts } from "./page.ts";

/** What an app may say of where its reader is, in place of what the page says. */
export interface AppContext {
  currentPath?: string;
  version?: string;
  language?: string;
  tag?: string;
  groups?: string[];
  /** What the next question is about. */
  context?: QuestionContext[];
}

/** What goes with a question. */
export function askOptions(page: PageFacts, app: AppContext, contexts: QuestionContext[]): AskOptions {
  const filter = filterOf({
    version: app.version ?? page.version,
    language: app.language ?? page.language,
    tag: app.tag,
    groups: app.groups,
  });
  return {
    currentPath: app.currentPath ?? page.currentPath,
    ...(contexts.length > 0 ? { context: contexts } : {}),
    ...(filter ? { filter } : {}),
  };
}

function filterOf(
  said: { [Name in keyof QuestionFilter]-?: QuestionFilter[Name] | undefined },
): QuestionFilter | undefined {
  const entries = Object.entries(said).filter(([, value]) => value !== undefined && value.length > 0);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

const TEXT_CHARACTERS_MAX = 6000;
const NAME_CHARACTERS_MAX = 200;

/** Reads what an app handed over: it comes from code that nobody has checked. */
export function readAppContext(said: unknown): AppContext {
  const from = asRecord(said);
  const name = (key: string) => {
    const value = asText(from[key]);
    return value ? { [key]: value.slice(0, NAME_CHARACTERS_MAX) } : {};
  };
  return {
    ...name("currentPath"),
    ...name("version"),
    ...name("language"),
    ...name("tag"),
    groups: asList(from["groups"]).filter((each): each is string => typeof each === "string"),
    context: asList(from["context"]).flatMap(readContext),
  };
}

function readContext(said: unknown): QuestionContext[] {
  const { type, value, path, elementId } = asRecord(said);
  if ((type !== "code" && type !== "textSelection") || typeof value !== "string" || value === "") return [];
  return [
    {
      type,
      value: value.slice(0, TEXT_CHARACTERS_MAX),
      ...(typeof path === "string" ? { path: path.slice(0, NAME_CHARACTERS_MAX) } : {}),
      ...(typeof elementId === "string" ? { elementId } : {}),
    },
  ];
}
