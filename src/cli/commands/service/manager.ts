/** What starts a service when the machine starts, or when a person signs in. */
export type ManagerName = "systemd" | "launchd";

/** For whom the service is: for the machine, or for one person alone. */
export type Scope = "system" | "user";

/** What a service is made from. */
export interface Plan {
  scope: Scope;
  /** The command that starts this program, with absolute paths. */
  program: readonly string[];
  /** The directory that holds everything. */
  data: string;
  /** The account that it runs as, for a service of the machine. */
  account: string;
  /** Settings besides the data directory: environment variables with their values. */
  variables: Readonly<Record<string, string>>;
  /** The memory at which the system ends it, as the manager writes it. */
  memoryMax: string;
  /** The only addresses and networks that it may talk to, in both directions; undefined leaves all. */
  addresses: readonly string[] | undefined;
  /** Where the person's own files are. */
  home: string;
  /** The number of the person's account. */
  uid: number;
}

export interface ServiceFile {
  path: string;
  text: string;
  /** Who may read it. */
  mode: number;
  /** Belongs to the operator once it is there: it is neither replaced nor removed. */
  isOperators?: true;
}

/** What the manager says of a service. */
export interface ServiceState {
  /** Such as `active` or `running`. */
  active: string;
  /** Whether it starts with the machine, where that is told. */
  enabled?: string;
}

/** What tells one manager from another. Nothing here touches the machine. */
export interface ServiceManager {
  name: ManagerName;
  /** The account of a service of the machine, where none is named; undefined where one has to be. */
  account: string | undefined;
  dataOf(scope: Scope, home: string): string;
  /** The file that makes it a service first. */
  files(plan: Plan): readonly [ServiceFile, ...ServiceFile[]];
  /** The commands after which it runs. `hasAccount`: the account is there already. */
  start(plan: Plan, hasAccount: boolean): string[];
  /** The commands after which it does not, nor starts again. */
  stop(plan: Plan): string[];
  /** The command that asks for its state, and what its output says; undefined where it is not known there. */
  ask(plan: Plan): string[];
  readState(said: string): ServiceState | undefined;
}
