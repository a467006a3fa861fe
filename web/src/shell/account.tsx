import { ChevronDown } from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";
import type { WireMe } from "../../../src/contract/shapes/people.ts";
import { useMe } from "../api/use-me.ts";
import { ROLE_WORDS } from "../features/people/role-words.ts";
import { usePersonName } from "../features/people/use-person-name.ts";
import { DISPLAY } from "../i18n/display.ts";
import { useTexts } from "../i18n/texts.ts";
import { Button } from "../ui/button.tsx";

/** Loaded when it is opened for the first time. */
const AccountMenu = lazy(async () => ({
  default: (await import("./account-menu.tsx")).AccountMenu,
}));

/** The person and their role, in the header; opens a menu. */
export function Account() {
  const text = useTexts(DISPLAY);
  const me = useMe();
  const [isOpen, setOpen] = useState(false);
  const trigger = useRef<HTMLSpanElement>(null);
  const nameOf = usePersonName();
  const name = me ? (me.signIn ? me.name : nameOf(me.id)) : "…";
  return (
    <span ref={trigger} className="shrink-0">
      <Button
        look="ghost"
        className="!px-1.5 text-left"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onPress={() => setOpen(true)}
      >
        <Avatar name={me?.signIn ? name : null} />
        <Who me={me} name={name} />
        <span className="sr-only">{text.account}</span>
        <ChevronDown size={13} aria-hidden className="hidden text-text-3 md:block" />
      </Button>
      {isOpen && me && (
        <Suspense fallback={null}>
          <AccountMenu me={me} name={name} trigger={trigger} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </span>
  );
}

function Who({ me, name }: { readonly me: WireMe | undefined; readonly name: string }) {
  const words = useTexts(ROLE_WORDS);
  return (
    <span className="flex max-w-40 min-w-0 flex-col leading-tight max-md:sr-only">
      <span className="truncate text-text">{name}</span>
      {me && (
        <span className="text-[11px] font-normal text-text-3">
          {me.signIn ? words.roles[me.role] : words.noSignInShort}
        </span>
      )}
    </span>
  );
}

/** The first letter of the name; a dot without sign-in. */
function Avatar({ name }: { readonly name: string | null }) {
  const [first] = name === null ? [] : new Intl.Segmenter().segment(name);
  return (
    <span
      aria-hidden
      className="grid size-7 shrink-0 place-items-center rounded-full bg-violet-solid text-xs font-bold text-on-solid uppercase"
    >
      {first?.segment ?? <span className="size-2 rounded-full bg-on-solid" />}
    </span>
  );
}
