import { useState } from "react";
import type { WireSchedule } from "../../../../src/contract/shapes/schedules.ts";
import {
  describeCron,
  MISSED_POLICIES,
  OVERLAP_POLICIES,
} from "../../../../src/contract/values.ts";
import { patch, post } from "../../api/http.ts";
import { useMe } from "../../api/use-me.ts";
import { COMMON } from "../../i18n/common.ts";
import { useLocale } from "../../i18n/locale.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Button } from "../../ui/button.tsx";
import { ComboBox } from "../../ui/combo-box.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";
import { useAction } from "../../ui/use-action.ts";
import { Preview, useCronProblem } from "./preview.tsx";
import { TEXTS } from "./texts.ts";
import { usePreview } from "./use-schedules.ts";

const PRESETS = [
  "0 9 * * 1-5",
  "0 9 * * *",
  "0 9 * * 1",
  "0 17 * * 5",
  "0 9 1 * *",
  "0 18 L * *",
  "0 * * * *",
] as const;

const ZONES = ["UTC", ...Intl.supportedValuesOf("timeZone")].map((id) => ({ id }));

export type ScheduleFormProps = {
  /** undefined: a new one. */
  readonly schedule?: WireSchedule;
  readonly onClose: () => void;
  readonly onSaved: (schedule: WireSchedule) => void;
};

export function ScheduleForm({ schedule, onClose, onSaved }: ScheduleFormProps) {
  const text = useTexts(TEXTS);
  const common = useTexts(COMMON);
  const me = useMe();
  const draft = useDraft(schedule);
  const { values, set } = draft;
  const preview = usePreview(values.cron, values.timeZone).data;
  const cronProblem = useCronProblem(preview);
  const save = useAction(async () => onSaved(await send(schedule, values)));
  const isReady = values.text.trim() !== "" && (preview?.next.length ?? 0) > 0;
  const submit = () => void (isReady && !save.isRunning && save.run());
  const isUnknownZone = preview?.timeZone === null;
  return (
    <Dialog title={schedule ? text.form.edit : text.form.create} isOpen onClose={onClose}>
      <div className="flex flex-col gap-4">
        <Field
          label={text.form.what}
          value={values.text}
          onChange={(value) => set({ text: value })}
          rows={4}
          placeholder={text.form.placeholder}
          onSubmit={submit}
          autoFocus
        />
        <Field
          label={text.form.name}
          value={values.name}
          onChange={(value) => set({ name: value })}
        />
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <Presets cron={values.cron} onChange={(cron) => set({ cron })} />
          <Field
            label={text.form.cron}
            value={values.cron}
            onChange={(value) => set({ cron: value })}
            help={text.form.cronHelp}
            error={cronProblem}
            onSubmit={submit}
            mono
          />
        </div>
        <ComboBox
          label={text.form.zone}
          value={values.timeZone}
          options={ZONES}
          onChange={(value) => set({ timeZone: value })}
          help={text.form.zoneHelp}
          error={isUnknownZone ? text.form.unknownZone(preview.similarZones.join(", ")) : undefined}
        />
        <Preview preview={preview} />
        <Policies values={values} set={set} />
        <Field
          label={text.directoryOptional}
          value={values.workingDirectory}
          onChange={(value) => set({ workingDirectory: value })}
          mono
        />
        {schedule && me && schedule.requester !== me.id && (
          <p className="text-xs text-timeout">{text.form.takesOver}</p>
        )}
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>{common.cancel}</Button>
          <Button look="violet" onPress={submit} isDisabled={!isReady} isPending={save.isRunning}>
            {schedule ? text.form.save : text.form.createSend}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

type Values = {
  readonly text: string;
  readonly name: string;
  readonly cron: string;
  readonly timeZone: string;
  readonly missed: WireSchedule["missed"];
  readonly overlap: WireSchedule["overlap"];
  readonly workingDirectory: string;
};
type Set = (changes: Partial<Values>) => void;

function useDraft(schedule: WireSchedule | undefined) {
  const [values, setValues] = useState<Values>(() => ({
    text: schedule?.request ?? "",
    name: schedule?.name ?? "",
    cron: schedule?.cron ?? PRESETS[0],
    timeZone: schedule?.timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone,
    missed: schedule?.missed ?? "run-once",
    overlap: schedule?.overlap ?? "skip",
    workingDirectory: schedule?.workingDirectory ?? "",
  }));
  const set: Set = (changes) => setValues((before) => ({ ...before, ...changes }));
  return { values, set };
}

function send(schedule: WireSchedule | undefined, values: Values): Promise<WireSchedule> {
  const { name, timeZone, workingDirectory, ...rest } = values;
  const body = {
    ...rest,
    ...(name.trim() && { name: name.trim() }),
    ...(timeZone.trim() && { timeZone: timeZone.trim() }),
    ...(workingDirectory.trim() && { workingDirectory: workingDirectory.trim() }),
  };
  if (!schedule) return post("/api/schedules", { body });
  const { scheduleId: id, version } = schedule;
  return patch("/api/schedules/{id}", { params: { id }, body: { ...body, version } });
}

function Presets({
  cron,
  onChange,
}: {
  readonly cron: string;
  readonly onChange: (cron: string) => void;
}) {
  const text = useTexts(TEXTS);
  const locale = useLocale((state) => state.locale);
  const known = PRESETS.find((preset) => preset === cron);
  return (
    <Select
      label={text.form.preset}
      value={known ?? "custom"}
      onChange={(id) => id !== "custom" && onChange(id)}
      options={[
        ...PRESETS.map((id) => ({ id, label: describeCron(id, locale) })),
        { id: "custom", label: text.form.custom },
      ]}
    />
  );
}

function Policies({ values, set }: { readonly values: Values; readonly set: Set }) {
  const text = useTexts(TEXTS);
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Select
        label={text.missed}
        value={values.missed}
        onChange={(id) => {
          const missed = MISSED_POLICIES.find((each) => each === id);
          if (missed) set({ missed });
        }}
        options={MISSED_POLICIES.map((id) => ({ id, label: text.missedPolicy[id] }))}
      />
      <Select
        label={text.overlap}
        value={values.overlap}
        onChange={(id) => {
          const overlap = OVERLAP_POLICIES.find((each) => each === id);
          if (overlap) set({ overlap });
        }}
        options={OVERLAP_POLICIES.map((id) => ({ id, label: text.overlapPolicy[id] }))}
      />
    </div>
  );
}
