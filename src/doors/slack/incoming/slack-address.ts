/**
 * Whether an address from a request is at this host of Slack. `apiUrl` is the Web API: its host counts
 * too if it stands for all of Slack in a test. Slack's own does not, because an address there could be
 * a call of the API.
 */
export function isSlackAddress(url: string, host: string, apiUrl: string | undefined): boolean {
  if (!URL.canParse(url)) return false;
  const { origin } = new URL(url);
  if (origin === `https://${host}`) return true;
  if (apiUrl === undefined) return false;
  const api = new URL(apiUrl);
  return origin === api.origin && !/(?:^|\.)slack\.com$/.test(api.hostname);
}
