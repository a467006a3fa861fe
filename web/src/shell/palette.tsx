import { useNavigate } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import {
  Autocomplete,
  Dialog,
  Input,
  Menu,
  MenuItem,
  Modal,
  ModalOverlay,
  SearchField,
  useFilter,
} from "react-aria-components";
import { visiblePreview } from "../../../src/contract/visible-text.ts";
import { useMayOperate } from "../api/use-me.ts";
import { COMMON } from "../i18n/common.ts";
import { DISPLAY } from "../i18n/display.ts";
import { setLocale, useLocale } from "../i18n/locale.ts";
import { defineTexts, useTexts } from "../i18n/texts.ts";
import { useLive } from "../live/store.ts";
import { openOverlay } from "../ui/overlays.ts";
import { StatusIcon } from "../ui/status-badge.tsx";
import { setTheme, THEMES } from "../ui/theme.ts";
import { useSections } from "./nav.tsx";

const TEXTS = defineTexts({
  ja: {
    title: "検索とコマンド",
    placeholder: "ページ、タスク、グループ、エージェント、コマンド…",
    language: "Switch to English",
    help: "キーボードショートカット",
    nothing: "見つかりません",
  },
  en: {
    title: "Search and commands",
    placeholder: "Pages, tasks, groups, agents, commands…",
    language: "日本語にする",
    help: "Keyboard shortcuts",
    nothing: "Nothing found",
  },
});

const MAX_EACH = 30;

type Entry = {
  readonly id: string;
  readonly label: string;
  readonly note: string;
  readonly icon: ReactNode;
  readonly run: () => void;
};

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const text = useTexts(TEXTS);
  const entries = useEntries();
  const { contains } = useFilter({ sensitivity: "base" });
  const [query, setQuery] = useState("");
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(open) => !open && onClose()}
      className="fixed inset-0 z-50 bg-scrim px-3 pt-[10vh] backdrop-blur-[2px]"
    >
      <Modal className="mx-auto w-full max-w-xl">
        <Dialog
          aria-label={text.title}
          className="overflow-hidden rounded-2xl border border-line bg-surface shadow-2xl outline-none"
        >
          <Autocomplete filter={contains} inputValue={query} onInputChange={setQuery}>
            <SearchField
              aria-label={text.title}
              autoFocus
              className="flex items-center gap-3 border-b border-line px-4"
            >
              <Search size={16} aria-hidden className="text-text-3" />
              <Input
                placeholder={text.placeholder}
                className="min-h-12 flex-1 bg-transparent outline-none placeholder:text-text-3 [&::-webkit-search-cancel-button]:hidden"
              />
            </SearchField>
            <Menu
              aria-label={text.title}
              items={entries}
              className="max-h-[50vh] overflow-auto p-1.5 outline-none"
              renderEmptyState={() => <p className="p-4 text-center text-text-3">{text.nothing}</p>}
              onAction={(key) => {
                onClose();
                entries.find(({ id }) => id === key)?.run();
              }}
            >
              {(entry) => (
                <MenuItem
                  id={entry.id}
                  textValue={`${entry.label} ${entry.note}`}
                  className="flex cursor-pointer items-center gap-3 rounded-lg px-3 py-2 outline-none focus:bg-violet-solid/30"
                >
                  {entry.icon}
                  <span className="min-w-0 flex-1 truncate">{entry.label}</span>
                  <span className="font-mono text-xs text-text-3">{entry.note}</span>
                </MenuItem>
              )}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/** A snapshot taken on opening, so that the list does not move while choosing. */
function useEntries(): readonly Entry[] {
  const text = useTexts(TEXTS);
  const common = useTexts(COMMON);
  const locale = useLocale((state) => state.locale);
  const display = useTexts(DISPLAY);
  const mayOperate = useMayOperate();
  const navigate = useNavigate();
  const sections = useSections();
  return useMemo(() => {
    const { tasks, groups, agents } = useLive.getState();
    const go = (to: string) => () => void navigate({ to });
    return [
      ...(mayOperate
        ? [
            {
              id: "new-task",
              label: common.newTask,
              note: "N",
              icon: null,
              run: () => openOverlay({ kind: "new-task" }),
            },
          ]
        : []),
      ...sections
        .flatMap(({ items }) => items)
        .map((item) => ({
          id: `page ${item.to}`,
          label: common.nav[item.key],
          note: "",
          icon: item.icon,
          run: go(item.to),
        })),
      { id: "welcome", label: common.nav.welcome, note: "", icon: null, run: go("/welcome") },
      {
        id: "language",
        label: text.language,
        note: "",
        icon: null,
        run: () => setLocale(locale === "ja" ? "en" : "ja"),
      },
      ...THEMES.map((theme) => ({
        id: `theme ${theme}`,
        label: `${display.theme}: ${display.themes[theme]}`,
        note: "",
        icon: null,
        run: () => setTheme(theme),
      })),
      {
        id: "help",
        label: text.help,
        note: "?",
        icon: null,
        run: () => openOverlay({ kind: "help" }),
      },
      ...[...tasks.values()].slice(0, MAX_EACH).map((task) => ({
        id: task.taskId,
        label: visiblePreview(task.title ?? task.request.slice(0, 80)),
        note: common.nav.tasks,
        icon: <StatusIcon status={task.status} />,
        run: go(`/tasks/${task.taskId}`),
      })),
      ...[...groups.values()].slice(0, MAX_EACH).map((group) => ({
        id: group.groupId,
        label: group.description,
        note: group.groupId,
        icon: null,
        run: go(`/groups/${group.groupId}`),
      })),
      ...[...agents.values()].slice(0, MAX_EACH).map((agent) => ({
        id: agent.agentId,
        label: agent.agentId,
        note: agent.role,
        icon: <StatusIcon status={agent.status} />,
        run: go(`/agents/${agent.agentId}`),
      })),
    ];
  }, [text, common, display, mayOperate, locale, navigate, sections]);
}
