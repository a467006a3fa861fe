import type { Core } from "../../app/core.ts";
import { auditWrongToken, type WrongToken } from "../../app/people/audit-wrong-token.ts";
import { Refusal } from "../../domain/refusal.ts";
import { createLoginAttempts } from "./login-attempts.ts";

export type WrongTokens = {
  /** Records a wrong token and returns the refusal to throw. */
  refuse(shown: WrongToken, refusal: Refusal): Promise<Refusal>;
};

/**
 * Wrong tokens are audited and rate-limited per address. Valid tokens are never limited: many people
 * may share one address, and guessing 256 bits is hopeless anyway.
 */
export function createWrongTokens(core: Core): WrongTokens {
  const attempts = createLoginAttempts(core.shared);
  return {
    async refuse(shown, refusal) {
      const waitMs = await attempts.failed(shown.address);
      await auditWrongToken(core, shown).catch((error: unknown) => {
        core.log.error("A wrong token could not be audited.", { ...shown, error: String(error) });
      });
      if (waitMs <= 0) return refusal;
      return new Refusal("TOO_MANY_TRIES", {
        en: [
          "Too many wrong tokens came from this address.",
          `Try again in ${Math.ceil(waitMs / 1_000)} s.`,
        ],
        ja: [
          "このアドレスから、誤ったトークンが多く送られました。",
          `${Math.ceil(waitMs / 1_000)} 秒後にもう一度試してください。`,
        ],
      });
    },
  };
}
