import { createServer } from "node:net";
import { isCode } from "../../base/error-code.ts";
import type { PortRange } from "../../domain/workspaces/workspace.ts";

/** A program that holds a port on one address is not seen on the other. */
const ADDRESSES = ["127.0.0.1", "::"];
const MAX_PROBES = 4_096;

/** The first free block. It may be taken a moment later: the lease is in the database. */
export async function findPorts(
  range: { readonly from: number; readonly to: number },
  count: number,
  taken: readonly PortRange[],
): Promise<PortRange | null> {
  if (count < 1) return null;
  let probes = 0;
  let from = range.from;
  while (from + count - 1 <= range.to && probes < MAX_PROBES) {
    const next = endOfOverlap({ from, count }, taken);
    if (next !== undefined) {
      from = next;
      continue;
    }
    const { busy, probed } = await firstBusy(from, count);
    probes += probed;
    if (busy === undefined) return { from, count };
    from = busy + 1;
  }
  return null;
}

function endOfOverlap(block: PortRange, taken: readonly PortRange[]): number | undefined {
  const ends = taken
    .filter(({ from, count }) => from < block.from + block.count && block.from < from + count)
    .map(({ from, count }) => from + count);
  return ends.length === 0 ? undefined : Math.max(...ends);
}

/** From the end: a busy port there skips most ports. */
async function firstBusy(from: number, count: number) {
  for (let at = count - 1; at >= 0; at--) {
    if (!(await isFree(from + at))) return { busy: from + at, probed: count - at };
  }
  return { busy: undefined, probed: count };
}

async function isFree(port: number): Promise<boolean> {
  for (const host of ADDRESSES) {
    if (!(await canListen(port, host))) return false;
  }
  return true;
}

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error) => {
      if (isCode(error, "EADDRINUSE", "EACCES")) resolve(false);
      // Without IPv6 no program can hold the port there.
      else if (isCode(error, "EAFNOSUPPORT", "EADDRNOTAVAIL", "EINVAL")) resolve(true);
      else reject(error);
    });
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
