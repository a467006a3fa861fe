import { GroupsSection } from "../../features/groups/overview/groups-section.tsx";
import { TrustCard } from "../../features/people/trust/trust-card.tsx";
import { RehearsalNote } from "../../features/roles/rehearsal-note.tsx";
import { COMMON } from "../../i18n/common.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useLive } from "../../live/store.ts";
import { Loading } from "../../ui/notes.tsx";
import { Attention } from "./attention.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { Summary } from "./summary.tsx";

export function Page() {
  const { nav } = useTexts(COMMON);
  const isKnown = useLive(({ connection }) => connection.asOf !== null);
  const isEmpty = useLive(
    ({ groups, tasks, agents }) => groups.size + tasks.size + agents.size === 0,
  );
  return (
    <>
      <h1 className="sr-only">{nav.dashboard}</h1>
      {isKnown && <TrustCard />}
      {!isKnown ? (
        <Loading />
      ) : isEmpty ? (
        <>
          <FirstSteps />
          <div className="h-5" />
          <Summary />
        </>
      ) : (
        <>
          <RehearsalNote />
          <Attention />
          <Summary />
          <GroupsSection />
        </>
      )}
    </>
  );
}
