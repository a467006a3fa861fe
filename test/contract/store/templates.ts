import { expect, test } from "vitest";
import type { SavedTemplate } from "../../../src/app/ports/template-store.ts";
import { NOON } from "../../kit/builders.ts";
import type { Open } from "./kit.ts";

export function templates(aStore: Open): void {
  test("a saved template is overwritten only if asked, and can be deleted once", async () => {
    const store = await aStore();
    const [first, other] = [aSaved({ id: "b" }), aSaved({ id: "a" })];
    const put = (template: SavedTemplate, overwrite: boolean) =>
      store.transaction((unit) => unit.putSavedTemplate(template, overwrite));
    expect([await put(first, false), await put(other, true)]).toEqual([true, true]);
    expect(await store.listSavedTemplates()).toEqual([other, first]);

    const changed = aSaved({ id: "b", text: "別", savedBy: "suzuki", savedAt: NOON + 1 });
    expect(await put(changed, false)).toBe(false);
    expect(await store.listSavedTemplates()).toEqual([other, first]);
    expect(await put(changed, true)).toBe(true);
    expect(await store.listSavedTemplates()).toEqual([other, changed]);

    const remove = () => store.transaction((unit) => unit.deleteSavedTemplate("b"));
    expect([await remove(), await remove()]).toEqual([true, false]);
    expect(await store.listSavedTemplates()).toEqual([other]);
  });
}

function aSaved(over: Partial<SavedTemplate>): SavedTemplate {
  return { id: "a", text: "id: a\n", savedBy: "田中", savedAt: NOON, ...over };
}
