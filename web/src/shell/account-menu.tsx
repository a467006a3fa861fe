import { useNavigate } from "@tanstack/react-router";
import { Check, Languages, LogOut, Monitor, Moon, Settings, Sun } from "lucide-react";
import type { ReactNode, RefObject } from "react";
import { Header, Menu, MenuItem, MenuSection, Popover, Separator } from "react-aria-components";
import type { WireMe } from "../../../src/contract/shapes/people.ts";
import { ROLE_WORDS } from "../features/people/role-words.ts";
import { useSignOut } from "../features/people/use-sign-out.ts";
import { DISPLAY, LANGUAGE_NAMES } from "../i18n/display.ts";
import { LOCALES, setLocale, useLocale } from "../i18n/locale.ts";
import { useTexts } from "../i18n/texts.ts";
import { setTheme, type ThemeChoice, THEMES, useThemeChoice } from "../ui/theme.ts";

const icon = { size: 15, "aria-hidden": true, className: "text-text-3" } as const;
const THEME_ICONS: Record<ThemeChoice, ReactNode> = {
  system: <Monitor {...icon} />,
  light: <Sun {...icon} />,
  dark: <Moon {...icon} />,
};

export type AccountMenuProps = {
  readonly me: WireMe;
  readonly name: string;
  /** Around the button that opens it. */
  readonly trigger: RefObject<HTMLElement | null>;
  readonly onClose: () => void;
};

export function AccountMenu({ me, name, trigger, onClose }: AccountMenuProps) {
  const text = useTexts(DISPLAY);
  const words = useTexts(ROLE_WORDS);
  const locale = useLocale((state) => state.locale);
  const choice = useThemeChoice((state) => state.choice);
  const navigate = useNavigate();
  const signOut = useSignOut();
  return (
    <Popover
      isOpen
      aria-label={text.account}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      triggerRef={trigger}
      placement="bottom end"
      className="w-64 rounded-xl border border-line bg-float p-1 shadow-2xl"
    >
      <div className="border-b border-line px-3 pt-1.5 pb-2">
        <p className="truncate font-semibold">{name}</p>
        <p className="text-xs text-text-2">
          {me.signIn ? `${words.roles[me.role]} — ${words.notes[me.role]}` : words.noSignIn}
        </p>
      </div>
      <Menu aria-label={text.account} autoFocus="first" onClose={onClose} className="outline-none">
        <MenuSection
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[locale]}
          onSelectionChange={(keys) => {
            const next = LOCALES.find((each) => keys !== "all" && keys.has(each));
            if (next) setLocale(next);
          }}
        >
          <SectionName>{text.language}</SectionName>
          {LOCALES.map((each) => (
            <Choice key={each} id={each} icon={<Languages {...icon} />}>
              {LANGUAGE_NAMES[each]}
            </Choice>
          ))}
        </MenuSection>
        <MenuSection
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[choice]}
          onSelectionChange={(keys) => {
            const next = THEMES.find((each) => keys !== "all" && keys.has(each));
            if (next) setTheme(next);
          }}
        >
          <SectionName>{text.theme}</SectionName>
          {THEMES.map((each) => (
            <Choice key={each} id={each} icon={THEME_ICONS[each]}>
              {text.themes[each]}
            </Choice>
          ))}
        </MenuSection>
        <Separator className="my-1 border-t border-line" />
        <Choice
          id="settings"
          icon={<Settings {...icon} />}
          onAction={() => void navigate({ to: "/settings" })}
        >
          {text.settings}
        </Choice>
        {me.signIn && (
          <Choice
            id="sign-out"
            icon={<LogOut {...icon} />}
            onAction={() => void signOut.run()}
            isDisabled={signOut.isRunning}
          >
            {text.signOut}
          </Choice>
        )}
      </Menu>
    </Popover>
  );
}

function SectionName({ children }: { readonly children: string }) {
  return <Header className="px-3 pt-2 pb-0.5 text-xs text-text-3">{children}</Header>;
}

type ChoiceProps = {
  readonly id: string;
  readonly icon: ReactNode;
  readonly children: string;
  readonly onAction?: () => void;
  readonly isDisabled?: boolean;
};

function Choice({ id, icon: shown, children, onAction, isDisabled = false }: ChoiceProps) {
  return (
    <MenuItem
      id={id}
      textValue={children}
      isDisabled={isDisabled}
      {...(onAction && { onAction })}
      className="flex cursor-pointer items-center gap-2.5 rounded-lg px-3 py-1.5 outline-none focus:bg-violet-solid/20 disabled:opacity-40 selected:font-semibold"
    >
      {({ isSelected }) => (
        <>
          {shown}
          <span className="flex-1">{children}</span>
          {isSelected && <Check size={15} aria-hidden className="text-violet" />}
        </>
      )}
    </MenuItem>
  );
}
