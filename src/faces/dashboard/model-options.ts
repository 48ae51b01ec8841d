import type { Option } from "./kit/form/select.tsx";
import type { OfferedModels } from "./replies.ts";

/** Whether a model that a site names, with or without its tag, is one of those that are offered. */
export const isOffered = ({ models }: OfferedModels, named: string) =>
  models.some(({ name }) => tagged(name) === tagged(named));

/** The server's own and those that may be chosen; what is chosen, too, where it is not there any more. */
export function modelOptions(offered: OfferedModels | undefined, chosen: string): Option[] {
  const own = offered?.own ? `The server's own: ${offered.own}` : "The server's own";
  const known = (offered?.models ?? []).map(({ name, seesPictures, canThink }) => {
    const abilities = [seesPictures && "sees pictures", canThink && "can think"].filter(Boolean).join(", ");
    return { value: name, label: abilities === "" ? name : `${name} (${abilities})` };
  });
  const isListed = chosen === "" || known.some(({ value }) => value === chosen);
  return [
    { value: "", label: own },
    ...known,
    ...(isListed
      ? []
      : [{ value: chosen, label: offered && isOffered(offered, chosen) ? chosen : `${chosen} (not there)` }]),
  ];
}

/** Ollama calls a name without a tag `latest`. */
function tagged(name: string): string {
  const hasTag = name.slice(name.lastIndexOf("/") + 1).includes(":");
  return (hasTag ? name : `${name}:latest`).toLowerCase();
}
