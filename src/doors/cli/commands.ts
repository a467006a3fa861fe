import { agents } from "./commands/agents.ts";
import { alertsList } from "./commands/alerts-list.ts";
import { alertsTest } from "./commands/alerts-test.ts";
import { approvals } from "./commands/approvals.ts";
import { auditAnchor } from "./commands/audit-anchor.ts";
import { auditVerify } from "./commands/audit-verify.ts";
import { backup } from "./commands/backup.ts";
import { changes } from "./commands/changes.ts";
import { completion } from "./commands/completion.ts";
import { demo } from "./commands/demo.ts";
import { discard } from "./commands/discard.ts";
import { doctor } from "./commands/doctor.ts";
import { groups } from "./commands/groups.ts";
import { init } from "./commands/init.ts";
import { jobsRetry } from "./commands/jobs-retry.ts";
import { jobs } from "./commands/jobs.ts";
import { logs } from "./commands/logs.ts";
import { mcp } from "./commands/mcp.ts";
import { merge } from "./commands/merge.ts";
import { merges } from "./commands/merges.ts";
import { migrate } from "./commands/migrate.ts";
import { open } from "./commands/open.ts";
import { reload } from "./commands/reload.ts";
import { restore } from "./commands/restore.ts";
import { run } from "./commands/run.ts";
import { scheduleAdd } from "./commands/schedule-add.ts";
import { scheduleList } from "./commands/schedule-list.ts";
import { schedulePause } from "./commands/schedule-pause.ts";
import { scheduleRemove } from "./commands/schedule-remove.ts";
import { scheduleResume } from "./commands/schedule-resume.ts";
import { scheduleRun } from "./commands/schedule-run.ts";
import { scheduleShow } from "./commands/schedule-show.ts";
import { serve } from "./commands/serve.ts";
import { serviceInstall } from "./commands/service-install.ts";
import { serviceStatus } from "./commands/service-status.ts";
import { serviceUninstall } from "./commands/service-uninstall.ts";
import { slackDoctor } from "./commands/slack-doctor.ts";
import { slackInstallLink } from "./commands/slack-install-link.ts";
import { slackManifest } from "./commands/slack-manifest.ts";
import { slackRemove } from "./commands/slack-remove.ts";
import { slackWorkspaces } from "./commands/slack-workspaces.ts";
import { status } from "./commands/status.ts";
import { stop } from "./commands/stop.ts";
import { tasks } from "./commands/tasks.ts";
import { templateList } from "./commands/template-list.ts";
import { templateRemove } from "./commands/template-remove.ts";
import { templateSave } from "./commands/template-save.ts";
import { templateShow } from "./commands/template-show.ts";
import { templateUse } from "./commands/template-use.ts";
import { trust } from "./commands/trust.ts";
import { userAdd } from "./commands/user-add.ts";
import { userList } from "./commands/user-list.ts";
import { userRemove } from "./commands/user-remove.ts";
import { userToken } from "./commands/user-token.ts";
import { watch } from "./commands/watch.ts";
import { workerAdd } from "./commands/worker-add.ts";
import { workerList } from "./commands/worker-list.ts";
import { workerRevoke } from "./commands/worker-revoke.ts";
import { worker } from "./commands/worker.ts";
import { workspaces } from "./commands/workspaces.ts";
import type { Command } from "./define-command.ts";

/** In the order of the help. */
export const COMMANDS: readonly Command[] = [
  demo,
  init,
  serve,
  open,
  mcp,
  run,
  tasks,
  approvals,
  watch,
  agents,
  groups,
  changes,
  merge,
  merges,
  discard,
  workspaces,
  logs,
  templateList,
  templateShow,
  templateUse,
  templateSave,
  templateRemove,
  scheduleAdd,
  scheduleList,
  scheduleShow,
  schedulePause,
  scheduleResume,
  scheduleRun,
  scheduleRemove,
  alertsList,
  alertsTest,
  userAdd,
  userList,
  userToken,
  userRemove,
  trust,
  auditVerify,
  auditAnchor,
  backup,
  restore,
  migrate,
  jobs,
  jobsRetry,
  worker,
  workerAdd,
  workerList,
  workerRevoke,
  serviceInstall,
  serviceStatus,
  serviceUninstall,
  doctor,
  slackManifest,
  slackDoctor,
  slackInstallLink,
  slackWorkspaces,
  slackRemove,
  completion,
  status,
  reload,
  stop,
];
