import type { DaemonStatus } from "../../../contract/hello.ts";
import type { Locale } from "../../../domain/locale.ts";

/** What Ctrl-C leaves behind. */
export function goodbye({ live, waiting }: DaemonStatus["agents"], locale: Locale): string {
  return `${TEXTS[locale].stopped}${TEXTS[locale].live(live)}${waiting > 0 ? TEXTS[locale].waiting(waiting) : ""}`;
}

type Texts = {
  readonly stopped: string;
  readonly live: (count: number) => string;
  readonly waiting: (count: number) => string;
};

const TEXTS: Readonly<Record<Locale, Texts>> = {
  ja: {
    stopped: "デーモンを終了しました。",
    live: (count) =>
      count === 0
        ? "動いているエージェントはありません。"
        : `エージェント ${count} 体は動き続けます。次のデーモンが引き継ぎます。`,
    waiting: (count) => `待ち行列の ${count} 体は、次のデーモンが始めます。`,
  },
  en: {
    stopped: "The daemon has stopped. ",
    live: (count) => {
      if (count === 0) return "No agent is running.";
      return count === 1
        ? "1 agent goes on; the next daemon looks after it."
        : `${count} agents go on; the next daemon looks after them.`;
    },
    waiting: (count) => ` ${count} queued: the next daemon starts ${count === 1 ? "it" : "them"}.`,
  },
};
