/**
 * Words of users, agents and upstream servers as a terminal may show them: escape sequences and
 * other control characters could rewrite what stands there.
 */
export function plain(text: string): string {
  return (
    text
      // oxlint-disable-next-line no-control-regex -- these are what must go
      .replaceAll(/\u001B\[[0-?]*[ -/]*[@-~]|\u001B\][^\u0007\u001B]*(?:\u0007|\u001B\\)?/g, "")
      // oxlint-disable-next-line no-control-regex -- all but tab and newline
      .replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g, "")
  );
}
