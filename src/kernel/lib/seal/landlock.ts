import { dlopen, FFIType, ptr } from "bun:ffi";

/** What the kernel does to hold this process back besides Docent's own guard. */
export interface KernelSeal {
  /** Whether the kernel refuses connections, of this process and of those that it starts. */
  isHeld: boolean;
  /** What it does, or why it does nothing: a sentence without its full stop. */
  says: string;
}

// Of the kernel's own interface: linux/landlock.h and linux/prctl.h. The numbers are the same on every machine.
const CREATE_RULESET = 444n;
const ADD_RULE = 445n;
const RESTRICT_SELF = 446n;
const VERSION_FLAG = 1n;
const RULE_NET_PORT = 2n;
const CONNECT_TCP = 2n;
const NO_NEW_PRIVILEGES = 38;
/** The first version of the interface that knows the network: Linux 6.7. */
const ABI_OF_NETWORK = 4;
/** glibc's name, and those of musl. */
const LIBRARIES = ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"];

/**
 * Has the kernel refuse this process, and all that it starts from now on, every TCP connection but to these ports. It goes
 * by port, and never by address; UDP is not held. There is no way back. To be called before anything was fetched: a
 * thread that runs already is not held.
 */
export function sealByKernel(ports: readonly number[], platform: string): KernelSeal {
  if (platform !== "linux") return notHeld("only Linux can");
  const kernel = openKernel();
  if (kernel === undefined) return notHeld("the C library could not be loaded");
  try {
    const abi = kernel.call(CREATE_RULESET, 0n, 0n, VERSION_FLAG);
    if (abi < 0) return notHeld("it has no Landlock, or it is turned off");
    if (abi < ABI_OF_NETWORK)
      return notHeld(`its Landlock is version ${abi}, and the network needs ${ABI_OF_NETWORK} (Linux 6.7)`);
    return hold(kernel, ports)
      ? {
          isHeld: true,
          says: `the kernel refuses TCP connections but to ${portWords(ports)} (Landlock ${abi})`,
        }
      : notHeld("Landlock refused it");
  } finally {
    kernel.close();
  }
}

const notHeld = (why: string): KernelSeal => ({
  isHeld: false,
  says: `the kernel does not hold connections back: ${why}`,
});

const portWords = (ports: readonly number[]) =>
  ports.length === 0 ? "none" : `${ports.length === 1 ? "port" : "ports"} ${ports.join(", ")}`;

/** The kernel's calls, by their numbers. A negative result is a failure. */
interface Kernel {
  call(number: bigint, ...values: [bigint, bigint, bigint, bigint?]): number;
  setNoNewPrivileges(): boolean;
  closeFile(file: number): void;
  close(): void;
}

function openKernel(): Kernel | undefined {
  const { u64, i64, i32 } = FFIType;
  for (const library of LIBRARIES) {
    try {
      const { symbols, close } = dlopen(library, {
        syscall: { args: [i64, u64, u64, u64, u64], returns: i64 },
        prctl: { args: [i32, u64, u64, u64, u64], returns: i32 },
        close: { args: [i32], returns: i32 },
      });
      return {
        call: (number, first, second, third, fourth = 0n) =>
          Number(symbols.syscall(number, first, second, third, fourth)),
        setNoNewPrivileges: () => symbols.prctl(NO_NEW_PRIVILEGES, 1n, 0n, 0n, 0n) === 0,
        closeFile: (file) => void symbols.close(file),
        close,
      };
    } catch {
      // Another C library may be here.
    }
  }
  return undefined;
}

function hold(kernel: Kernel, ports: readonly number[]): boolean {
  // Handled: no file access, and of the network connecting alone, so that the server may listen.
  const attributes = new BigUint64Array([0n, CONNECT_TCP]);
  const ruleset = kernel.call(CREATE_RULESET, BigInt(ptr(attributes)), BigInt(attributes.byteLength), 0n);
  if (ruleset < 0) return false;
  try {
    for (const port of ports) {
      const rule = new BigUint64Array([CONNECT_TCP, BigInt(port)]);
      if (kernel.call(ADD_RULE, BigInt(ruleset), RULE_NET_PORT, BigInt(ptr(rule))) < 0) return false;
    }
    return kernel.setNoNewPrivileges() && kernel.call(RESTRICT_SELF, BigInt(ruleset), 0n, 0n) >= 0;
  } finally {
    kernel.closeFile(ruleset);
  }
}
