import { describe, expect, test } from "bun:test";
import { fetchFault } from "../../../src/reading/sources/git/faults.ts";

describe("what git complains of", () => {
  test.each([
    "ssh: connect to address 10.0.0.7 port 22: Connection refused",
    "Failed to connect to git.inside (192.168.3.4) port 443",
    "connect to host git.inside port 22: fd00::12:7 is unreachable",
    "could not bind to [fe80::1%eth0]:22",
  ])("tells owners of a source nothing of a name's address, and the log all: %s", (complaint) => {
    const fault = fetchFault("ssh://git@git.inside/docs", undefined, complaint);
    expect(fault.message).not.toMatch(/10\.0\.0\.7|192\.168|fd00|fe80/);
    expect(fault.message).toContain("git says: ");
    expect(fault.cause).toEqual(new Error(complaint));
  });

  test("keeps an address that the source itself names", () => {
    const fault = fetchFault("https://10.0.0.7/docs", undefined, "Failed to connect to 10.0.0.7 port 443");
    expect(fault.message).toContain("connect to 10.0.0.7 port 443");
  });
});
