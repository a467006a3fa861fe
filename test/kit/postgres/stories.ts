import { aStory, type Story } from "../story.ts";
import { sharedByTests } from "../when-done.ts";
import { aMigratedUrl, aPlaceOn } from "./daemon-place.ts";
import { SETTINGS } from "./servers.ts";

type TwoStories = { readonly url: string; readonly a: Story; readonly b: Story };

/**
 * Two servers for the tests of a file that stop neither and look only at their own task. All agents
 * run on the first one. Each test begins without tasks at work and with empty journals.
 */
export function twoSharedStories(
  config: Record<string, unknown> = SETTINGS,
): () => Promise<TwoStories> {
  const shared = sharedByTests(async () => {
    const url = await aMigratedUrl();
    const start = (more = {}) => aStory({ ...config, ...more }, { place: aPlaceOn(url) });
    return { url, a: await start(), b: await start({ server: { slots: 0 } }) };
  });
  return async () => {
    const { url, a, b } = await shared();
    await a.clear();
    await b.clear();
    return { url, a, b };
  };
}
