/** Where a connection was made to, or a packet sent. */
export interface Destination {
  host: string;
  port: number;
}

const IPV4 = /sin_port=htons\((\d+)\), sin_addr=inet_addr\("([^"]+)"\)/g;
const IPV6 = /sin6_port=htons\((\d+)\)[^}]*?inet_pton\(AF_INET6, "([^"]+)"/g;

/** Every address of the internet in what strace wrote of connect, sendto, sendmsg and sendmmsg, as often as it stands there. */
export function destinationsIn(trace: string): Destination[] {
  return [IPV4, IPV6].flatMap((pattern) =>
    [...trace.matchAll(pattern)].map(([, port = "", host = ""]) => ({ host, port: Number(port) })),
  );
}
