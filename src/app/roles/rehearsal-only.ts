import type { Locale } from "../../domain/locale.ts";
import type { Core } from "../core.ts";
import { cliNames, installedRunners, runnerIn, wantedRunner } from "./resolve-runner.ts";

/** Why agents of every role only rehearse: no CLI is installed, or rehearsal is configured. */
export type RehearsalReason = "no-cli" | "configured";

/** undefined: some role does real work, or no role can run at all. */
export async function whyRehearsalOnly(core: Core): Promise<RehearsalReason | undefined> {
  const installed = await installedRunners(core);
  const roles = [...core.roles.values()];
  const found = roles.map((role) => runnerIn(core, installed, wantedRunner(core, role)));
  if (!found.includes("rehearsal")) return undefined;
  if (found.some((id) => id !== undefined && id !== "rehearsal")) return undefined;
  return roles.some((role) => wantedRunner(core, role) === "auto") ? "no-cli" : "configured";
}

/** Why agents only rehearse and what to do about it. undefined: agents do real work. */
export async function rehearsalNote(core: Core, locale: Locale): Promise<string | undefined> {
  const why = await whyRehearsalOnly(core);
  return why && NOTES[locale][why](cliNames(core, locale));
}

/** One short sentence, because every answer of a run contains it and costs tokens. */
export async function shortRehearsalNote(core: Core, locale: Locale): Promise<string | undefined> {
  return (await whyRehearsalOnly(core)) && SHORT_NOTES[locale];
}

const SHORT_NOTES: Record<Locale, string> = {
  ja: "リハーサルのみ: 実際の作業は行いません（理由は list_roles）。",
  en: "Rehearsal only: agents do no real work (list_roles says why).",
};

const NOTES: Record<Locale, Record<RehearsalReason, (clis: string) => string>> = {
  ja: {
    "no-cli": (clis) =>
      `リハーサルのみ: エージェントの CLI が見つからないため、実際の作業は行いません。作業するには ${clis}をインストールしてください。`,
    configured: () =>
      "リハーサルのみ: `runner: rehearsal` が設定されているため、実際の作業は行いません。",
  },
  en: {
    "no-cli": (clis) =>
      `Rehearsal only: no agent CLI was found, so agents do no real work. Install ${clis} to do real work.`,
    configured: () => "Rehearsal only: `runner: rehearsal` is set, so agents do no real work.",
  },
};
