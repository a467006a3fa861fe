import { Refusal } from "../../domain/refusal.ts";
import type { Schedule, ScheduleTemplate } from "../../domain/schedules/schedule.ts";
import { requestOf } from "../../domain/templates/request-of.ts";
import type { TaskTemplate } from "../../domain/templates/template.ts";
import type { Core } from "../core.ts";
import { requireTemplate } from "../templates/require-template.ts";
import { serverMissing } from "../templates/server-missing.ts";
import { type TemplateView, viewTemplate } from "../templates/view-template.ts";

export type TemplateRead = {
  readonly template: TaskTemplate;
  /** The request of the task, filled in. */
  readonly request: string;
};

/**
 * The template of a schedule as its file is now. No person reads the text again at a planned time, so
 * a folder that is not trusted is refused.
 */
export async function readTemplate(core: Core, used: ScheduleTemplate): Promise<TemplateRead> {
  const view = viewTemplate(core, await requireTemplate(core, used.id));
  const { template } = view;
  if (template.kind !== "task") throw noTask(view);
  if (!view.isTrusted) throw notTrusted(view);
  if (view.missing.servers.length > 0) throw serverMissing(view);
  return { template, request: requestOf(template, used.values, used.locale) };
}

/** The request of the next task. Its priority is the schedule's, else the template's. */
export async function requestOfSchedule(
  core: Core,
  { request, priority, template: used }: Schedule,
): Promise<Pick<Schedule, "request" | "priority">> {
  if (used === null) return { request, priority };
  const { template, request: filled } = await readTemplate(core, used).catch((error: unknown) => {
    throw error instanceof Refusal ? notUsableNow(error) : error;
  });
  return { request: filled, priority: priority ?? template.priority };
}

/** People see the request that was read last. */
export function lastRequest({ template }: Schedule, request: string): Partial<Schedule> {
  return template === null ? {} : { request };
}

/** It was usable when the schedule was created; its file or the configuration has changed since. */
function notUsableNow({ code, texts: { en, ja } }: Refusal): Refusal {
  return new Refusal(code, {
    en: [
      `The template of this schedule cannot be used now. ${en[0]}`,
      "Correct or restore the template, or change the schedule.",
    ],
    ja: [
      `このスケジュールのテンプレートは、今は使えません。${ja[0]}`,
      "テンプレートを直すか元に戻すか、スケジュールを変更してください。",
    ],
  });
}

function noTask({ template: { id, kind } }: TemplateView): Refusal {
  return new Refusal("INVALID_ARGUMENTS", {
    en: [
      `The template ${id} starts no task: its kind is ${kind}.`,
      "A schedule requests tasks. Choose a template of the kind task: `kuromajutsu template list`.",
    ],
    ja: [
      `テンプレート ${id} はタスクのものではありません（kind: ${kind}）。`,
      "スケジュールが依頼するのはタスクです。タスクのテンプレートを選んでください: `kuromajutsu template list`",
    ],
  });
}

function notTrusted({ template, path }: TemplateView): Refusal {
  return new Refusal("NOT_ALLOWED", {
    en: [
      `The template ${template.id} is part of a folder that is not trusted (${path}).`,
      "Read the folder's configuration and trust it: `kuromajutsu trust`.",
    ],
    ja: [
      `テンプレート ${template.id} は、信頼されていないフォルダーのものです（${path}）。`,
      "フォルダーの設定を読み、信頼してください: `kuromajutsu trust`",
    ],
  });
}
