import { randomBytes } from 'node:crypto';
import { writeProject } from '../rig/program.ts';

/** Something that must be told nowhere, in the form in which it is planted. */
export interface Planted {
  readonly what: string;
  /** As it would be found. */
  readonly texts: readonly string[];
}

const random = (): string => randomBytes(18).toString('base64url');

export interface Plants {
  readonly env: Readonly<Record<string, string>>;
  readonly planted: readonly Planted[];
  readonly prompt: string;
  readonly reason: string;
}

/**
 * A project whose agents and commands tell every secret they can find, in all the ways in which that happens. The secrets
 * lie in files beside the project's own, as they would in a real one.
 */
export function plantSecrets(folder: string): Plants {
  const env = {
    SERVICE_API_KEY: `key/${random()}+${random()}`,
    DB_PASSWORD: `p"a\\ss ${random()} &/?`,
    FAVOURITE_COLOUR: `octarine${random()}`,
    PROMPT_TOKEN: `prompt${random()}`,
    SPLIT_SECRET: `first${random()}second${random()}`,
    RESULT_TOKEN: `result${random()}`,
    QUESTION_SECRET: `question${random()}`,
    EVIDENCE_KEY: `evidence${random()}`,
    REASON_PASSWORD: `reason${random()}`,
    DRIVER_TOKEN: `driver${random()}`,
    PASSED_TOKEN: `passed${random()}`,
  };
  const lines = [randomBytes(48), randomBytes(48)].map((line) => line.toString('base64'));
  const pem = ['-----BEGIN EC PRIVATE KEY-----', ...lines, '-----END EC PRIVATE KEY-----'];
  const jwt = [`{"alg":"${random()}"}`, `{"sub":"${random()}"}`, random()]
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');
  const half = env.SPLIT_SECRET.length / 2;
  const said = [
    `plain ${env.SERVICE_API_KEY} and ${env.FAVOURITE_COLOUR}`,
    `base64 ${Buffer.from(env.SERVICE_API_KEY).toString('base64')}`,
    `url ${encodeURIComponent(env.DB_PASSWORD)} json ${JSON.stringify(env.DB_PASSWORD)}`,
    ...pem,
    `jwt ${jwt}`,
  ];
  writeProject(folder, {
    'said.txt': `${said.join('\n')}\n`,
    'split-1': env.SPLIT_SECRET.slice(0, half),
    'split-2': `${env.SPLIT_SECRET.slice(half)}\n`,
    'result.txt': JSON.stringify({ status: 'success', summary: `it is ${env.RESULT_TOKEN}` }),
    'question.txt': JSON.stringify({
      status: 'blocked',
      summary: `asks about ${env.RESULT_TOKEN}`,
      questions: [{ text: `may I use ${env.QUESTION_SECRET}?` }],
    }),
    'evidence.txt': `${env.DB_PASSWORD}\nerror: login with ${env.EVIDENCE_KEY} failed\n`,
    'agent.sh': `cat > prompt-was
env > env-of-agent
cat said.txt
cat split-1; sleep 0.4; cat split-2
if [ -e asked ] || [ "$TUTTI_STEP" = session ]; then cat result.txt > "$TUTTI_RESULT"
else : > asked; cat question.txt > "$TUTTI_RESULT"; fi
`,
    'slow.sh': 'cat > /dev/null; cat said.txt; exec sleep 60\n',
    'fails.sh': 'env > env-of-command; cat said.txt evidence.txt; exit 7\n',
    'prompt.md': `Use ${env.PROMPT_TOKEN} for it.\n`,
    'tutti.yaml': {
      driver: 'mine',
      env: ['PASSED_TOKEN'],
      secrets: ['FAVOURITE_COLOUR'],
      drivers: {
        mine: { type: 'command', command: ['sh', 'agent.sh'], env: ['DRIVER_TOKEN'] },
        slow: { type: 'command', command: ['sh', 'slow.sh'] },
      },
    },
    'flow.yaml': {
      name: 'leaks',
      steps: [
        { id: 'talk', agent: 'coder', prompt: `Use ${env.PROMPT_TOKEN} for it.` },
        { id: 'fails', command: ['sh', 'fails.sh'] },
      ],
    },
  });
  const planted = [
    ...Object.entries(env).map(([what, value]) => ({
      what,
      texts: [value, JSON.stringify(value).slice(1, -1)],
    })),
    {
      what: 'base64 of a key',
      texts: [Buffer.from(env.SERVICE_API_KEY).toString('base64').replaceAll('=', '')],
    },
    { what: 'a password in a URL', texts: [encodeURIComponent(env.DB_PASSWORD)] },
    { what: 'a private key', texts: lines },
    { what: 'a JWT', texts: [jwt] },
  ];
  return {
    env,
    planted,
    prompt: `Use ${env.PROMPT_TOKEN} for it.`,
    reason: `it knows ${env.REASON_PASSWORD}`,
  };
}
