import type { Locale } from "../../../domain/locale.ts";
import { type Console, Interrupted } from "./console.ts";

const HELP: Readonly<Record<Locale, string>> = {
  ja: "y か n を入力して Enter を押してください。",
  en: "Type y or n and press Enter.",
};

/** Only an explicit answer counts; the end of the input is a no. */
export async function askYesNo(
  console: Console,
  question: string,
  locale: Locale,
): Promise<boolean> {
  for (;;) {
    try {
      const answer = await console.ask(question, new AbortController().signal);
      const said = answer.normalize("NFKC").toLowerCase();
      if (["y", "yes", "はい"].includes(said)) return true;
      if (["n", "no", "いいえ"].includes(said)) return false;
      console.print(HELP[locale]);
    } catch (error) {
      if (error instanceof Interrupted) return false;
      throw error;
    }
  }
}
