import { type Console, Interrupted } from "./console.ts";

/** Only an explicit answer counts; the end of the input is a no. */
export async function askYesNo(console: Console, question: string): Promise<boolean> {
  for (;;) {
    try {
      const said = (await console.ask(question, new AbortController().signal)).toLowerCase();
      if (["y", "yes", "はい"].includes(said)) return true;
      if (["n", "no", "いいえ"].includes(said)) return false;
    } catch (error) {
      if (error instanceof Interrupted) return false;
      throw error;
    }
  }
}
