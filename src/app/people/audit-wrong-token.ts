import type { Core } from "../core.ts";
import { recordAudit } from "./audit.ts";

/** Entries per minute, for one address and in total. */
const QUOTA = { perSubject: 10, inAll: 200 };

export type WrongToken = {
  readonly address: string;
  readonly at: "sign-in" | "request";
};

/** Audits that a request had an unknown token, but not the token itself. */
export async function auditWrongToken(core: Core, { address, at }: WrongToken): Promise<void> {
  const audit = { actor: "unknown", action: "person.sign_in_failed", subject: at };
  const refused = { ...audit, code: "NOT_SIGNED_IN", subject: address, isKnown: false };
  if (!core.auditLimit.admits(refused, QUOTA)) return;
  await core.store.transaction((unit) => recordAudit(core, unit, { ...audit, data: { address } }));
}
