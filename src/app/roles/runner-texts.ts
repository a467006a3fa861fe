import type { RunnerId } from "../../domain/agents/runner.ts";
import type { ProblemKind } from "../../domain/health/runner-problem.ts";
import type { Locale } from "../../domain/locale.ts";
import type { Core } from "../core.ts";

const PROBLEMS: Readonly<Record<ProblemKind, string>> = {
  "signed-out": "is signed out",
  quota: "is out of quota",
  "rate-limit": "is at its rate limit",
  overloaded: "is overloaded",
};

/** Why these runners are not used, without a full stop; null: there are none. */
export function whyPassedOver(
  { health }: Pick<Core, "health">,
  runners: readonly RunnerId[],
  isInstalled: (runner: RunnerId) => boolean,
): string | null {
  if (runners.length === 0) return null;
  const reasons = runners.map((id) => {
    const problem = health.problem(id);
    if (!isInstalled(id)) return `${id} is not installed`;
    return `${id} ${problem ? PROBLEMS[problem.kind] : "does not have the model of the role"}`;
  });
  return reasons.join(", ");
}

/** The warning of an agent that runs with a fallback. */
export function fallbackNote(passedOver: string | null, used: RunnerId): string | null {
  return passedOver === null ? null : `${passedOver}: ran with ${used}.`;
}

/** What a role uses instead of its first runner. */
export function roleNote(passedOver: string | null, used: RunnerId): string | null {
  return passedOver === null ? null : `${passedOver}: ${used} is used.`;
}

const WAITING: Readonly<
  Record<Locale, Record<Exclude<ProblemKind, "signed-out">, (id: string) => string>>
> = {
  ja: {
    quota: (id) => `${id} の利用枠が上限に達しています。`,
    "rate-limit": (id) => `${id} が短時間の呼び出し制限に達しています。`,
    overloaded: (id) => `${id} のサービスが混雑しています。`,
  },
  en: {
    quota: (id) => `${id} is out of quota.`,
    "rate-limit": (id) => `${id} is at its rate limit.`,
    overloaded: (id) => `${id} is overloaded.`,
  },
};

/** What a queued agent of a paused runner waits for, with the time. undefined: it is not paused. */
export function pauseSentence(
  { health, clock, settings }: Pick<Core, "health" | "clock" | "settings">,
  runner: RunnerId,
): string | undefined {
  const problem = health.problem(runner);
  if (!problem || problem.kind === "signed-out" || problem.until === null) return undefined;
  const { locale } = settings;
  const what = WAITING[locale][problem.kind](runner);
  if (problem.until <= clock.now()) {
    return locale === "ja"
      ? `${what}1 件だけ起動して試しています。`
      : `${what} One agent is started as a trial.`;
  }
  const at = timeText(problem.until, locale);
  return locale === "ja" ? `${what}${at} に再開します。` : `${what} It is tried again at ${at}.`;
}

function timeText(at: number, locale: Locale): string {
  return new Intl.DateTimeFormat(locale, {
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZoneName: "short",
  }).format(at);
}
