const program = `let text = "";
process.stdin.on("data", (chunk) => (text += chunk));
process.stdin.on("end", () => console.log(JSON.parse(text)[process.argv.at(-1).slice(1)]));`;

/**
 * A stand-in for `jq -r .NAME`, which is all that the documents' pipelines use: not every machine has jq. A shell starts
 * it, because the path of Node may contain a space.
 */
export const jq = `#!/bin/sh
exec '${process.execPath}' -e '${program}' -- "$@"
`;
