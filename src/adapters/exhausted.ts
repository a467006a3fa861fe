import { errorCode } from "../base/error-code.ts";

/** Out of descriptors, processes or memory: the attempt failed for now and may work later. */
const EXHAUSTED: ReadonlyMap<unknown, string> = new Map([
  ["EMFILE", "raise the limit of open files (ulimit -n, or LimitNOFILE= in a systemd unit)"],
  ["ENFILE", "the whole machine is out of open files: close programs or raise fs.file-max"],
  ["EAGAIN", "raise the limit of processes (ulimit -u, or TasksMax= in a systemd unit)"],
  ["ENOMEM", "free some memory"],
]);

export function isExhausted(error: unknown): boolean {
  return EXHAUSTED.has(errorCode(error));
}

/** The error message, with advice for exhausted resources. */
export function explainExhausted(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const advice = EXHAUSTED.get(errorCode(error));
  return advice === undefined ? message : `${message}; ${advice}`;
}
