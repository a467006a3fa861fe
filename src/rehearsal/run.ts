import type { Fields } from "../base/narrow.ts";
import type { Verdict } from "../domain/tasks/execution.ts";
import type { Directive, ReportStatus } from "./directives.ts";
import type { FilesTouched } from "./files.ts";
import type { ReceivedNotification } from "./notifications.ts";
import type { ReadPrompt } from "./read-prompt.ts";
import type { CursorStream } from "./stream.ts";
import type { RehearsalTexts } from "./texts.ts";
import type { DaemonTools } from "./tools.ts";

/** The input of a rehearsal process. */
export type Rehearsal = {
  readonly prompt: string;
  readonly read: ReadPrompt;
  readonly model: string;
  readonly isReadOnly: boolean;
  readonly mcpUrl: string | undefined;
  readonly token: string | undefined;
  readonly agentId: string | undefined;
};

export type Run = Rehearsal & {
  /** In the language of the request. */
  readonly texts: RehearsalTexts;
  readonly stream: CursorStream;
  readonly tools: DaemonTools;
  readonly touched: FilesTouched;
  readonly diary: Diary;
};

/** What has happened so far; the report is written from it, even if the run is interrupted. */
export type Diary = {
  readonly notifications: ReceivedNotification[];
  /** One line per event. */
  readonly events: string[];
  /** Calls of the directive `tool` that got an error, in words. */
  readonly failures: Map<Directive, string>;
  /** Answers to calls that directives made; later steps can use them like results of steps. */
  readonly answers: Fields[];
  hasReported: boolean;
};

export type Report = {
  readonly status: ReportStatus;
  readonly summary: string;
  /** Present if the run was interrupted or is an executor's: it then ends with report_completed. */
  readonly result?: Verdict;
  /** An answer that a program reads; absent: a summary for people. */
  readonly response?: string;
};

export function lastOf<Verb extends Directive["verb"]>(
  directives: readonly Directive[],
  verb: Verb,
): Extract<Directive, { readonly verb: Verb }> | undefined {
  return directives.findLast((directive) => isVerb(directive, verb));
}

export function isVerb<Verb extends Directive["verb"]>(
  directive: Directive,
  verb: Verb,
): directive is Extract<Directive, { readonly verb: Verb }> {
  return directive.verb === verb;
}
