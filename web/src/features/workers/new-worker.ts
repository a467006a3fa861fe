import { LABEL, MAX_LABELS, WORKER_NAME } from "../../../../src/contract/values.ts";

export function isWorkerName(name: string): boolean {
  return WORKER_NAME.test(name);
}

/** People separate labels by spaces or commas, also Japanese ones. */
export function labelsIn(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,、，]+/u).filter((label) => label !== ""))];
}

export type LabelsError = { readonly kind: "bad"; readonly label: string } | { kind: "many" };

export function labelsError(labels: readonly string[]): LabelsError | undefined {
  const bad = labels.find((label) => !LABEL.test(label));
  if (bad !== undefined) return { kind: "bad", label: bad };
  return labels.length > MAX_LABELS ? { kind: "many" } : undefined;
}

/** The command that connects a worker. A label of the token counts only if the worker offers it. */
export function workerCommand(
  origin: string,
  tokenFile: string,
  labels: readonly string[],
): string {
  const offered = labels.flatMap((label) => ["--label", label]);
  return ["kuromajutsu worker --server", origin, "--token-file", tokenFile, ...offered].join(" ");
}

/** Why other machines cannot use this address; null: they can, as far as the browser knows. */
export function originProblem({
  protocol,
  hostname,
}: Pick<Location, "protocol" | "hostname">): "local" | "insecure" | null {
  if (/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)) return "local";
  return protocol === "https:" ? null : "insecure";
}
