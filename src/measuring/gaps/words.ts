import { meaningsIn } from "@docent/answering/curated/questions/questions";

/** Words that ask whether something is there, or how one comes by it: whoever writes the page answers them all. */
const FAINT_WORDS = `
support available availability offer provide exist have compatible compatibility work run use set add do get
configure enable need require requirement official policy custom
`;

/** Each line has things of one kind: a question about one of them is none about another. */
const RIVALS = `
linux windows macos mac ios android ubuntu debian fedora
pdf csv excel xlsx json xml yaml html markdown word
aws azure gcp gcs s3
mysql postgresql sqlite mongodb mariadb oracle redis
eu us uk europe usa germany china
python ruby go java javascript typescript php rust kotlin swift
react vue angular svelte
slack teams discord telegram
github gitlab bitbucket
google microsoft apple facebook okta
chrome firefox safari edge
production staging development
mobile desktop tablet
monthly yearly daily weekly hourly
enable disable reset
create remove change copy rename
start stop restart pause
import export
upload download
install uninstall
encrypt decrypt
grant revoke
input output
read write
backup restore
`;

/** Words that weigh little in what a question is about. */
export const FAINT: ReadonlySet<string> = new Set(meaningsIn(FAINT_WORDS));

const rivals: readonly ReadonlySet<string>[] = RIVALS.trim()
  .split("\n")
  .map((line) => new Set(meaningsIn(line)));

/** Whether questions of these words are about different things of one kind, such as Linux and Windows. */
export function areRivals(a: ReadonlySetLike<string>, b: ReadonlySetLike<string>): boolean {
  return rivals.some((line) => {
    const own = line.intersection(a);
    if (own.size === 0) return false;
    const other = line.intersection(b);
    return other.size > 0 && own.isDisjointFrom(other);
  });
}
