import type { Locale } from "../../../domain/locale.ts";

export type DoctorTexts = {
  readonly heads: Readonly<
    Record<"cli" | "version" | "signedIn" | "mcp" | "tool" | "time", string>
  >;
  readonly notFound: string;
  readonly run: (command: string) => string;
  readonly said: (words: string) => string;
  /** Keys of this terminal that the daemon does not have. */
  readonly keysUsed: (names: string) => string;
  /** A daemon of an earlier version does not take the keys of this terminal. */
  readonly keyHere: (name: string) => string;
  readonly checking: (names: string) => string;
  readonly summary: (works: number, total: number) => string;
};

export const DOCTOR_TEXTS: Readonly<Record<Locale, DoctorTexts>> = {
  ja: {
    heads: {
      cli: "CLI",
      version: "バージョン",
      signedIn: "サインイン",
      mcp: "接続",
      tool: "ツール",
      time: "時間",
    },
    notFound: "見つかりません",
    run: (command) => `実行してください: ${command}`,
    said: (words) => `CLI の出力: ${words}`,
    keysUsed: (names) =>
      `この端末の ${names} を使いました。この端末から始めたエージェントも使えますが、ダッシュボードから依頼したタスクでは使えません`,
    keyHere: (name) =>
      `この端末には ${name} がありますが、動いているデーモンにはありません。kuromajutsu stop のあと、この端末で kuromajutsu serve を実行してください`,
    checking: (names) => `確認しています: ${names}`,
    summary: (works, total) => `${total} 個の CLI のうち ${works} 個が使えます。`,
  },
  en: {
    heads: {
      cli: "CLI",
      version: "version",
      signedIn: "signed in",
      mcp: "connected",
      tool: "tool",
      time: "time",
    },
    notFound: "not found",
    run: (command) => `Run: ${command}`,
    said: (words) => `The CLI said: ${words}`,
    keysUsed: (names) =>
      `Used ${names} of this terminal. Agents started from this terminal use it too; tasks requested in the dashboard do not`,
    keyHere: (name) =>
      `${name} is set in this terminal, but not in the running daemon. Run kuromajutsu stop, then kuromajutsu serve in this terminal`,
    checking: (names) => `Checking: ${names}`,
    summary: (works, total) => `${works} of ${total} CLIs work.`,
  },
};
