import type { ReactNode } from "react";
import { Menu as AriaMenu, MenuItem, MenuTrigger, Popover } from "react-aria-components";

export type MenuAction = {
  readonly id: string;
  readonly label: string;
  readonly icon?: ReactNode;
  readonly isDisabled?: boolean;
  readonly isDangerous?: boolean;
  readonly run: () => void;
};

export type MenuProps = {
  readonly label: string;
  /** The button that opens it. */
  readonly trigger: ReactNode;
  readonly actions: readonly MenuAction[];
  /** Opens on mount, for menus that are mounted on demand. */
  readonly defaultOpen?: boolean;
};

export function Menu({ label, trigger, actions, defaultOpen = false }: MenuProps) {
  return (
    <MenuTrigger defaultOpen={defaultOpen}>
      {trigger}
      <Popover className="min-w-48 rounded-xl border border-line bg-float p-1 shadow-2xl">
        <AriaMenu
          aria-label={label}
          items={actions}
          className="outline-none"
          disabledKeys={actions.filter(({ isDisabled }) => isDisabled).map(({ id }) => id)}
          onAction={(key) => actions.find(({ id }) => id === key)?.run()}
        >
          {(action) => (
            <MenuItem
              id={action.id}
              textValue={action.label}
              className={`flex cursor-pointer items-center gap-2 rounded-lg px-3 py-1.5 outline-none focus:bg-violet-solid/30 disabled:opacity-40 ${action.isDangerous ? "text-failed" : ""}`}
            >
              {action.icon}
              {action.label}
            </MenuItem>
          )}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
