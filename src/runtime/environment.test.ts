import { expect, test } from 'vitest';
import { childEnvironment, type ProcessPlace } from './environment.ts';

const place: ProcessPlace = {
  attemptId: 'r#s@1#2',
  runId: 'r',
  step: 's',
  attempt: 2,
  project: '/p',
  workspace: '/w',
  depth: 1,
  maxDepth: 3,
  traceId: 't',
  session: {
    id: 'sid',
    dir: '/p/.tutti/sessions/sid',
    turn: 4,
    agent: 'coder',
    tier: 'high',
    result: '/r.json',
  },
};
const build = (parent: Record<string, string | undefined>, more = {}): Record<string, string> =>
  childEnvironment({ parent, names: [], extra: {}, place, ...more });

test('no secret of the operator reaches a child unless the configuration names it', () => {
  const parent = {
    PATH: '/bin',
    AWS_SECRET_ACCESS_KEY: 'x',
    OPENAI_API_KEY: 'y',
    NODE_OPTIONS: '--require evil',
  };
  const text = JSON.stringify(build(parent));
  expect(text).toContain('/bin');
  for (const name of ['AWS_SECRET_ACCESS_KEY', 'OPENAI_API_KEY', 'NODE_OPTIONS'])
    expect(text).not.toContain(name);
  expect(build(parent, { names: ['OPENAI_API_KEY'] })['OPENAI_API_KEY']).toBe('y');
});

test('locale, proxies and certificates pass, absent ones stay absent', () => {
  const parent = { LC_ALL: 'C', LC_TIME: 'C', https_proxy: 'p', NODE_EXTRA_CA_CERTS: '/ca', HOME: undefined };
  const child = build(parent);
  expect(child).toMatchObject({ LC_ALL: 'C', LC_TIME: 'C', https_proxy: 'p', NODE_EXTRA_CA_CERTS: '/ca' });
  expect('HOME' in child).toBe(false);
});

test('a program inside finds the settings and the state of whoever started it', () => {
  const parent = { XDG_STATE_HOME: '/state', XDG_CONFIG_HOME: '/config', XDG_RUNTIME_DIR: '/run/user/7' };
  const child = build(parent);
  expect(child).toMatchObject({ XDG_STATE_HOME: '/state', XDG_CONFIG_HOME: '/config' });
  expect('XDG_RUNTIME_DIR' in child).toBe(false);
});

test('a session knows its place', () => {
  expect(build({})).toEqual({
    TUTTI_ATTEMPT_ID: 'r#s@1#2',
    TUTTI_RUN_ID: 'r',
    TUTTI_STEP: 's',
    TUTTI_ATTEMPT: '2',
    TUTTI_TURN: '4',
    TUTTI_SESSION_ID: 'sid',
    TUTTI_SESSION_DIR: '/p/.tutti/sessions/sid',
    TUTTI_PROJECT: '/p',
    TUTTI_WORKSPACE: '/w',
    TUTTI_AGENT: 'coder',
    TUTTI_TIER: 'high',
    TUTTI_DEPTH: '1',
    TUTTI_MAX_DEPTH: '3',
    TUTTI_TRACE_ID: 't',
    TUTTI_RESULT: '/r.json',
    AGENTIC_SPAWN_DEPTH: '1',
    AGENTIC_TRACE_ID: 't',
  });
});

test('nobody can lie about the place: not the parent, not the configuration, not a driver', () => {
  const lies = { TUTTI_DEPTH: '0', TUTTI_SESSION_ID: 'another', TUTTI_RUN_ID: 'another' };
  const child = childEnvironment({
    parent: lies,
    names: Object.keys(lies),
    extra: { ...lies, MODEL: 'm' },
    place: { ...place, session: null },
  });
  expect(child).toMatchObject({ TUTTI_DEPTH: '1', TUTTI_RUN_ID: 'r', MODEL: 'm' });
  expect('TUTTI_SESSION_ID' in child).toBe(false);
  expect('TUTTI_RESULT' in child).toBe(false);
});
