import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

export type ProcessRow = {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** 0 where it cannot be asked. */
  readonly session: number;
  /** With the pid it names one process for as long as the machine is up. */
  readonly start: string;
  readonly command: string;
};
export type ProcessTable = ReadonlyMap<number, ProcessRow>;

/** A zombie is in none of the answers: it has ended, only nobody has asked for its exit code. */
export type Processes = {
  table(): ProcessTable;
  get(pid: number): ProcessRow | undefined;
  /** For a process that was seen with this start before; may be cheaper than get(). */
  isStillThere(pid: number, start: string): boolean;
  /**
   * The mark in a process's first environment, where it can be read; of an agent that an older
   * build has started, only its id.
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

export const procfs: Processes = {
  table() {
    const rows = new Map<number, ProcessRow>();
    for (const pid of pids()) {
      const row = procfs.get(pid);
      if (row) rows.set(pid, row);
    }
    return rows;
  },
  get(pid) {
    return parseStat(readProc(pid, "stat")?.toString("utf8") ?? "");
  },
  isStillThere(pid, start) {
    return procfs.get(pid)?.start === start;
  },
  agentMark(pid) {
    const environment = readProc(pid, "environ");
    return environment && (entryOf(environment, MARK) ?? entryOf(environment, ONLY_ID));
  },
  isMentioned(text) {
    return pids().some((pid) => readProc(pid, "cmdline")?.includes(text));
  },
};

function entryOf(environment: Buffer, name: Buffer): string | undefined {
  let at = environment.indexOf(name);
  while (at > 0 && environment[at - 1] !== 0) at = environment.indexOf(name, at + 1);
  if (at < 0) return undefined;
  const end = environment.indexOf(0, at);
  return environment.toString("utf8", at + name.length, end < 0 ? environment.length : end);
}

/** Where there is no /proc (macOS). Start times have a resolution of one second there. */
export const ps: Processes = {
  table() {
    return parsePs(runPs(["-ax", "-o", PS_COLUMNS]));
  },
  get(pid) {
    return parsePs(runPs(["-o", PS_COLUMNS, "-p", String(pid)])).get(pid);
  },
  isStillThere(pid) {
    try {
      process.kill(pid, 0);
      return true;
    } catch (error) {
      return error instanceof Error && "code" in error && error.code === "EPERM";
    }
  },
  agentMark() {
    return undefined;
  },
  isMentioned(text) {
    return runPs(["-axww", "-o", "args="]).includes(text);
  },
};

export const PS_COLUMNS = "pid=,ppid=,pgid=,stat=,lstart=,comm=";
/** `lstart` is written in the language and time zone of whoever asks. */
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

function runPs(options: readonly string[]): string {
  try {
    return execFileSync("ps", options, {
      encoding: "utf8",
      env: PS_ENVIRONMENT,
      maxBuffer: 1 << 26,
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    // ps ends with 1 when it found no process.
    return "";
  }
}

function pids(): number[] {
  return readdirSync("/proc").map(Number).filter(Number.isInteger);
}

function readProc(pid: number, name: string): Buffer | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`);
  } catch {
    // Gone meanwhile, or another user's.
    return undefined;
  }
}
