import type { ReactNode } from "react";
import type { Resource } from "../../use-resource.ts";
import { Failed } from "./failed.tsx";
import { Loading, type LoadingProps } from "./loading.tsx";

interface LoadedProps<T> extends LoadingProps {
  of: Resource<T>;
  children?: (data: T) => ReactNode;
}

/** Shows what was read of the server; until it is there its outline, or why it could not be read. */
export function Loaded<T>({ of, children, ...outline }: LoadedProps<T>) {
  if (of.state === "loading") return <Loading {...outline} />;
  if (of.state === "failed") return <Failed error={of.error} retry={() => void of.reload()} />;
  return children?.(of.data);
}
