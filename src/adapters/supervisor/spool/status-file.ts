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
 * `boot <id>` by the launcher, `pid <stat line>` and `exit <code>` by the wrapper. A line counts
 * only with its newline: the rest of it may still be on its way.
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

/** Field 22 of a Linux stat line, or all of what `ps -o lstart=` printed where there is no /proc. */
function startOf(rest: string): string {
  const fields = rest.trim().split(/\s+/);
  return fields[19] ?? fields.join(" ");
}
