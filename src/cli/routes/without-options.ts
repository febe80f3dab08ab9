/** Each part explains its options itself; all of them at once are more than anybody reads. */
export function withoutOptions(help: string): string {
  return help.replaceAll(/(?: \[--[^\]]*\](?:\.\.\.)?)+/g, ' [OPTIONS]');
}
