import { lazy } from "react";
import { useDemo } from "../../api/use-demo.ts";
import { useHome } from "../../api/use-home.ts";
import { useMayOperate } from "../../api/use-me.ts";
import { TroublesCard } from "../../features/gateway/troubles-card.tsx";
import { GroupsSection } from "../../features/groups/overview/groups-section.tsx";
import { TrustCard } from "../../features/people/trust/trust-card.tsx";
import { RehearsalNote } from "../../features/roles/rehearsal-note.tsx";
import { COMMON } from "../../i18n/common.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useLive } from "../../live/store.ts";
import { cx } from "../../ui/cx.ts";
import { ErrorNote, Loading } from "../../ui/notes.tsx";
import { Attention } from "./attention.tsx";
import { Checklist } from "./checklist.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { Recent } from "./recent.tsx";
import { Summary } from "./summary.tsx";
import { useDismissed } from "./use-dismissed.ts";

const DemoStart = lazy(async () => ({
  default: (await import("../../features/tour/stories.tsx")).DemoStart,
}));

export function Page() {
  const { nav } = useTexts(COMMON);
  const home = useHome();
  const demo = useDemo();
  const isKnown =
    useLive(({ connection }) => connection.asOf !== null) && (home.isSuccess || home.isError);
  const isQuiet = useLive(
    ({ groups, tasks, agents }) => groups.size + tasks.size + agents.size === 0,
  );
  const isEmpty = isQuiet && (home.data?.recent.length ?? 0) === 0;
  return (
    <>
      <h1 className="sr-only">{nav.dashboard}</h1>
      {isKnown && <TrustCard />}
      {isKnown && <TroublesCard />}
      {!isKnown ? (
        <Loading />
      ) : isEmpty ? (
        <>
          {demo ? <DemoStart demo={demo} /> : demo === undefined && <FirstSteps />}
          <div className="h-5" />
          <Summary />
        </>
      ) : (
        <>
          <RehearsalNote />
          <Attention />
          <Lately home={home} />
          <GroupsSection />
        </>
      )}
    </>
  );
}

/** Recent tasks and figures, with the first steps beside them until they are done or closed. */
function Lately({ home }: { readonly home: ReturnType<typeof useHome> }) {
  const mayOperate = useMayOperate();
  const demo = useDemo();
  const [isDismissed, setDismissed] = useDismissed();
  if (!home.data) {
    return (
      <>
        {home.isError && <ErrorNote error={home.error} onRetry={() => void home.refetch()} />}
        <Summary />
      </>
    );
  }
  const { recent, firstSteps } = home.data;
  // Viewers can take none of these steps.
  const isGuided = mayOperate && !isDismissed && firstSteps.some(({ done }) => !done);
  // The first steps already offer the sample task with their large button.
  const isNext = isGuided && firstSteps.find(({ done }) => !done)?.id === "task";
  return (
    <div
      className={cx(
        "grid gap-x-4 gap-y-5",
        isGuided && "mb-5 lg:grid-cols-[minmax(0,1fr)_20rem] [&_.summary]:mb-0",
      )}
    >
      <div className="flex min-w-0 flex-col gap-5">
        <Recent tasks={recent} hasSample={mayOperate && demo === undefined && !isNext} />
        <Summary />
      </div>
      {isGuided && <Checklist home={home.data} onDismiss={() => setDismissed(true)} />}
    </div>
  );
}
