import type { Shown } from './shown.ts';
import type { Truth } from './truth.ts';

/** Tokens at the first look at a project. */
const firstTokens = new WeakMap<object, number | null>();

/** Ways in which a display can lie. Each is planted into what is shown; the comparison must find it. */
export const lies: Readonly<Record<string, (world: Truth, shown: Shown) => Shown>> = {
  'a dead process is named as the holder': (world, shown) => ({
    ...shown,
    status: async (runId) => {
      const { json, text } = await shown.status(runId);
      return {
        json: { ...json, driven_by: json.driven_by ?? (await world.queries.holder(runId))?.pid ?? null },
        text,
      };
    },
  }),
  'a session that ended is shown as its row says': (world, shown) => ({
    ...shown,
    sessions: async () => {
      const seen = await shown.sessions();
      const row = async (id: string) => (await world.queries.sessions.one(id))?.status ?? '';
      return {
        ...seen,
        json: await Promise.all(
          seen.json.map(async (session) => ({ ...session, status: await row(session.session_id) })),
        ),
      };
    },
  }),
  'a turn that ended well is ✔ before anything has judged it': (_world, shown) => ({
    ...shown,
    status: async (runId) => {
      const { json, text } = await shown.status(runId);
      const isUnjudged = (message: string | null): boolean =>
        message?.includes('nothing has judged') ?? false;
      const steps = json.steps.map((step) => (isUnjudged(step.message) ? { ...step, state: 'done' } : step));
      return { json: { ...json, steps }, text };
    },
  }),
  'a queued step does not say what it waits for': (_world, shown) => ({
    ...shown,
    status: async (runId) => {
      const { json, text } = await shown.status(runId);
      const steps = json.steps.map((step) => (step.state === 'queued' ? { ...step, message: null } : step));
      return { json: { ...json, steps }, text };
    },
  }),
  'a task is running as long as its record says so': (world, shown) => ({
    ...shown,
    plan: async () => {
      const { json, text } = await shown.plan();
      const running = (await world.queries.plans.nodes('p'))
        .filter(({ at }) => at === 'running')
        .map(({ id }) => id);
      return { json: { ...json, running, parked: [] }, text };
    },
  }),
  'the tokens of the plan are those of the first look': (world, shown) => ({
    ...shown,
    plan: async () => {
      const { json, text } = await shown.plan();
      const input = firstTokens.get(world.queries) ?? json.tokens.input;
      firstTokens.set(world.queries, input);
      return { json: { ...json, tokens: { input } }, text };
    },
  }),
};
