import type { WireSchedule } from "../../../../src/contract/shapes/schedules.ts";
import {
  describeCron,
  MISSED_POLICIES,
  OVERLAP_POLICIES,
} from "../../../../src/contract/values.ts";
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
import { send, type SetValues, useDraft, type Values } from "./schedule-draft.ts";
import { TEXTS } from "./texts.ts";
import { usePreview } from "./use-schedules.ts";
import { useIsWhatReady, WhatFields } from "./what-fields.tsx";

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
  const locale = useLocale((state) => state.locale);
  const { values, set, hasMoved, reload } = useDraft(schedule, PRESETS[0]);
  const preview = usePreview(values.cron, values.timeZone).data;
  const cronProblem = useCronProblem(preview);
  const save = useAction(async () => onSaved(await send(schedule, values, locale)));
  const isWhatReady = useIsWhatReady(values);
  const isReady = isWhatReady && !hasMoved && (preview?.next.length ?? 0) > 0;
  const submit = () => void (isReady && !save.isRunning && save.run());
  const isUnknownZone = preview?.timeZone === null;
  return (
    <Dialog title={schedule ? text.form.edit : text.form.create} isOpen onClose={onClose}>
      <div className="flex flex-col gap-4">
        {hasMoved && <Moved onReload={reload} />}
        <WhatFields values={values} set={set} onSubmit={submit} />
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

function Moved({ onReload }: { readonly onReload: () => void }) {
  const text = useTexts(TEXTS);
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-2 rounded-lg border border-timeout/50 bg-timeout/10 px-3 py-2"
    >
      <p className="flex-1 basis-56">{text.form.moved}</p>
      <Button size="small" onPress={onReload}>
        {text.form.reload}
      </Button>
    </div>
  );
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

function Policies({ values, set }: { readonly values: Values; readonly set: SetValues }) {
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
