import { Check, Link as LinkIcon, Share2, Terminal, Waypoints } from "lucide-react";
import { useState } from "react";
import { useMe } from "../api/use-me.ts";
import { defineTexts, useTexts } from "../i18n/texts.ts";
import { asCurl, type CurlCall } from "../text/as-curl.ts";
import { Button } from "./button.tsx";
import { copyText } from "./copy-text.ts";
import { Menu } from "./menu.tsx";

const TEXTS = defineTexts({
  ja: {
    menu: "リンクと API",
    link: "このページへのリンクをコピー",
    curl: (what: string) => `${what}を curl でコピー`,
    mcp: (what: string) => `${what}を MCP の呼び出しでコピー`,
    copied: "コピーしました",
  },
  en: {
    menu: "Link and API",
    link: "Copy the link to this page",
    curl: (what) => `Copy ${what} as curl`,
    mcp: (what) => `Copy ${what} as an MCP call`,
    copied: "Copied",
  },
});

/** A call that does what a button of the page does. */
export type SharedCall = {
  readonly door: "curl" | "mcp";
  readonly id: string;
  readonly text: string;
};

export type SharedRest = Pick<CurlCall, "method" | "body"> & { readonly path: string };
export type AsCurl = (call: SharedRest) => string;

const SHOW_MS = 1_600;
const icon = { size: 14, "aria-hidden": true } as const;
const DOOR_ICON = { curl: <Terminal {...icon} />, mcp: <Waypoints {...icon} /> };

export type ShareMenuProps = {
  /** The address of the page without the origin. */
  readonly path: string;
  readonly calls: (curl: AsCurl) => readonly SharedCall[];
  /** The words for each call, by its id. */
  readonly names: Readonly<Record<string, string>>;
  readonly size?: "small" | "normal";
  readonly className?: string;
};

/** Copies the link of a page, and the REST and MCP calls that do the same as its buttons. */
export function ShareMenu({ path, calls, names, size = "normal", className }: ShareMenuProps) {
  const text = useTexts(TEXTS);
  const me = useMe();
  const [isDone, setDone] = useState(false);
  async function copy(of: string): Promise<void> {
    await copyText(of);
    setDone(true);
    setTimeout(() => setDone(false), SHOW_MS);
  }
  const { origin } = location;
  const curl: AsCurl = ({ path: to, ...call }) =>
    asCurl({ ...call, url: origin + to, signIn: me?.signIn ?? false });
  return (
    <Menu
      label={text.menu}
      trigger={
        <Button
          size={size}
          {...(className !== undefined && { className })}
          icon={isDone ? <Check {...icon} className="text-success" /> : <Share2 {...icon} />}
        >
          {isDone ? text.copied : text.menu}
        </Button>
      }
      actions={[
        {
          id: "link",
          label: text.link,
          icon: <LinkIcon {...icon} />,
          run: () => void copy(origin + path),
        },
        // Viewers may make none of these calls.
        ...(me?.role === "viewer" ? [] : calls(curl)).map(({ door, id, text: call }) => ({
          id: `${door}-${id}`,
          label: text[door](names[id] ?? id),
          icon: DOOR_ICON[door],
          run: () => void copy(call),
        })),
      ]}
    />
  );
}
