import { useParams } from "@tanstack/react-router";
import { ApiProblem } from "../api/http.ts";
import { GroupChanges } from "../features/changes/lists/group-changes.tsx";
import { ChildGroups } from "../features/groups/child-groups.tsx";
import { GroupGraph } from "../features/groups/graph/group-graph.tsx";
import {
  type GroupDetail,
  useAgentsOfGroups,
  useChildGroups,
  useGroup,
  useGroupAgents,
} from "../features/groups/group-data.ts";
import { GroupHeader } from "../features/groups/group-header.tsx";
import { Ledger } from "../features/groups/ledger.tsx";
import { Members } from "../features/groups/members.tsx";
import { TEXTS } from "../features/groups/texts.ts";
import { Timeline } from "../features/groups/timeline.tsx";
import { TokensTable } from "../features/groups/tokens-table.tsx";
import { useTexts } from "../i18n/texts.ts";
import { Loading } from "../ui/notes.tsx";
import { PageError } from "../ui/page-error.tsx";
import { PageHead } from "../ui/page-head.tsx";

export function Page() {
  const { groupId = "" } = useParams({ strict: false });
  const text = useTexts(TEXTS);
  const { group, error, refetch } = useGroup(groupId);
  if (group) return <GroupPage key={groupId} group={group} />;
  if (!error) return <Loading />;
  return error instanceof ApiProblem && error.status === 404 ? (
    <PageHead title={text.notHere} />
  ) : (
    <PageError error={error} reset={() => void refetch()} />
  );
}

function GroupPage({ group }: { readonly group: GroupDetail }) {
  const agents = useGroupAgents(group);
  const children = useChildGroups(group.groupId);
  const childAgents = useAgentsOfGroups(children);
  return (
    <>
      <GroupHeader group={group} agents={agents} childAgents={childAgents} />
      {group.magentic && <Ledger magentic={group.magentic} />}
      <GroupGraph group={group} agents={agents} subgroups={children} childAgents={childAgents} />
      <GroupChanges groupId={group.groupId} />
      <Timeline agents={[...agents, ...childAgents]} />
      <ChildGroups groups={children} />
      <Members
        agents={[...agents, ...childAgents]}
        total={Math.max(group.totalAgents, agents.length) + childAgents.length}
      />
      <TokensTable rows={group.usage} />
    </>
  );
}
