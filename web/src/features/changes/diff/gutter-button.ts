import { useLocale } from "../../../i18n/locale.ts";
import { CHANGES } from "../texts.ts";

/**
 * In the place of the same function of @pierre/diffs (web/trim-diffs.ts): its button beside a line
 * number has no name.
 */
export function createGutterUtilityElement() {
  const { locale } = useLocale.getState();
  return element(
    "button",
    {
      "data-utility-button": "",
      type: "button",
      "aria-label": CHANGES[locale].comments.add,
      title: CHANGES[locale].comments.add,
    },
    element(
      "svg",
      { width: "16", height: "16", viewBox: "0 0 16 16", "aria-hidden": "true" },
      element("use", { href: "#diffs-icon-plus" }),
    ),
  );
}

type Element = {
  readonly type: "element";
  readonly tagName: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
};

function element(
  tagName: string,
  properties: Readonly<Record<string, string>>,
  ...children: readonly Element[]
): Element {
  return { type: "element", tagName, properties, children };
}
