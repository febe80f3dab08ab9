/** A stand-in for `jq -r .NAME`, which is all that the documents' pipelines use: not every machine has jq. */
export const jq = `#!${process.execPath}
let text = '';
process.stdin.on('data', (chunk) => (text += chunk)).on('end', () => console.log(JSON.parse(text)[process.argv[3].slice(1)]));
`;
