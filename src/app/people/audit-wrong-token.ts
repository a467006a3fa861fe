import type { Core } from "../core.ts";
import { auditIn } from "./audit.ts";

/** Per minute, for one address and for all of them. */
const QUOTA = { perSubject: 10, inAll: 200 };

export type WrongToken = {
  readonly address: string;
  /** Where it was shown: at sign-in, or with a request. */
  readonly at: "sign-in" | "request";
};

/** Notes that an unknown token was shown, never the token. */
export async function auditWrongToken(core: Core, { address, at }: WrongToken): Promise<void> {
  const audit = { actor: "unknown", action: "person.sign_in_failed", subject: at };
  const refused = { ...audit, code: "NOT_SIGNED_IN", subject: address, isKnown: false };
  if (!core.auditLimit.admits(refused, QUOTA)) return;
  await core.store.transaction((unit) => auditIn(core, unit, { ...audit, data: { address } }));
}
