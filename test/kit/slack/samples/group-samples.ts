import type { AgentStatus } from "../../../../src/domain/agents/agent.ts";
import type { Locale } from "../../../../src/domain/locale.ts";
import { SAMPLE_WORDS } from "./sample-words.ts";
import { AT, card, dashboardUrl, KEN, VALUE, type Sample } from "./sample.ts";

const group = (locale: Locale, ...statuses: readonly AgentStatus[]) => ({
  locale,
  groupId: "grp-1776663000-9c1d",
  description: SAMPLE_WORDS[locale].group,
  mode: "concurrent" as const,
  dashboardUrl,
  agents: ["security", "architecture", "performance", "testing"].map((role, index) => ({
    id: `${role}-1776663000-${index}a1b`,
    role,
    status: statuses[index] ?? "queued",
    note: SAMPLE_WORDS[locale].notes[index] ?? "",
  })),
});

export const GROUP_SAMPLES: readonly Sample[] = [
  card("group-running", "groupRunning", (locale) => ({
    ...group(locale, "resultReported", "running", "queued", "timedOut"),
    mode: "sequential",
    stage: { current: 1, total: 2 },
    stopValue: VALUE,
  })),
  card("group-stopping", "groupStopping", (locale) => ({
    ...group(locale, "completed", "running", "cancelled", "cancelled"),
    mode: "magentic",
    iteration: { current: 2, max: 5 },
    by: KEN,
  })),
  card("group-completed", "groupEnded", (locale) => ({
    ...group(locale, "completed", "completed", "resultReported", "completed"),
    elapsedMs: 312_000,
    endedAt: AT,
  })),
  card("group-failed", "groupEnded", (locale) => ({
    ...group(locale, "completed", "failed", "lost", "timedOut"),
    elapsedMs: 312_000,
    endedAt: AT,
  })),
  card("group-stopped", "groupEnded", (locale) => ({
    ...group(locale, "completed", "cancelled", "cancelled", "cancelled"),
    elapsedMs: 312_000,
    endedAt: AT,
  })),
];
