import type { Core } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";

export type Audit = {
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly data?: Readonly<Record<string, unknown>>;
};

/** Adds an audit entry in the transaction of the change that it records. */
export async function recordAudit(
  core: Pick<Core, "clock">,
  unit: UnitOfWork,
  { actor, action, subject, data = {} }: Audit,
): Promise<void> {
  await unit.appendAudit({ at: core.clock.now(), actor, action, subject, data });
}
