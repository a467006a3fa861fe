import { useShallow } from "zustand/react/shallow";
import type { WireRunnerModels } from "../../../../src/contract/shapes/health.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useLive } from "../../live/store.ts";
import type { ComboOption } from "../../ui/combo-box.tsx";
import { TEXTS } from "./texts.ts";

/** Models listed by the CLIs, then models that roles use and no CLI lists. */
function modelOptions(
  all: readonly WireRunnerModels[],
  inUse: readonly string[],
  inUseNote: string,
): readonly ComboOption[] {
  const runners = new Map<string, string[]>();
  for (const { runner, models } of all) {
    for (const model of models) runners.set(model, [...(runners.get(model) ?? []), runner]);
  }
  const unnamed = new Set(inUse.filter((model) => !runners.has(model)));
  return [
    ...[...runners].map(([id, by]) => ({ id, note: by.join(", ") })),
    ...[...unnamed].map((id) => ({ id, note: inUseNote })),
  ];
}

/** Similar model names; undefined if the name is listed or the runner lists no models. */
export function nearModels(
  name: string,
  runner: string,
  all: readonly WireRunnerModels[],
): readonly string[] | undefined {
  const models = all.find((each) => each.runner === runner)?.models ?? [];
  if (models.length === 0 || name === "" || models.includes(name)) return undefined;
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

export function useModelOptions(all: readonly WireRunnerModels[]): readonly ComboOption[] {
  const text = useTexts(TEXTS);
  const inUse = useLive(useShallow(({ roles }) => roles.map(({ model }) => model)));
  return modelOptions(all, inUse, text.modelInUse);
}
