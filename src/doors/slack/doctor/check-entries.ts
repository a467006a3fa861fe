import { fieldsOf, textOf, type Fields } from "../../../base/narrow.ts";
import type { Config } from "../../../contract/config/schema.ts";
import { visibleLine } from "../../../contract/visible-text.ts";
import { askSlack } from "../setup/ask-slack.ts";
import { refused } from "./check-tokens.ts";
import {
  type CheckName,
  type Doctor,
  failed,
  type Finding,
  ok,
  skipped,
  warning,
  type Workspace,
} from "./finding.ts";

type SlackPerson = Config["slack"]["people"][number];
type Board = Config["slack"]["boards"][number];

/** Whether the people of `slack.people` exist, and may act here. */
export async function checkPeople(
  doctor: Doctor,
  workspaces: readonly Workspace[],
): Promise<readonly Finding[]> {
  const { texts, setup } = doctor;
  const { people } = setup.settings;
  if (people.length === 0) return [warning("people", "empty", texts.noPeople, texts.addPeople)];
  return eachEntry(people, (entry) => {
    const id = "user" in entry ? entry.user : entry.usergroup;
    return inWorkspace(doctor, workspaces, { check: "people", id, team: entry.team }, (workspace) =>
      checkPerson(doctor, workspace, entry),
    );
  });
}

/** Whether the app can post in the channels of `slack.boards`. */
export function checkBoards(
  doctor: Doctor,
  workspaces: readonly Workspace[],
): Promise<readonly Finding[]> {
  return eachEntry(doctor.setup.settings.boards, (board) =>
    inWorkspace(
      doctor,
      workspaces,
      { check: "boards", id: board.channel, team: board.team },
      (workspace) => checkBoard(doctor, workspace, board),
    ),
  );
}

/** One after the other: Slack limits the calls per minute. */
async function eachEntry<Entry>(
  entries: readonly Entry[],
  check: (entry: Entry) => Promise<Finding>,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const entry of entries) findings.push(await check(entry));
  return findings;
}

type Subject = {
  readonly check: CheckName;
  readonly id: string;
  readonly team: string | undefined;
};

async function inWorkspace(
  { texts }: Doctor,
  workspaces: readonly Workspace[],
  { check, id, team }: Subject,
  work: (workspace: Workspace) => Promise<Finding>,
): Promise<Finding> {
  const possible = workspaces.filter((workspace) => team === undefined || workspace.team === team);
  const [workspace, another] = possible;
  if (workspaces.length === 0) return skipped(check, `${id}: ${texts.skipped}`);
  if (!workspace)
    return failed(check, "other_team", texts.otherTeam(id, team ?? ""), texts.mendTeam);
  if (another) return failed(check, "ambiguous_team", texts.ambiguous(id), texts.nameTeam);
  return work(workspace);
}

async function checkPerson(
  doctor: Doctor,
  workspace: Workspace,
  entry: SlackPerson,
): Promise<Finding> {
  const access = { apiUrl: doctor.setup.secrets.apiUrl, token: workspace.token };
  const { texts } = doctor;
  if ("usergroup" in entry) {
    const { usergroup } = entry;
    const reply = await askSlack(access, "usergroups.users.list", { usergroup });
    if (!reply.ok) return entryProblem(doctor, usergroup, reply.code);
    const users: unknown = reply.fields["users"];
    const count = Array.isArray(users) ? users.length : 0;
    if (count > 0) return ok("people", texts.group(usergroup, count, entry.role));
    return { ...entryProblem(doctor, usergroup, "empty"), status: "warning" };
  }
  const reply = await askSlack(access, "users.info", { user: entry.user });
  if (!reply.ok) return entryProblem(doctor, entry.user, reply.code);
  const user = fieldsOf(reply.fields["user"]);
  const code = whyRefused(user, workspace.team);
  if (code !== undefined) return entryProblem(doctor, entry.user, code);
  const name = visibleLine(textOf(user["real_name"]) ?? textOf(user["name"]) ?? "?");
  return ok("people", texts.user(entry.user, name, entry.person));
}

function whyRefused(user: Fields, team: string): string | undefined {
  if (user["deleted"] === true) return "deleted";
  if (user["is_bot"] === true) return "bot";
  if (user["is_restricted"] === true || user["is_ultra_restricted"] === true) return "guest";
  const isOther =
    textOf(user["team_id"]) !== team && fieldsOf(user["enterprise_user"])["id"] === undefined;
  return user["is_stranger"] === true || isOther ? "stranger" : undefined;
}

function entryProblem(doctor: Doctor, id: string, code: string): Finding {
  const { userProblems, userRemedies } = doctor.texts;
  const found = userProblems[code]?.(id);
  if (found === undefined) {
    const finding = refused(doctor, "people", code);
    return { ...finding, found: `${id}: ${finding.found}` };
  }
  return failed("people", code, found, userRemedies[code]);
}

async function checkBoard(
  doctor: Doctor,
  { token, botName }: Workspace,
  { channel }: Board,
): Promise<Finding> {
  const { texts, setup } = doctor;
  const access = { apiUrl: setup.secrets.apiUrl, token };
  const reply = await askSlack(access, "conversations.info", { channel });
  if (!reply.ok) {
    if (reply.code === "channel_not_found") {
      return failed("boards", reply.code, texts.boardNotFound(channel), texts.invite(botName, "…"));
    }
    const finding = refused(doctor, "boards", reply.code);
    return { ...finding, found: `${channel}: ${finding.found}` };
  }
  const info = fieldsOf(reply.fields["channel"]);
  const name = visibleLine(textOf(info["name"]) ?? channel);
  if (info["is_archived"] === true) {
    return failed("boards", "is_archived", texts.boardArchived(channel, name), texts.unarchive);
  }
  if (info["is_member"] === false) {
    const advice = texts.invite(botName, name);
    return failed("boards", "not_in_channel", texts.boardNotMember(channel, name), advice);
  }
  return ok("boards", texts.board(channel, name));
}
