/** Colours and links of the terminal; each function returns the text unchanged where it has none. */
export type Style = {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly blue: Paint;
  readonly cyan: Paint;
  readonly magenta: Paint;
  readonly inverse: Paint;
  /** The text leads to the address (OSC 8), where the terminal can do it. */
  readonly link: (text: string, address: string) => string;
};
type Paint = (text: string) => string;

const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
  inverse: [7, 27],
} as const;

export type Abilities = { readonly colors: boolean; readonly links: boolean };

export function createStyle({ colors, links }: Abilities): Style {
  const paint = (name: keyof typeof CODES): Paint => {
    const [on, off] = CODES[name];
    return colors ? (text) => (text === "" ? "" : `\u001B[${on}m${text}\u001B[${off}m`) : same;
  };
  return {
    bold: paint("bold"),
    dim: paint("dim"),
    red: paint("red"),
    green: paint("green"),
    yellow: paint("yellow"),
    blue: paint("blue"),
    cyan: paint("cyan"),
    magenta: paint("magenta"),
    inverse: paint("inverse"),
    link: links ? (text, address) => `\u001B]8;;${address}\u001B\\${text}\u001B]8;;\u001B\\` : same,
  };
}

const same: Paint = (text) => text;

export const PLAIN_STYLE = createStyle({ colors: false, links: false });

type Environment = Readonly<Record<string, string | undefined>>;

/** https://no-color.org and FORCE_COLOR; without them a terminal has colours, a pipe has none. */
export function abilitiesOf(environment: Environment, isTTY: boolean): Abilities {
  return { colors: hasColors(environment, isTTY), links: hasLinks(environment, isTTY) };
}

function hasColors(environment: Environment, isTTY: boolean): boolean {
  const forced = environment["FORCE_COLOR"];
  if (forced !== undefined && forced !== "") return forced !== "0" && forced !== "false";
  if (environment["NO_COLOR"]) return false;
  return isTTY && environment["TERM"] !== "dumb";
}

/** Terminals that show OSC 8 links. The others would ignore them, or print them as garbage. */
function hasLinks(environment: Environment, isTTY: boolean): boolean {
  if (!isTTY || environment["TERM"] === "dumb") return false;
  const { TERM_PROGRAM, VTE_VERSION, WT_SESSION, KITTY_WINDOW_ID, KONSOLE_VERSION } = environment;
  if (["iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper"].includes(TERM_PROGRAM ?? "")) {
    return true;
  }
  return (
    Number(VTE_VERSION ?? 0) >= 5_000 ||
    Boolean(WT_SESSION ?? KITTY_WINDOW_ID ?? KONSOLE_VERSION) ||
    /kitty|alacritty|foot|ghostty/.test(environment["TERM"] ?? "")
  );
}
