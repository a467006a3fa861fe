import type { FinalVerdict } from "../tasks/end-execution.ts";
import { canonicalJson } from "../text/canonical.ts";
import type { AgentReport } from "./result.ts";

/**
 * Whether a second report only repeats the registered one. report_result and report_completed have
 * different fields; fields that the second report cannot have are not compared.
 */
export function isSameReport(known: AgentReport, again: AgentReport): boolean {
  if (known.outcome === undefined && again.outcome !== undefined) return confirms(known, again);
  const { outcome: _outcome, ...comparable } = known;
  return textOf(again.outcome === undefined ? comparable : known) === textOf(again);
}

/** report_completed after report_result: it has no files and no error, and often no texts. */
function confirms(known: AgentReport, { outcome, summary, response }: AgentReport): boolean {
  const isDefaultResponse = response === summary;
  return (
    outcome === verdictOf(known) &&
    (summary === "" || summary === known.summary) &&
    (isDefaultResponse || response === known.response)
  );
}

/** The verdict that a report_result stands for. */
export function verdictOf({ status }: Pick<AgentReport, "status">): FinalVerdict {
  switch (status) {
    case "success":
      return "success";
    case "failure":
    case "timeout":
      return "failure";
    case "cancelled":
      return "cancelled";
  }
}

function textOf(report: AgentReport): string {
  return canonicalJson({
    ...report,
    editedFiles: distinct(report.editedFiles),
    createdFiles: distinct(report.createdFiles),
  });
}

function distinct(files: readonly string[]): readonly string[] {
  return [...new Set(files)].toSorted();
}
