import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { parsePs, procfs, PS_COLUMNS, PS_ENVIRONMENT, type ProcessRow } from "./process-table.ts";

/** A process and its ancestors, youngest first. */
export async function lineageOf(pid: number): Promise<ProcessRow[]> {
  if (process.platform === "linux") return climb(pid, (each) => procfs.get(each));
  const { stdout } = await promisify(execFile)("ps", ["-ax", "-o", PS_COLUMNS], {
    env: PS_ENVIRONMENT,
    maxBuffer: 1 << 26,
  });
  const table = parsePs(stdout);
  return climb(pid, (each) => table.get(each));
}

function climb(pid: number, get: (pid: number) => ProcessRow | undefined): ProcessRow[] {
  const rows: ProcessRow[] = [];
  let row = get(pid);
  // Parents may change while we read them one by one: the limit prevents an endless walk.
  while (row && rows.length < 256) {
    rows.push(row);
    row = row.parent > 0 ? get(row.parent) : undefined;
  }
  return rows;
}
