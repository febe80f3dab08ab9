/** What every CLI is put through. A cell of the matrix is one CLI in one case. */
export type CaseName = keyof typeof cases;

/** `smoke`: run with every submission; the others when somebody asks for the whole matrix. */
export const cases = {
  good: { says: 'it writes a file, runs a command and finishes', smoke: true },
  'two-turn': { says: 'a second turn goes on with the conversation', smoke: false },
  denied: { says: 'a tool that is not permitted is not used, and that is told', smoke: false },
  roles: {
    says: 'with no settings it does the work, and a reader, verifier or planner cannot',
    smoke: false,
  },
  'other-tools': {
    says: 'sub-agents and the web are neither offered to the model nor started when it calls them',
    smoke: false,
  },
  asked: { says: 'a person permits one tool and not the other, and it is so', smoke: false },
  'api-401': { says: 'a refused key ends the turn at once and names the variable or command', smoke: true },
  'api-403': { says: 'a key without the right ends the turn at once', smoke: false },
  'limit-429': { says: 'a usage limit stops it, with the time of its end', smoke: false },
  'api-500': { says: 'a broken model fails the turn', smoke: false },
  'overload-529': { says: 'an overloaded model stops it as a limit without an end', smoke: false },
  hang: { says: 'a model that never answers is ended at the deadline', smoke: false },
  malformed: { says: 'an answer that is none fails the turn', smoke: false },
  sigterm: { says: 'ended by SIGTERM in the middle, nothing is left', smoke: false },
  sigkill: { says: 'ended by kill -9 in the middle, nothing is left', smoke: false },
  'big-prompt': { says: '600 kB of prompt arrive whole', smoke: false },
  trust: { says: 'a repository runs something of its own only where it is trusted', smoke: false },
} as const;

/** What the issue calls a long prompt: more than an argument may hold, with the characters that shells love. */
export function bigPrompt(marker: string): string {
  const line = `it's "$(id)" \`id\` ; 日本 ${'x'.repeat(60)}\n`;
  return `${marker}\n${line.repeat(Math.ceil(600_000 / Buffer.byteLength(line)))}${marker} end`;
}
