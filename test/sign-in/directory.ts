import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type RunningProgram, startProgram, untilListening } from "./running-program.ts";
import { settledPort } from "./settled-port.ts";

/** A person of a company, as its directory knows them. */
export interface Person {
  /** The part of the address before the @, which is the name at sign-in too. */
  login: string;
  name: string;
  password: string;
  groups: readonly string[];
}

const COMPANY = "dc=example,dc=com";
const PLACES = ["/usr/sbin/slapd", "/usr/libexec/slapd", "/usr/lib/slapd"];
const SCHEMAS = ["/etc/ldap/schema", "/etc/openldap/schema"];
const MODULES = ["/usr/lib/ldap", "/usr/lib64/openldap", "/usr/lib/openldap"];
const READY_MS = 20_000;

/** OpenLDAP, where it is installed. */
export const findDirectoryServer = (): string | undefined =>
  Bun.which("slapd") ?? PLACES.find((place) => existsSync(place));

export const addressOf = ({ login }: Pick<Person, "login">): string => `${login}@example.com`;

/** A company's directory over LDAP on this machine, which Dex reads. */
export async function startDirectory(people: readonly Person[]) {
  const slapd = findDirectoryServer();
  if (slapd === undefined) throw new Error("slapd is not installed here");
  const folder = mkdtempSync(join(tmpdir(), "docent-directory-"));
  const address = `127.0.0.1:${await settledPort()}`;
  await fill(slapd, folder, people);
  let running = await serve(slapd, folder, address);
  return {
    address,
    people: `ou=people,${COMPANY}`,
    groups: `ou=groups,${COMPANY}`,
    /** From now on these are all, with these groups. */
    async becomes(next: readonly Person[]): Promise<void> {
      await running.stop();
      await fill(slapd, folder, next);
      running = await serve(slapd, folder, address);
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type Directory = Awaited<ReturnType<typeof startDirectory>>;

/** Writes the directory's database anew, while nobody serves it. */
async function fill(slapd: string, folder: string, people: readonly Person[]): Promise<void> {
  const schemas = SCHEMAS.find((place) => existsSync(place)) ?? "";
  const modules = MODULES.find((place) => existsSync(place)) ?? "";
  const settings = [
    ...["core", "cosine", "inetorgperson"].map((name) => `include ${schemas}/${name}.schema`),
    `modulepath ${modules}`,
    "moduleload back_mdb",
    `pidfile ${folder}/pid`,
    "database mdb",
    `suffix "${COMPANY}"`,
    `directory ${folder}/data`,
  ];
  rmSync(join(folder, "data"), { recursive: true, force: true });
  mkdirSync(join(folder, "data"));
  await Bun.write(join(folder, "slapd.conf"), `${settings.join("\n")}\n`);
  await Bun.write(join(folder, "people.ldif"), entries(people).join("\n"));
  const add = [join(dirname(slapd), "slapadd"), "-f", "slapd.conf", "-l", "people.ldif"];
  const ran = Bun.spawnSync(add, { cwd: folder, stderr: "pipe" });
  if (ran.exitCode !== 0) throw new Error(ran.stderr.toString());
}

function entries(people: readonly Person[]): string[] {
  const dn = ({ login }: Person) => `uid=${login},ou=people,${COMPANY}`;
  const groups = new Set(people.flatMap((person) => person.groups));
  const members = (group: string) => people.filter((person) => person.groups.includes(group)).map(dn);
  return [
    `dn: ${COMPANY}\nobjectClass: dcObject\nobjectClass: organization\no: Example\n`,
    ...["people", "groups"].map((unit) => `dn: ou=${unit},${COMPANY}\nobjectClass: organizationalUnit\n`),
    ...people.map((person) =>
      [
        `dn: ${dn(person)}\nobjectClass: inetOrgPerson\nsn: ${person.login}\ncn: ${person.name}`,
        `mail: ${addressOf(person)}\nuserPassword: ${person.password}\n`,
      ].join("\n"),
    ),
    ...[...groups].map((group) =>
      [
        `dn: cn=${group},ou=groups,${COMPANY}\nobjectClass: groupOfNames`,
        ...members(group).map((member) => `member: ${member}`),
        "",
      ].join("\n"),
    ),
  ];
}

async function serve(slapd: string, folder: string, address: string): Promise<RunningProgram> {
  const running = await startProgram({
    command: () => [slapd, "-d", "stats", "-f", join(folder, "slapd.conf"), "-h", `ldap://${address}`],
    ready: /slapd starting/,
    readyMs: READY_MS,
  });
  // It says so a moment before it listens.
  await untilListening(Number(address.split(":")[1]));
  return running;
}
