import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { isCode } from "../../../base/error-code.ts";
import { readProc } from "./read-proc.ts";

export type ProcessRow = {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** 0 on systems where it is not known (macOS). */
  readonly session: number;
  /** Start time. Together with the pid it identifies one process until the next boot. */
  readonly start: string;
  readonly command: string;
};
export type ProcessTable = ReadonlyMap<number, ProcessRow>;

/**
 * Zombies are left out: they have ended and only wait to be reaped.
 * Every method throws when it could not look (no descriptor left, no process for `ps`). A process
 * counts as gone only when the system says that it does not exist, or that it belongs to another
 * user: agents run as our user, so such a process has reused the pid.
 */
export type Processes = {
  table(): ProcessTable;
  get(pid: number): ProcessRow | undefined;
  /** Only for a process that was seen with this start time before; may be cheaper than get(). */
  isStillThere(pid: number, start: string): boolean;
  /**
   * The mark in a process's initial environment, where it can be read; the agent id alone if an
   * older build started the agent.
   */
  agentMark(pid: number): string | undefined;
  /** Does any command line contain this text? */
  isMentioned(text: string): boolean;
};

export const AGENT_MARK = "KUROMAJUTSU_AGENT_MARK";
const MARK = Buffer.from(`${AGENT_MARK}=`);
const ONLY_ID = Buffer.from("KUROMAJUTSU_AGENT_ID=");

export function createProcesses(): Processes {
  return process.platform === "linux" ? procfs : ps;
}

export const procfs: Processes = createProcfs(readProc);

/** `readFile` may reuse its buffer: the content is used before the next call. */
export function createProcfs(readFile: (path: string) => Buffer): Processes {
  function get(pid: number): ProcessRow | undefined {
    return parseStat(readOwn(pid, "stat")?.toString("utf8") ?? "");
  }
  function readOwn(pid: number, name: string): Buffer | undefined {
    return unlessForeign(() => unlessGone(() => readFile(`/proc/${pid}/${name}`)));
  }
  return {
    table() {
      const rows = new Map<number, ProcessRow>();
      for (const pid of pids()) {
        const row = get(pid);
        if (row) rows.set(pid, row);
      }
      return rows;
    },
    get,
    isStillThere: (pid, start) => get(pid)?.start === start,
    agentMark(pid) {
      const environment = readOwn(pid, "environ");
      return environment && (entryOf(environment, MARK) ?? entryOf(environment, ONLY_ID));
    },
    isMentioned: (text) => pids().some((pid) => readOwn(pid, "cmdline")?.includes(text)),
  };
}

function entryOf(environment: Buffer, name: Buffer): string | undefined {
  let at = environment.indexOf(name);
  while (at > 0 && environment[at - 1] !== 0) at = environment.indexOf(name, at + 1);
  if (at < 0) return undefined;
  const end = environment.indexOf(0, at);
  return environment.toString("utf8", at + name.length, end < 0 ? environment.length : end);
}

/** For systems without /proc (macOS). Start times have a resolution of one second there. */
export const ps: Processes = {
  table() {
    return parsePs(listAll(["-ax", "-o", PS_COLUMNS]));
  },
  get(pid) {
    return parsePs(runPs(["-o", PS_COLUMNS, "-p", String(pid)])).get(pid);
  },
  isStillThere(pid) {
    return unlessForeign(() => unlessGone(() => process.kill(pid, 0))) ?? false;
  },
  agentMark() {
    return undefined;
  },
  isMentioned(text) {
    return listAll(["-axww", "-o", "args="]).includes(text);
  },
};

export const PS_COLUMNS = "pid=,ppid=,pgid=,stat=,lstart=,comm=";
/** `ps` prints `lstart` in the language and time zone of its caller. */
export const PS_ENVIRONMENT = { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" } as const;

/** `pid (command) state ppid pgrp session … starttime`; a command may hold spaces and brackets. */
export function parseStat(stat: string): ProcessRow | undefined {
  const open = stat.indexOf("(");
  const close = stat.lastIndexOf(")");
  const fields = stat.slice(close + 2).split(" ");
  const start = fields[19];
  if (open < 0 || start === undefined || fields[0] === "Z" || fields[0] === "X") return undefined;
  return {
    pid: Number(stat.slice(0, open)),
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    start,
    command: stat.slice(open + 1, close),
  };
}

export function parsePs(text: string): ProcessTable {
  const rows = new Map<number, ProcessRow>();
  for (const line of text.split("\n")) {
    const [pid, parent, group, state, ...rest] = line.trim().split(/\s+/);
    if (!pid || !state || state.startsWith("Z")) continue;
    rows.set(Number(pid), {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: 0,
      start: rest.slice(0, 5).join(" "),
      command: rest.slice(5).join(" "),
    });
  }
  return rows;
}

/** A list without a single process is a failed look: `ps` always sees at least itself. */
function listAll(options: readonly string[]): string {
  const text = runPs(options);
  if (text === "") throw new Error("ps listed no process at all");
  return text;
}

export function runPs(options: readonly string[], command = "ps"): string {
  try {
    return execFileSync(command, options, {
      encoding: "utf8",
      env: PS_ENVIRONMENT,
      maxBuffer: 1 << 26,
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch (error) {
    // Exit code 1: ps ran and found no process with this pid.
    if (error instanceof Error && "status" in error && error.status === 1) return "";
    throw error;
  }
}

function pids(): number[] {
  return readdirSync("/proc").map(Number).filter(Number.isInteger);
}

/** Undefined only when there is no such process; every other error proves nothing and is thrown. */
function unlessGone<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isCode(error, "ENOENT", "ESRCH")) return undefined;
    throw error;
  }
}

/** Undefined for another user's process, whose entry cannot be read (environ; with hidepid, all). */
function unlessForeign<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isCode(error, "EACCES", "EPERM")) return undefined;
    throw error;
  }
}
