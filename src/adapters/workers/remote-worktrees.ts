import type { z } from "zod";
import { NotFetched, type WorkerWorktrees } from "../../app/ports/worker-worktrees.ts";
import type { CommandRun, WorkspaceTools } from "../../app/ports/workspace-tools.ts";
import type { Peer } from "../../base/peer.ts";
import { truncate } from "../../base/truncate.ts";
import {
  addedShape,
  bytesShape,
  capturedShape,
  commandEndShape,
  commandLineShape,
  doneShape,
  hashShape,
  pathsShape,
  pieceShape,
  portsShape,
  type WireRefusal,
  worktreeStateShape,
} from "../../contract/workers/worktrees.ts";
import { Refusal } from "../../domain/refusal.ts";
import { oneLine } from "../../domain/text/one-line.ts";
import { plainText } from "../../domain/text/plain-text.ts";
import { createPace } from "./pace.ts";

/** Longer than the limits of git on the worker. A worker that hangs is noticed by its beats. */
const WITHIN_MS = 30 * 60_000;
/** A command is ended at its own limit; then its answer must arrive. */
const GRACE_MS = 60_000;

/** More than a sentence of ours with the beginning of an error of git. */
const SENTENCE_CHARS = 1_000;

export type RemoteWorktrees = WorkerWorktrees & {
  /** The newest line of a command, which the worker told. */
  readonly onCommandLine: (args: unknown) => void;
};

/** Git and commands on another machine, behind the connection of its worker. */
export function createRemoteWorktrees(peer: Peer, root: string, leaseMs: number): RemoteWorktrees {
  const lines = new Map<number, (line: string) => void>();
  const paced = createPace(leaseMs);
  let lastRun = 0;

  async function ask<Value>(
    name: string,
    args: unknown,
    shape: z.ZodType<{ readonly ok: Value } | { readonly refused: WireRefusal }>,
    withinMs = WITHIN_MS,
  ): Promise<Value> {
    const answer = shape.parse(await peer.call(name, args, withinMs));
    if ("ok" in answer) return answer.ok;
    const { code: refusal, en, ja } = answer.refused;
    const texts = { en: cleanSentences(en), ja: cleanSentences(ja) };
    throw new Refusal(refusal, texts);
  }

  async function run({ signal, onLine, ...command }: CommandRun) {
    const id = ++lastRun;
    const stop = (): void => peer.tell("stopCommand", { id });
    if (onLine) lines.set(id, onLine);
    signal?.addEventListener("abort", stop);
    try {
      const withinMs = command.timeoutMs + GRACE_MS;
      return await ask("runCommand", { id, command }, commandEndShape, withinMs);
    } finally {
      signal?.removeEventListener("abort", stop);
      lines.delete(id);
    }
  }

  const tools: Pick<WorkspaceTools, "run" | "endLeftovers" | "copyIgnored" | "findPorts"> = {
    run,
    endLeftovers: async (mark) => void (await ask("endLeftovers", { mark }, doneShape)),
    copyIgnored: (from, to, globs) => ask("copyIgnored", { from, to, globs }, pathsShape),
    findPorts: (range, count, taken) => ask("findPorts", { range, count, taken }, portsShape),
  };

  return {
    root,
    tools,
    async add(url, spec) {
      const { unfetched, has = [] } = await ask("addWorktree", { url, spec }, addedShape);
      if (unfetched === undefined) return { isAdded: true };
      if (unfetched !== null) throw new NotFetched(clean(unfetched));
      return { isAdded: false, has };
    },
    async sendBase(path, commit, bundle) {
      for (let offset = 0; offset < bundle.bytes;) {
        const at = offset;
        const { length } = await paced(async (maxBytes) => {
          const piece = await bundle.read(at, maxBytes);
          const data = Buffer.from(piece).toString("base64");
          await ask("writeBase", { path, offset: at, data }, doneShape);
          return piece;
        });
        if (length === 0) throw new Error("The bundle of the base ends too early.");
        offset += length;
      }
      await ask("takeBase", { path, commit }, doneShape);
    },
    inspect: (spec) => ask("inspectWorktree", spec, worktreeStateShape),
    fingerprint: (path) => ask("fingerprintWorktree", { path }, hashShape),
    capture: (spec) => ask("captureWorktree", spec, capturedShape),
    readBundle: (path, offset) =>
      paced(async (maxBytes) =>
        Buffer.from(await ask("readBundle", { path, offset, maxBytes }, pieceShape), "base64"),
      ),
    changedPaths: (path, base) => ask("changedPaths", { path, base }, pathsShape),
    diskUse: (path) => ask("diskUse", { path }, bytesShape),
    onCommandLine(args) {
      const { run: id, line } = commandLineShape.parse(args);
      lines.get(id)?.(line);
    },
  };
}

/** Sentences of a worker are shown to people and models, and may quote what an agent wrote there. */
function cleanSentences([message, hint]: readonly [string, string]): [string, string] {
  return [clean(message), clean(hint)];
}

function clean(text: string): string {
  return truncate(oneLine(plainText(text)), SENTENCE_CHARS);
}
