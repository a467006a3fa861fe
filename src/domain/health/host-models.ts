import { isOffered, type KnownModels, type Target } from "./health.ts";

/** The models that the CLI of one host lists; undefined: it has listed none, so it may have any. */
export type ModelList = readonly string[] | undefined;

/** What is known beside the list of this server. */
export type OtherLists = {
  /** Whether this server runs agents itself. */
  readonly runsAgents: boolean;
  /** One for each connected worker and each other server that has the CLI and runs agents. */
  readonly lists: readonly ModelList[];
};

/** The models of all hosts that run agents of a CLI. No list decides while one of them is unknown. */
export function modelsOfHosts(own: KnownModels, { runsAgents, lists }: OtherLists): KnownModels {
  const all = runsAgents && own.isMissing !== true ? [own.models, ...lists] : lists;
  const known = all.filter((list) => list !== undefined);
  const isDecided = known.length > 0 && known.length === all.length;
  return { ...own, models: isDecided ? [...new Set(known.flat())] : undefined };
}

/** Whether a host with this list may run the model. */
export function mayHaveModel(
  target: Pick<Target, "model" | "defaultModel" | "takesOtherModels">,
  list: ModelList,
): boolean {
  return list === undefined || target.takesOtherModels || isOffered(target, list);
}
