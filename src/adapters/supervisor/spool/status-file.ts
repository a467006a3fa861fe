export type ProcessIdentity = {
  readonly pid: number;
  readonly start: string;
  readonly bootId: string;
};

export type WrittenStatus = {
  readonly bootId: string | null;
  readonly process: { readonly pid: number; readonly start: string } | null;
  readonly exitCode: number | null;
};

export function bootLine(bootId: string): string {
  return `boot ${bootId}\n`;
}

/**
 * The launcher writes `boot <id>`, the wrapper `pid <stat line>` and `exit <code>`. A line counts
 * only with its newline: without it, the write may not be complete.
 */
export function parseStatus(text: string): WrittenStatus {
  const boot = /^boot (\S+)\n/m.exec(text)?.[1];
  const pid = /^pid (\d+) \(.*\) (.*)\n/m.exec(text);
  const exit = /^exit (\d+)\n/m.exec(text)?.[1];
  return {
    bootId: boot ?? null,
    process: pid ? { pid: Number(pid[1]), start: startOf(pid[2] ?? "") } : null,
    exitCode: exit === undefined ? null : Number(exit),
  };
}

/** Field 22 of a Linux stat line, or the output of `ps -o lstart=` on systems without /proc. */
function startOf(rest: string): string {
  const fields = rest.trim().split(/\s+/);
  return fields[19] ?? fields.join(" ");
}
