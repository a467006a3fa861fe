import type { WireRunnerProblem } from "../../../../src/contract/shapes/health.ts";
import { defineTexts } from "../../i18n/texts.ts";

type Kinds = Record<WireRunnerProblem["kind"], (runner: string) => string>;

const JA: Kinds = {
  "signed-out": (runner) => `${runner} の CLI がサインインしていません。`,
  quota: (runner) => `${runner} の利用枠が上限に達しました。`,
  "rate-limit": (runner) => `${runner} が呼び出し制限に達しました。`,
  overloaded: (runner) => `${runner} のサービスが混雑しています。`,
};

const EN: Kinds = {
  "signed-out": (runner) => `The ${runner} CLI is not signed in.`,
  quota: (runner) => `${runner} is out of quota.`,
  "rate-limit": (runner) => `${runner} is at its rate limit.`,
  overloaded: (runner) => `${runner} is overloaded.`,
};

/** Texts about runners that cannot be used now. */
export const RUNNER_TEXTS = defineTexts({
  ja: {
    title: "休止中のランナー",
    gap: "",
    kinds: JA,
    until: (time: string) => `${time} に再開します。`,
    trial: "次のエージェント 1 体で試します。",
    signIn: "CLI でサインインしてから、もう一度確認してください。",
    waits: "エージェントは再開を待ちます。ほかのランナーを使える職種は、そちらで起動します。",
    said: "CLI のメッセージ",
    tryNow: "今すぐ試す",
    tryLabel: (runner: string) => `${runner} を今すぐ試す`,
    check: "もう一度確認",
    checkLabel: (runner: string) => `${runner} をもう一度確認`,
    details: "詳細",
  },
  en: {
    title: "Paused runners",
    gap: " ",
    kinds: EN,
    until: (time) => `It is tried again at ${time}.`,
    trial: "The next agent is started as a trial.",
    signIn: "Sign in with the CLI, then check again.",
    waits: "Its agents wait. Roles that can use another runner start their agents with that one.",
    said: "Message of the CLI",
    tryNow: "Try now",
    tryLabel: (runner) => `Try ${runner} now`,
    check: "Check again",
    checkLabel: (runner) => `Check ${runner} again`,
    details: "Details",
  },
});
