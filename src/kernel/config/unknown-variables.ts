import type { Environment } from "./load.ts";
import type { Setting } from "./setting.ts";
import { SETTINGS } from "./settings.ts";

const PREFIX = "DOCENT_";
/** What Kubernetes sets for a service that is called docent. */
const OF_KUBERNETES = /^DOCENT_(?:\w+_)?(?:SERVICE_(?:HOST|PORT)|PORT_\d+_(?:TCP|UDP|SCTP))(?:_\w+)?$/;
/** More than so many letters away, it is another word. */
const TYPOS_MAX = 2;
const NAMED_MAX = 10;

/**
 * What there is to say of variables that look like a setting and are none; their values are never told. Others' may begin
 * in the same way, so that it is no fault: `known` are named by settings.
 */
export function unknownVariables(environment: Environment, known: readonly string[]): string[] {
  const settings = Object.values<Setting>(SETTINGS).flatMap(({ env }) => [env, `${env}_FILE`]);
  const isKnown = new Set([...settings, ...known]);
  return Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && !isKnown.has(name) && !OF_KUBERNETES.test(name))
    .sort()
    .slice(0, NAMED_MAX)
    .map((name) => {
      const meant = nearest(name, settings);
      return `${name} is not a setting${meant === undefined ? "." : `; did you mean ${meant}?`}`;
    });
}

/** The variables that settings name: those with what sources sign in with, and with the secrets of chats. */
export function namedVariables(settings: {
  source_variables: readonly string[];
  chat_variables: readonly string[];
}): string[] {
  const ofSources = settings.source_variables.map((entry) => entry.replace(/@.*$/, ""));
  const ofChats = settings.chat_variables.map((entry) => entry.replace(/^.*=/, ""));
  return [...ofSources, ...ofChats.flatMap((name) => [name, `${name}_FILE`])];
}

function nearest(name: string, settings: readonly string[]): string | undefined {
  const near = settings
    .map((setting) => ({ setting, typos: typosBetween(name.toUpperCase(), setting) }))
    .filter(({ typos }) => typos <= TYPOS_MAX)
    .sort((one, other) => one.typos - other.typos);
  return near[0]?.setting;
}

/** How many letters have to be added, left out, replaced or swapped with their neighbour to make one of the other. */
function typosBetween(one: string, other: string): number {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      next[column] = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, last] = [last, next];
  }
  return last[other.length] ?? 0;
}
