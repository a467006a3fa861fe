import { Link } from "@tanstack/react-router";
import {
  Bell,
  Boxes,
  CalendarClock,
  ClipboardCheck,
  Coins,
  Cpu,
  GitBranch,
  HeartPulse,
  History,
  House,
  IdCard,
  LayoutTemplate,
  ScrollText,
  Server,
  Settings,
  SquareKanban,
} from "lucide-react";
import type { ReactNode } from "react";
import { useHasPostgres } from "../api/system.ts";
import { useMyAlerts } from "../features/alerts/use-my-alerts.ts";
import { useOpenChanges } from "../features/changes/change-data.ts";
import { useTroubles } from "../features/gateway/use-troubles.ts";
import { COMMON } from "../i18n/common.ts";
import { useTexts } from "../i18n/texts.ts";
import { useCounts } from "./use-counts.ts";

type Words = ReturnType<typeof useTexts<(typeof COMMON)["ja"]>>["nav"];
export type NavItem = {
  readonly to: string;
  readonly key: keyof Words;
  readonly icon: ReactNode;
  readonly count?: "approvals" | "tasks" | "groups" | "roles" | "unread" | "troubles" | "changes";
  /** With SQLite the page has nothing to show. */
  readonly needsPostgres?: true;
};
type NavSection = { readonly title: keyof Words; readonly items: readonly NavItem[] };

const icon = { size: 16, "aria-hidden": true } as const;

const SECTIONS: readonly NavSection[] = [
  {
    title: "run",
    items: [
      { to: "/", key: "dashboard", icon: <House {...icon} /> },
      {
        to: "/approvals",
        key: "approvals",
        icon: <ClipboardCheck {...icon} />,
        count: "approvals",
      },
      { to: "/tasks", key: "tasks", icon: <SquareKanban {...icon} />, count: "tasks" },
      { to: "/schedules", key: "schedules", icon: <CalendarClock {...icon} /> },
      { to: "/groups", key: "groups", icon: <Boxes {...icon} />, count: "groups" },
      {
        to: "/workspaces",
        key: "workspaces",
        icon: <GitBranch {...icon} />,
        count: "changes",
      },
      { to: "/templates", key: "templates", icon: <LayoutTemplate {...icon} /> },
      { to: "/history", key: "history", icon: <History {...icon} /> },
    ],
  },
  {
    title: "build",
    items: [
      { to: "/roles", key: "roles", icon: <IdCard {...icon} />, count: "roles" },
      { to: "/health", key: "health", icon: <HeartPulse {...icon} /> },
      { to: "/system", key: "system", icon: <Server {...icon} />, count: "troubles" },
      { to: "/workers", key: "workers", icon: <Cpu {...icon} />, needsPostgres: true },
    ],
  },
  {
    title: "record",
    items: [
      { to: "/notifications", key: "notifications", icon: <Bell {...icon} />, count: "unread" },
      { to: "/costs", key: "costs", icon: <Coins {...icon} /> },
      { to: "/audit", key: "audit", icon: <ScrollText {...icon} /> },
      { to: "/settings", key: "settings", icon: <Settings {...icon} /> },
    ],
  },
];

const WITHOUT_POSTGRES = SECTIONS.map(({ title, items }) => ({
  title,
  items: items.filter(({ needsPostgres }) => !needsPostgres),
}));

export function useSections(): readonly NavSection[] {
  return useHasPostgres() ? SECTIONS : WITHOUT_POSTGRES;
}

export function Nav() {
  const { nav } = useTexts(COMMON);
  const sections = useSections();
  return (
    <nav aria-label={nav.menu} className="flex flex-col gap-4">
      {sections.map((section) => (
        <div key={section.title}>
          <p className="px-3 pb-1 text-xs text-text-3">{nav[section.title]}</p>
          <ul>
            {section.items.map((item) => (
              <li key={item.to}>
                <NavLink item={item} label={nav[item.key]} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

const URGENT = "rounded-full px-1.5 text-xs font-bold";
const QUIET = "font-mono text-xs text-text-3";
const BADGES: Record<NonNullable<NavItem["count"]>, string> = {
  approvals: `${URGENT} bg-badge text-on-solid`,
  unread: `${URGENT} bg-badge text-on-solid`,
  troubles: `${URGENT} bg-alarm text-on-alarm`,
  tasks: QUIET,
  groups: QUIET,
  roles: QUIET,
  changes: QUIET,
};

function NavLink({ item, label }: { readonly item: NavItem; readonly label: string }) {
  const { unread } = useMyAlerts();
  const counts = {
    ...useCounts(),
    unread,
    troubles: useTroubles().count,
    changes: useOpenChanges().count,
  };
  const words = useTexts(COMMON).counted;
  const count = item.count ? counts[item.count] : 0;
  return (
    <Link
      to={item.to}
      activeOptions={{ exact: item.to === "/" }}
      className="flex items-center gap-3 rounded-lg border-l-2 border-transparent px-3 py-1.5 text-text-2 hover:bg-raised hover:text-text"
      activeProps={{ className: "!border-violet bg-raised !text-text font-semibold" }}
    >
      {item.icon}
      <span className="flex-1">{label}</span>
      {count > 0 && (
        <span className={BADGES[item.count ?? "tasks"]}>
          {count}
          {(item.count === "approvals" || item.count === "unread" || item.count === "troubles") && (
            <span className="sr-only"> {words[item.count]}</span>
          )}
        </span>
      )}
    </Link>
  );
}
