import { createHash } from "node:crypto";
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isCode } from "../../../base/error-code.ts";

export type SpoolFiles = {
  readonly key: string;
  readonly in: string;
  readonly out: string;
  readonly err: string;
  readonly status: string;
  readonly claim: string;
  /** A folder for the files that the CLI of this attempt is configured with. */
  readonly run: string;
};

const DAEMON_CLAIM = "daemon";

export function createSpool(directory: string): void {
  mkdirSync(dirname(directory), { recursive: true, mode: 0o700 });
  recreateSpool(directory);
}

/** Throws when the parent directory is missing. */
export function recreateSpool(directory: string): void {
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if (!isCode(error, "EEXIST")) throw error;
  }
  // mkdir does not change the mode of an existing directory; only the owner may read the spool.
  chmodSync(directory, 0o700);
}

/**
 * Creates the marks by which an agent's processes are found and killed. Ids are unique only within a
 * data directory, so a mark also names the directory. From the second attempt on it names the
 * attempt: the sweep after an attempt must not kill the processes of the next one.
 */
export function createMarks(directory: string): (agentId: string, attempt: number) => string {
  let scope: string | undefined;
  return (agentId, attempt) => {
    // Computed with the first agent: the first hash of a process is slow, and delays its start.
    scope ??= createHash("sha256").update(realpathSync(directory)).digest("hex").slice(0, 16);
    return `${agentId}@${scope}${attempt === 1 ? "" : `.${attempt}`}`;
  };
}

export function spoolFiles(directory: string, agentId: string, attempt: number): SpoolFiles {
  if (/[/\0]/.test(agentId)) throw new Error(`${agentId} cannot be the name of a spool file.`);
  const key = `${agentId}.${attempt}`;
  const base = join(directory, key);
  return {
    key,
    in: `${base}.in`,
    out: `${base}.out`,
    err: `${base}.err`,
    status: `${base}.status`,
    claim: `${base}.claim`,
    run: `${base}.run`,
  };
}

/** An agent id may hold dots, the ending never does. */
export function splitSpoolName(name: string): { readonly key: string; readonly ending: string } {
  const dot = name.lastIndexOf(".");
  return { key: name.slice(0, dot), ending: name.slice(dot + 1) };
}

/**
 * Takes the claim of an attempt for the daemon; true if the daemon has it, now or from before.
 * The file has content and appears atomically (link), so that after a crash the next daemon
 * recognises the claim and does not wait for a wrapper that gave up.
 */
export function claimForDaemon(files: SpoolFiles): boolean {
  const mine = `${files.claim}.${process.pid}`;
  writeFileSync(mine, DAEMON_CLAIM, { mode: 0o600 });
  try {
    linkSync(mine, files.claim);
    return true;
  } catch (error) {
    if (!isCode(error, "EEXIST")) throw error;
    return readFileSync(files.claim, "latin1") === DAEMON_CLAIM;
  } finally {
    removeFile(mine);
  }
}

/** Writes a file that only the owner can read; a deleted spool directory is created again. */
export function writePrompt(path: string, prompt: string, ensureSpool: () => void): void {
  try {
    writeFileSync(path, prompt, { mode: 0o600 });
  } catch (error) {
    if (!isCode(error, "ENOENT")) throw error;
    ensureSpool();
    writeFileSync(path, prompt, { mode: 0o600 });
  }
}

export function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!isCode(error, "ENOENT")) throw error;
  }
}

export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Flags for plain files only: a pipe in place of the file must not block, a link is not followed. */
export const READ_PLAIN = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** The end of a file as text, beginning with a whole character. */
export function tailOf(path: string, bytes: number): string {
  if (sizeOf(path) === 0) return "";
  const fd = openSync(path, READ_PLAIN);
  try {
    const { size } = fstatSync(fd);
    const from = Math.max(0, size - bytes);
    const buffer = Buffer.alloc(size - from);
    const read = readSync(fd, buffer, 0, buffer.length, from);
    return buffer.toString("utf8", from === 0 ? 0 : firstCharacter(buffer), read);
  } finally {
    closeSync(fd);
  }
}

/** Bytes 10xxxxxx continue a UTF-8 character; there are at most three in a row. */
function firstCharacter(buffer: Buffer): number {
  const first = buffer.subarray(0, 3).findIndex((byte) => byte >> 6 !== 0b10);
  return first < 0 ? Math.min(3, buffer.length) : first;
}
