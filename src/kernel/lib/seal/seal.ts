/** What a connection is for. `other` is all that is neither Ollama nor the database: sources, deliveries, providers. */
type Purpose = "ollama" | "database" | "other";

/** Somewhere that a sealed process may connect to, and the setting that names it. */
export interface Admitted {
  purpose: Exclude<Purpose, "other">;
  setting: string;
  host: string;
  port: number;
}

/** Says where this process may connect to, whatever a source or a model says. Every dial is asked here before it is made. */
export interface Seal {
  readonly isSealed: boolean;
  /** Where a sealed process may connect to all the same. */
  readonly admitted: readonly Admitted[];
  /** Why no connection is made to an address, as a sentence without its full stop; undefined where one may be. */
  refusal(purpose: Purpose, url: string | URL): string | undefined;
}

/** A process that the operator has not sealed: what may be dialled is decided elsewhere. */
export const UNSEALED: Seal = { isSealed: false, admitted: [], refusal: () => undefined };

/** What is said of everything that is off in a sealed process: `what` is the subject of the sentence. */
export const offWhileSealed = (what: string): string =>
  `${what} off while Docent is sealed (the setting sealed): it connects to Ollama and its database alone`;

/** Seals a process, but for the places that are admitted. */
export function createSeal(admitted: readonly Admitted[]): Seal {
  return {
    isSealed: true,
    admitted,
    refusal(purpose, address) {
      const { hostname, port, protocol, host } = new URL(address);
      const number = Number(port || DEFAULT_PORTS[protocol] || 0);
      const isAdmitted = admitted.some(
        (each) => each.purpose === purpose && plain(each.host) === plain(hostname) && each.port === number,
      );
      return isAdmitted ? undefined : offWhileSealed(`a connection to ${host} is`);
    },
  };
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  "http:": 80,
  "https:": 443,
  "postgres:": 5432,
  "postgresql:": 5432,
};

const plain = (host: string) => host.replace(/^\[|\]$/g, "").toLowerCase();
