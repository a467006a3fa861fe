import { useShallow } from "zustand/react/shallow";
import type { WireRunnerModels } from "../../../../src/contract/shapes/health.ts";
import type { RoleDetails } from "../../../../src/contract/shapes/roles.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useLive } from "../../live/store.ts";
import type { ComboOption } from "../../ui/combo-box.tsx";
import { TEXTS } from "./texts.ts";

/** Stands for the model that the CLI chooses itself; every runner has it. */
export const DEFAULT_MODEL = "default";

/** The default, then models listed by the CLIs, then models that roles use and no CLI lists. */
function modelOptions(
  all: readonly WireRunnerModels[],
  inUse: readonly string[],
  notes: { readonly default: string; readonly inUse: string },
): readonly ComboOption[] {
  const runners = new Map<string, string[]>();
  for (const { runner, models } of all) {
    for (const model of models) runners.set(model, [...(runners.get(model) ?? []), runner]);
  }
  runners.delete(DEFAULT_MODEL);
  const unnamed = new Set(inUse.filter((model) => model !== DEFAULT_MODEL && !runners.has(model)));
  return [
    { id: DEFAULT_MODEL, note: notes.default },
    ...[...runners].map(([id, by]) => ({ id, note: by.join(", ") })),
    ...[...unnamed].map((id) => ({ id, note: notes.inUse })),
  ];
}

/** Similar model names; undefined if the name is listed or the runner lists no models. */
export function nearModels(
  name: string,
  runner: string,
  all: readonly WireRunnerModels[],
): readonly string[] | undefined {
  const models = all.find((each) => each.runner === runner)?.models ?? [];
  const isKnown = name === "" || name === DEFAULT_MODEL || models.includes(name);
  if (models.length === 0 || isKnown) return undefined;
  const words = name.toLowerCase().split(/[^a-z0-9]+/);
  return models
    .map((model) => ({
      model,
      hits: words.filter((word) => word && model.toLowerCase().includes(word)).length,
    }))
    .sort((one, other) => other.hits - one.hits)
    .slice(0, 3)
    .map(({ model }) => model);
}

/**
 * The model that the form shows. The model of a built-in role is a name of Cursor: other CLIs use their
 * default instead, and a rehearsal takes any name.
 */
export function shownModel(
  value: RoleDetails["model"],
  role: Pick<RoleDetails, "model" | "modelFrom">,
  runner: string,
): RoleDetails["model"] {
  const isBuiltIn = role.modelFrom === "default" && value === role.model;
  return isBuiltIn && runner !== "cursor" && runner !== "rehearsal" ? DEFAULT_MODEL : value;
}

/** `runner`: only names that roles with this runner use are added. */
export function useModelOptions(
  all: readonly WireRunnerModels[],
  runner?: string,
): readonly ComboOption[] {
  const text = useTexts(TEXTS);
  const inUse = useLive(
    useShallow(({ roles }) =>
      roles
        .filter((role) => runner === undefined || role.runner === runner)
        .map(({ model }) => model),
    ),
  );
  return modelOptions(all, inUse, { default: text.modelDefaultNote, inUse: text.modelInUse });
}
