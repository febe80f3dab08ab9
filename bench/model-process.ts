import { modelServer } from '../test/rig/model-server.ts';

// The stand-in for the model, in a process of its own: what it takes must not be counted as ours.
const steps = Array.from({ length: 25 }, (_, n) => ({
  text: `step ${n}: ${'words '.repeat(200)}`,
  tools: [{ name: 'Read', input: { file_path: `${process.argv[2] ?? ''}/read.txt` } }],
}));
const server = await modelServer([{ steps: [...steps, { text: 'done' }] }]);
process.stdout.write(`${server.url}\n`);
