import { asRefusal } from "../../adapters/git/refusals.ts";
import type { WireRefusal } from "../../contract/workers/worktrees.ts";
import { Refusal } from "../../domain/refusal.ts";

type Answer = { readonly ok: unknown } | { readonly refused: WireRefusal };

/** A refusal crosses the connection with its texts; any other error is a bug of this side. */
export function answered(
  work: (args: unknown) => Promise<unknown>,
): (args: unknown) => Promise<Answer> {
  return async (args) => {
    try {
      return { ok: (await work(args)) ?? null };
    } catch (error) {
      // A full disk meets Node as well as git.
      const known = asRefusal(error);
      if (!(known instanceof Refusal)) throw known;
      const { code, texts } = known;
      return { refused: { code, en: [...texts.en], ja: [...texts.ja] } };
    }
  };
}
