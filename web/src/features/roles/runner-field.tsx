import { ArrowUp, X } from "lucide-react";
import type { RoleDetails } from "../../../../src/contract/shapes/roles.ts";
import { FALLBACK_RUNNERS, RUNNER_CHOICES } from "../../../../src/contract/values.ts";
import { useSystem } from "../../api/system.ts";
import { useTexts } from "../../i18n/texts.ts";
import { IconButton } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";
import { TEXTS } from "./texts.ts";

type Choice = RoleDetails["runner"];
type Fallback = (typeof FALLBACK_RUNNERS)[number];

export type RunnerFieldProps = {
  /** As configured. */
  readonly configured: Choice;
  readonly value: Choice;
  readonly isReadOnly: boolean;
  readonly onChange: (value: Choice) => void;
};

const LIST = "list";

/** The runners of a choice; all of them for `auto`. */
export function runnersOf(choice: Choice): readonly string[] {
  if (choice === "auto") return RUNNER_CHOICES.filter((id) => id !== "auto");
  return typeof choice === "string" ? [choice] : choice;
}

/** One runner of this daemon, the configured one, `auto`, or a fallback list. */
export function RunnerField({ configured, value, isReadOnly, onChange }: RunnerFieldProps) {
  const text = useTexts(TEXTS);
  const labelOf = useRunnerLabel();
  const found = useFound();
  if (isReadOnly) {
    const shown = runnersText(configured);
    return <Field label={text.runner} value={shown} onChange={() => {}} isReadOnly mono />;
  }
  const isList = typeof value !== "string";
  const isShown = (id: string) =>
    id === "auto" || found.has(id) || id === value || id === configured;
  return (
    <div className="flex flex-col gap-2">
      <Select
        label={text.runner}
        value={isList ? LIST : value}
        options={[
          ...RUNNER_CHOICES.filter(isShown).map((id) => ({ id, label: labelOf(id) })),
          { id: LIST, label: text.runnerList },
        ]}
        onChange={(id) => {
          const chosen = RUNNER_CHOICES.find((known) => known === id);
          if (chosen) onChange(chosen);
          else if (!isList) onChange([firstOf(value, found)]);
        }}
      />
      {isList && <FallbackList value={value} onChange={onChange} />}
    </div>
  );
}

function runnersText(choice: Choice): string {
  return typeof choice === "string" ? choice : choice.join(" → ");
}

/** A list begins with the runner that was chosen before, else with one that is installed. */
function firstOf(value: string, found: ReadonlyMap<string, string | null>): Fallback {
  const chosen = FALLBACK_RUNNERS.find((id) => id === value);
  return chosen ?? FALLBACK_RUNNERS.find((id) => found.get(id)) ?? "claude";
}

function FallbackList({
  value,
  onChange,
}: {
  readonly value: readonly Fallback[];
  readonly onChange: (value: Choice) => void;
}) {
  const text = useTexts(TEXTS);
  const labelOf = useRunnerLabel();
  const rest = FALLBACK_RUNNERS.filter((id) => !value.includes(id));
  const swap = (at: number) =>
    onChange(value.map((id, index) => neighbour(value, index, at) ?? id));
  return (
    <div role="group" aria-label={text.runnerList} className="flex flex-col gap-2">
      <p className="text-xs text-text-3">{text.runnerListHelp}</p>
      <ol className="flex flex-col gap-1">
        {value.map((id, index) => (
          <li
            key={id}
            className="flex items-center gap-2 rounded-lg border border-line bg-raised px-3 py-1"
          >
            <span className="font-mono text-xs text-text-3">{index + 1}</span>
            <span className="min-w-0 flex-1 font-mono">{labelOf(id)}</span>
            <IconButton
              label={text.runnerUp(id)}
              size="small"
              isDisabled={index === 0}
              onPress={() => swap(index)}
            >
              <ArrowUp size={13} aria-hidden />
            </IconButton>
            <IconButton
              label={text.runnerRemove(id)}
              size="small"
              isDisabled={value.length === 1}
              onPress={() => onChange(value.filter((other) => other !== id))}
            >
              <X size={13} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ol>
      {rest.length > 0 && (
        <Select
          label={text.runnerAdd}
          value=""
          options={rest.map((id) => ({ id, label: labelOf(id) }))}
          onChange={(id) => {
            const chosen = rest.find((known) => known === id);
            if (chosen) onChange([...value, chosen]);
          }}
        />
      )}
    </div>
  );
}

/** The entry that stands at `index` after the one at `at` has moved up by one. */
function neighbour(value: readonly Fallback[], index: number, at: number): Fallback | undefined {
  if (index === at - 1) return value[at];
  return index === at ? value[at - 1] : undefined;
}

function useFound(): ReadonlyMap<string, string | null> {
  const system = useSystem();
  return new Map(system.data?.runners.map(({ id, command }) => [id, command]));
}

function useRunnerLabel(): (id: string) => string {
  const text = useTexts(TEXTS);
  const found = useFound();
  return (id) => {
    if (id === "auto") return text.runnerAuto;
    return found.get(id) ? id : `${id} (${text.runnerMissing})`;
  };
}
