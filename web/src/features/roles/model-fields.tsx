import type { WireRunnerModels } from "../../../../src/contract/shapes/health.ts";
import type { RoleDetails } from "../../../../src/contract/shapes/roles.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Button } from "../../ui/button.tsx";
import { ComboBox } from "../../ui/combo-box.tsx";
import { Segments } from "../../ui/segments.tsx";
import { DEFAULT_MODEL, nearModels, useModelOptions } from "./model-options.ts";
import { TEXTS } from "./texts.ts";

export type ModelFieldsProps = {
  readonly value: RoleDetails["model"];
  /** The runner an agent would get with the values of the form. */
  readonly runner: string;
  /** The runners are a fallback list: one name belongs to the first of them. */
  readonly isList: boolean;
  /** The models of the chosen runners. */
  readonly models: readonly WireRunnerModels[];
  readonly error?: string | undefined;
  readonly isReadOnly: boolean;
  readonly onChange: (value: RoleDetails["model"]) => void;
};

/** One model for all runners, or one for each. */
export function ModelFields(props: ModelFieldsProps) {
  const { value, runner, isList, models, error, isReadOnly, onChange } = props;
  const text = useTexts(TEXTS);
  const options = useModelOptions(
    models.filter((each) => each.runner === runner),
    runner,
  );
  const isOne = typeof value === "string";
  return (
    <div role="group" aria-label={text.model} className="flex flex-col gap-2">
      {!isReadOnly && (
        <div className="flex flex-wrap items-center gap-2">
          <span aria-hidden className="text-xs font-semibold text-text-2">
            {text.modelScope}
          </span>
          <Segments
            label={text.modelScope}
            value={isOne ? "one" : "each"}
            options={[
              { id: "one", label: isList ? text.modelFirst : text.modelOne },
              { id: "each", label: text.modelEach },
            ]}
            onChange={(id) => onChange(id === "one" ? oneOf(value, runner) : eachOf(value, runner))}
          />
        </div>
      )}
      {isOne ? (
        <>
          <ComboBox
            label={isList ? text.modelFor(runner) : text.model}
            value={value}
            onChange={onChange}
            options={options}
            help={isList ? text.modelFirstHelp : text.modelHelp}
            error={error}
            isReadOnly={isReadOnly}
          />
          <Unlisted name={value} runner={runner} models={models} onUse={onChange} />
        </>
      ) : (
        <EachModel {...props} value={value} />
      )}
    </div>
  );
}

function EachModel({
  value,
  models,
  error,
  isReadOnly,
  onChange,
}: Omit<ModelFieldsProps, "value"> & { readonly value: Readonly<Record<string, string>> }) {
  const text = useTexts(TEXTS);
  const runners = [...new Set([...models.map((each) => each.runner), ...Object.keys(value)])];
  const set = (runner: string, name: string) => {
    const { [runner]: _old, ...others } = value;
    onChange(name === "" ? others : { ...others, [runner]: name });
  };
  return (
    <div className="flex flex-col gap-2">
      <p className="text-xs text-text-3">{text.modelEachHelp}</p>
      <div className="grid gap-2 sm:grid-cols-2">
        {runners.map((runner) => (
          <div key={runner}>
            <ComboBox
              label={text.modelFor(runner)}
              value={value[runner] ?? ""}
              onChange={(name) => set(runner, name)}
              options={[
                { id: DEFAULT_MODEL, note: text.modelDefaultNote },
                ...(models.find((each) => each.runner === runner)?.models ?? [])
                  .filter((id) => id !== DEFAULT_MODEL)
                  .map((id) => ({ id })),
              ]}
              isReadOnly={isReadOnly}
            />
            <Unlisted
              name={value[runner] ?? ""}
              runner={runner}
              models={models}
              onUse={(name) => set(runner, name)}
            />
          </div>
        ))}
      </div>
      {error && <p className="text-xs text-failed">{error}</p>}
    </div>
  );
}

function Unlisted({
  name,
  runner,
  models,
  onUse,
}: {
  readonly name: string;
  readonly runner: string;
  readonly models: readonly WireRunnerModels[];
  readonly onUse: (name: string) => void;
}) {
  const text = useTexts(TEXTS);
  const near = nearModels(name, runner, models);
  if (!near) return null;
  return (
    <div role="status" className="mt-1 text-xs">
      <p className="text-timeout">{text.modelUnlisted(runner)}</p>
      <p className="mt-1 flex flex-wrap items-center gap-1.5 text-text-3">
        {text.modelInstead}
        {near.map((model) => (
          <Button
            key={model}
            size="small"
            className="font-mono"
            aria-label={text.modelUse(model)}
            onPress={() => onUse(model)}
          >
            {model}
          </Button>
        ))}
      </p>
    </div>
  );
}

function oneOf(value: RoleDetails["model"], runner: string): RoleDetails["model"] {
  if (typeof value === "string") return value;
  return value[runner] ?? Object.values(value)[0] ?? "";
}

function eachOf(value: RoleDetails["model"], runner: string): RoleDetails["model"] {
  return typeof value === "string" ? { [runner]: value } : value;
}
