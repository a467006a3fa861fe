import { useState } from "react";
import type { WireSchedule } from "../../../../src/contract/shapes/schedules.ts";
import { patch, post } from "../../api/http.ts";
import type { Locale } from "../../i18n/locale.ts";

export type Source = "text" | "template";

export type Values = {
  readonly source: Source;
  readonly text: string;
  /** Empty: none is chosen. */
  readonly templateId: string;
  readonly templateValues: Readonly<Record<string, string>>;
  readonly name: string;
  readonly cron: string;
  readonly timeZone: string;
  readonly missed: WireSchedule["missed"];
  readonly overlap: WireSchedule["overlap"];
  readonly workingDirectory: string;
};
export type SetValues = (changes: Partial<Values>) => void;

/** What the form changes; other fields change at every planned time. */
const FIELDS = [
  "name",
  "request",
  "cron",
  "timeZone",
  "missed",
  "overlap",
  "workingDirectory",
] as const satisfies readonly (keyof WireSchedule)[];

export function useDraft(schedule: WireSchedule | undefined, usualCron: string) {
  const [opened, setOpened] = useState(schedule);
  const [values, setValues] = useState<Values>(() => valuesOf(schedule, usualCron));
  const set: SetValues = (changes) => setValues((before) => ({ ...before, ...changes }));
  return {
    values,
    set,
    /** Another person saved the schedule while the form was open. */
    hasMoved: opened !== undefined && schedule !== undefined && differs(opened, schedule),
    /** Drops what was typed and takes over what is stored. */
    reload: () => {
      setOpened(schedule);
      setValues(valuesOf(schedule, usualCron));
    },
  };
}

/** A template may give another text at each planned time, so its text counts only without one. */
export function differs(one: WireSchedule, other: WireSchedule): boolean {
  const isSame = JSON.stringify(one.template) === JSON.stringify(other.template);
  return (
    !isSame ||
    FIELDS.some(
      (name) => (name !== "request" || one.template === null) && one[name] !== other[name],
    )
  );
}

function valuesOf(schedule: WireSchedule | undefined, usualCron: string): Values {
  const template = schedule?.template ?? null;
  return {
    source: template === null ? "text" : "template",
    text: template === null ? (schedule?.request ?? "") : "",
    templateId: template?.id ?? "",
    templateValues: template?.values ?? {},
    name: schedule?.name ?? "",
    cron: schedule?.cron ?? usualCron,
    timeZone: schedule?.timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone,
    missed: schedule?.missed ?? "run-once",
    overlap: schedule?.overlap ?? "skip",
    workingDirectory: schedule?.workingDirectory ?? "",
  };
}

/** The version makes the daemon refuse a change of a schedule that has changed meanwhile. */
export function send(
  schedule: WireSchedule | undefined,
  values: Values,
  locale: Locale,
): Promise<WireSchedule> {
  const { cron, missed, overlap } = values;
  const [name, timeZone, workingDirectory] = [
    values.name.trim(),
    values.timeZone.trim(),
    values.workingDirectory.trim(),
  ];
  const body = {
    cron,
    missed,
    overlap,
    ...(values.source === "text"
      ? { text: values.text }
      : { template: templateOf(schedule, values, locale) }),
    ...(name && { name }),
    ...(timeZone && { timeZone }),
    ...(workingDirectory && { workingDirectory }),
  };
  if (!schedule) return post("/api/schedules", { body });
  const { scheduleId: id, version } = schedule;
  return patch("/api/schedules/{id}", { params: { id }, body: { ...body, version } });
}

/** The language stays the one in which the values were filled in. */
function templateOf(
  schedule: WireSchedule | undefined,
  { templateId: id, templateValues }: Values,
  locale: Locale,
) {
  const given = Object.entries(templateValues).filter(([, said]) => said.trim() !== "");
  const before = schedule?.template;
  return {
    id,
    values: Object.fromEntries(given),
    locale: before?.id === id ? before.locale : locale,
  };
}
