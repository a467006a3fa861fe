import { create } from "zustand";

export type Look = { readonly style: "split" | "unified"; readonly wrap: boolean };

const KEY = "kuromajutsu.diff";

/** How this browser shows diffs. */
export const useLook = create<Look>(() => {
  try {
    const saved = localStorage.getItem(KEY) ?? "";
    return {
      style: saved.includes("unified") ? "unified" : "split",
      wrap: !saved.includes("scroll"),
    };
  } catch {
    return { style: "split", wrap: true };
  }
});

export function setLook(change: Partial<Look>): void {
  useLook.setState(change);
  const { style, wrap } = useLook.getState();
  try {
    localStorage.setItem(KEY, `${style} ${wrap ? "wrap" : "scroll"}`);
  } catch {
    // Without storage the choice holds until the page is reloaded.
  }
}
