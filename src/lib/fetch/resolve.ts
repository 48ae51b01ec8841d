import { lookup } from "node:dns/promises";

/** Every address that a host name stands for now. */
export type Resolve = (host: string) => Promise<string[]>;

/** Asks the operating system, which knows the hosts file and the network's own names. */
export const systemResolve: Resolve = async (host) => {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
};
