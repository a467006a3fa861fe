import type { Core } from "../../app/core.ts";
import {
  WORKER_PROTOCOL,
  type WorkerHello,
  type WorkerWelcome,
} from "../../contract/workers/messages.ts";
import type { Texts } from "../../domain/locale.ts";
import { forbiddenLabels, type Worker, type WorkerDetails } from "../../domain/workers/worker.ts";
import { labelsRefused, protocolRefused, takenRefused } from "./refusal-texts.ts";
import type { WorkerDoorOptions } from "./worker-connection.ts";

const CLOCK_TOLERANCE_MS = 2_000;

type Answer =
  | WorkerWelcome
  | { readonly refused: { readonly code: string; readonly texts: Texts } }
  /** The lease of the worker has ended, and its agents are not settled yet: it asks again. */
  | { readonly later: true };

export type Admitted = {
  readonly epoch: number;
  readonly isMoved: boolean;
  readonly details: WorkerDetails;
  /** How much later it is here than on the clock of the worker. */
  readonly clockOffsetMs: number;
};

/** Answers the hello of a worker whose token is right. */
export async function admitWorker(
  options: WorkerDoorOptions,
  worker: Worker,
  { protocol, instance, now, hasLease = false, ...details }: WorkerHello,
): Promise<{ readonly answer: Answer; readonly admitted?: Admitted }> {
  const { core, workers, leaseMs, serverId, serverProcess } = options;
  // A version works with the one before and the one after it.
  if (Math.abs(protocol - WORKER_PROTOCOL) > 1) {
    return refuse("WORKER_VERSION", protocolRefused(details.version, core.version));
  }
  const forbidden = forbiddenLabels(worker, details.labels);
  if (forbidden.length > 0) return refuse("LABEL_NOT_ALLOWED", labelsRefused(worker, forbidden));
  const who = { instance, hasLease, serverId, serverProcess };
  const admission = await workers.admit(worker.id, who, details, leaseMs);
  if (admission.kind === "taken") {
    core.log.warn("A second connection with the token of a worker was refused.", {
      worker: worker.name,
      host: details.host,
      connectedHost: admission.by?.host,
    });
    return refuse("WORKER_CONNECTED", takenRefused(worker, admission.by));
  }
  if (admission.kind === "ended") return { answer: { later: true } };
  const { epoch, isMoved } = admission;
  const clockOffsetMs = clockOffset(core, worker, now);
  return {
    answer: { name: worker.name, version: core.version, leaseMs, agents: options.settings() },
    admitted: { epoch, isMoved, details, clockOffsetMs },
  };
}

/** Small differences may be the time that the hello took. */
function clockOffset({ clock, log }: Core, { name }: Worker, now = clock.now()): number {
  const offsetMs = clock.now() - now;
  if (Math.abs(offsetMs) <= CLOCK_TOLERANCE_MS) return 0;
  log.warn("The clock of a worker is wrong; its times are corrected.", { worker: name, offsetMs });
  return offsetMs;
}

function refuse(code: string, texts: Texts): { readonly answer: Answer } {
  return { answer: { refused: { code, texts } } };
}
