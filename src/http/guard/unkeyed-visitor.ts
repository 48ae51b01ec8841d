import { clientAddress, countedAddress } from "../../lib/address.ts";
import type { Site } from "../../sites/sites.ts";
import { overLimit } from "./gate.ts";
import type { GuardDeps, MeterName } from "./guard.ts";

/** Somebody at a door of one site that may be open without a key. */
export interface UnkeyedVisitor {
  address: string;
  /** Takes a place among the address's requests, and returns what gives it back. Raises `rate_limited`. */
  enter(): () => void;
  /** Counts one use to the site's organization and to the address. Raises `rate_limited`. */
  count(what: MeterName): Promise<void>;
}

/** Counts who is not known by a key as it counts everyone else. */
export function unkeyedVisitor(
  deps: Pick<GuardDeps, "limits" | "concurrency" | "meters" | "isProxy">,
  request: Request,
  { site, peer = "" }: { site: Site; peer: string | undefined },
): UnkeyedVisitor {
  const { address } = clientAddress(peer, request.headers.get("x-forwarded-for"), deps.isProxy);
  const counted = countedAddress(address);
  return {
    address,
    enter() {
      const leave = deps.concurrency.enter(counted);
      if (leave) return leave;
      throw overLimit(1);
    },
    async count(what) {
      const meters = deps.meters[what];
      const standing = await deps.limits.take([
        { meter: meters.organization, subject: site.organizationId },
        ...meters.address.map((meter) => ({ meter, subject: counted })),
      ]);
      if (!standing.allowed) throw overLimit(standing.resetSeconds);
    },
  };
}
