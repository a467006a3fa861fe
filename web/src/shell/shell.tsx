import { Link, Outlet } from "@tanstack/react-router";
import {
  Bell,
  ClipboardCheck,
  House,
  Menu as MenuIcon,
  Plus,
  Search,
  SquareKanban,
} from "lucide-react";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { useDemo } from "../api/use-demo.ts";
import { useMayOperate } from "../api/use-me.ts";
import { useMyAlerts } from "../features/alerts/use-my-alerts.ts";
import { useTroubles } from "../features/gateway/use-troubles.ts";
import { ProblemBanner } from "../features/roles/runner-problems.tsx";
import { COMMON } from "../i18n/common.ts";
import { useTexts } from "../i18n/texts.ts";
import { useLive } from "../live/store.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Mark } from "../ui/mark.tsx";
import { Loading } from "../ui/notes.tsx";
import { openOverlay, useOverlay } from "../ui/overlays.ts";
import { Toasts } from "../ui/toast.tsx";
import { Account } from "./account.tsx";
import { ConnectionBanner, ConnectionNote } from "./connection.tsx";
import { Nav } from "./nav.tsx";
import { SEARCH_KEYS } from "./search-keys.ts";
import { useAttention } from "./use-attention.ts";
import { useCounts } from "./use-counts.ts";
import { useRaisedAlerts } from "./use-raised-alerts.ts";
import { useShortcuts } from "./use-shortcuts.ts";
import { WordMark } from "./word-mark.tsx";

const SignIn = lazy(async () => ({ default: (await import("./sign-in.tsx")).SignIn }));
const Tour = lazy(async () => ({ default: (await import("../features/tour/tour.tsx")).Tour }));
const PhoneMenu = lazy(async () => ({ default: (await import("./phone-menu.tsx")).PhoneMenu }));
const Overlays = lazy(async () => ({ default: (await import("./overlay-host.tsx")).OverlayHost }));

export function Shell() {
  const text = useTexts(COMMON);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const overlay = useOverlay((state) => state.overlay);
  const isSignedOut = useLive(({ connection }) => connection.status === "signed-out");
  useShortcuts();
  const announced = useAttention();
  useRaisedAlerts();
  useEffect(() => setMenuOpen(false), []);
  if (isSignedOut) {
    return (
      <Suspense fallback={<Loading />}>
        <SignIn />
      </Suspense>
    );
  }
  return (
    <div className="flex min-h-dvh">
      <a
        href="#main"
        className="sr-only z-70 rounded-lg bg-violet-solid px-3 py-2 text-on-solid focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {text.skip}
      </a>
      <BackgroundCircle />
      <aside className="sticky top-0 hidden h-dvh w-[216px] shrink-0 flex-col gap-6 border-r border-line bg-base/80 p-3 lg:flex">
        <WordMark />
        <div className="flex-1 overflow-y-auto">
          <Nav />
        </div>
        <ConnectionNote />
      </aside>
      <div className="flex min-w-0 flex-1 flex-col">
        <ConnectionBanner />
        <ProblemBanner />
        <TopBar onMenu={() => setMenuOpen(true)} />
        <DemoTour />
        <main
          id="main"
          tabIndex={-1}
          className="relative mx-auto w-full max-w-[1240px] flex-1 px-4 pt-5 pb-24 outline-none lg:px-6 lg:pb-8"
        >
          <Suspense fallback={<Loading />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
      <PhoneTabs onMenu={() => setMenuOpen(true)} />
      {isMenuOpen && (
        <Suspense fallback={null}>
          <PhoneMenu onClose={() => setMenuOpen(false)} />
        </Suspense>
      )}
      {overlay && (
        <Suspense fallback={null}>
          <Overlays />
        </Suspense>
      )}
      <Toasts />
      <p role="status" className="sr-only">
        {announced}
      </p>
    </div>
  );
}

/** Only for the daemon of `kuromajutsu demo`; others do not load it. */
function DemoTour() {
  if (!useDemo()) return null;
  return (
    <Suspense fallback={null}>
      <Tour />
    </Suspense>
  );
}

function TopBar({ onMenu }: { readonly onMenu: () => void }) {
  const text = useTexts(COMMON);
  const mayOperate = useMayOperate();
  return (
    <header className="sticky top-0 z-30 flex items-center gap-2 border-b border-line bg-base/95 px-4 py-2.5 lg:px-6">
      <span className="lg:hidden">
        <Link to="/" aria-label="黒魔術 Kuromajutsu">
          <Mark size={30} className="text-violet" />
        </Link>
      </span>
      <button
        type="button"
        onClick={() => openOverlay({ kind: "palette" })}
        className="control flex min-w-0 flex-1 items-center gap-2 rounded-lg border border-line bg-surface px-3 text-left text-text-3 hover:border-field lg:max-w-sm"
      >
        <Search size={14} aria-hidden />
        <span className="flex-1 truncate">{text.searchOrCommand}</span>
        <kbd className="hidden rounded border border-line px-1 font-mono text-[11px] lg:inline">
          {SEARCH_KEYS}
        </kbd>
      </button>
      <span className="hidden flex-1 lg:block" />
      {mayOperate && (
        <Button
          look="violet"
          className="shrink-0"
          icon={<Plus size={15} aria-hidden />}
          onPress={() => openOverlay({ kind: "new-task" })}
          aria-label={text.newTask}
        >
          <span className="hidden sm:inline">{text.newTask}</span>
        </Button>
      )}
      <Account />
      <span className="hidden md:inline lg:hidden">
        <IconButton label={text.nav.menu} onPress={onMenu}>
          <MenuIcon size={16} aria-hidden />
        </IconButton>
      </span>
    </header>
  );
}

function PhoneTabs({ onMenu }: { readonly onMenu: () => void }) {
  const { nav, counted } = useTexts(COMMON);
  const counts = useCounts();
  const troubles = useTroubles().count;
  const { unread } = useMyAlerts();
  const tab = "flex flex-1 flex-col items-center gap-0.5 py-2 text-[11px] text-text-2";
  const icon = { size: 19, "aria-hidden": true } as const;
  return (
    <nav
      aria-label={nav.menu}
      className="fixed inset-x-0 bottom-0 z-40 flex border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] lg:hidden"
    >
      <TabLink to="/" label={nav.home} className={tab} icon={<House {...icon} />} />
      <TabLink
        to="/approvals"
        label={nav.approvals}
        className={tab}
        icon={<ClipboardCheck {...icon} />}
        badge={counts.approvals}
      />
      <TabLink to="/tasks" label={nav.tasks} className={tab} icon={<SquareKanban {...icon} />} />
      <TabLink
        to="/notifications"
        label={nav.notifications}
        className={tab}
        icon={<Bell {...icon} />}
        badge={unread}
      />
      <button type="button" className={tab} onClick={onMenu}>
        <span className="relative">
          <MenuIcon {...icon} />
          {troubles > 0 && (
            <span className="absolute -top-1 -right-2.5 rounded-full bg-alarm px-1 text-[10px] font-bold text-on-alarm">
              {troubles}
              <span className="sr-only"> {counted.troubles}</span>
            </span>
          )}
        </span>
        {nav.menu}
      </button>
    </nav>
  );
}

function TabLink({
  to,
  label,
  icon,
  className,
  badge = 0,
}: {
  readonly to: string;
  readonly label: string;
  readonly icon: ReactNode;
  readonly className: string;
  readonly badge?: number;
}) {
  return (
    <Link
      to={to}
      activeOptions={{ exact: to === "/" }}
      className={className}
      activeProps={{ className: "!text-violet font-semibold" }}
    >
      <span className="relative">
        {icon}
        {badge > 0 && (
          <span className="absolute -top-1 -right-2.5 rounded-full bg-badge px-1 text-[10px] font-bold text-on-solid">
            {badge}
          </span>
        )}
      </span>
      {label}
    </Link>
  );
}

/** Above this rate the decoration stands still, to leave the frames to the content. */
const BUSY_EVENTS_PER_SECOND = 100;

/** Decoration; stands still if reduced motion is set or many events arrive. */
function BackgroundCircle() {
  const isBusy = useLive(({ connection }) => connection.eventsPerSecond > BUSY_EVENTS_PER_SECOND);
  return (
    <div aria-hidden className="pointer-events-none fixed -top-40 -right-56 -z-10 text-ornament">
      <Mark
        size={900}
        className={`${isBusy ? "" : "animate-turn"} [&>*]:[vector-effect:non-scaling-stroke] [&>circle:nth-of-type(n+4)]:hidden`}
      />
    </div>
  );
}
